/* rope_presets.c: models with rotary positions in several dimensions. */
#include "encodings/rope.h"

#define TRANSFORMERS "huggingface/transformers"
#define MODELS "src/transformers/models/"
#define TRANSFORMERS_VERSION "commit 130f164 (5.3.0.dev0)"
#define DIFFUSERS "huggingface/diffusers"
#define DIFFUSION "src/diffusers/models/transformers/transformer_"
#define DIFFUSERS_VERSION "commit 58eb52c"
#define QWEN_VISION "--order y,x --merge 2"

const struct preset rope_presets[] = {
	{ "dinov3", "--order y,x --coords separate --base 100",
	  TRANSFORMERS "; facebookresearch/dinov3; class and register tokens "
	  "are not in the table",
	  MODELS "dinov3_vit/modeling_dinov3_vit.py, "
	  "DINOv3ViTRopePositionEmbedding", TRANSFORMERS_VERSION, NULL },
	{ "pixtral", "--order y,x --spacing alternating",
	  TRANSFORMERS "; mistral-inference has --pairs interleaved",
	  MODELS "pixtral/modeling_pixtral.py, PixtralRotaryEmbedding",
	  TRANSFORMERS_VERSION, NULL },
	{ "qwen2-vl-vision", QWEN_VISION, TRANSFORMERS,
	  MODELS "qwen2_vl/modeling_qwen2_vl.py, rot_pos_emb",
	  TRANSFORMERS_VERSION, NULL },
	{ "qwen2.5-vl-vision", QWEN_VISION,
	  TRANSFORMERS "; its tower then permutes tokens by windows",
	  MODELS "qwen2_5_vl/modeling_qwen2_5_vl.py, rot_pos_emb",
	  TRANSFORMERS_VERSION, NULL },
	{ "qwen3-vl-vision", QWEN_VISION, TRANSFORMERS,
	  MODELS "qwen3_vl/modeling_qwen3_vl.py, rot_pos_emb",
	  TRANSFORMERS_VERSION, NULL },
	{ "eva02", "--order y,x --coords scaled --pairs interleaved",
	  "baaivision/EVA; square grids; timm's are any",
	  "EVA-02/asuka/rope.py, VisionRotaryEmbeddingFast; timm "
	  "layers/pos_embed_sincos.py", "commit 5623d08", NULL },
	{ "vjepa2", "--order t,y,x --axes floor --pairs mixed",
	  "facebookresearch/vjepa2; no rotation: the two dimensions of a pair "
	  "turn by different angles",
	  "src/models/utils/modules.py, rotate_queries_or_keys; "
	  "transformers' vjepa2", "commit c2963a4; transformers 130f164",
	  NULL },
	{ "flux", "--order 0,y,x --axes 16,56,56 --text-ids zero "
		  "--pairs interleaved",
	  "black-forest-labs/flux",
	  "src/flux/math.py, rope; modules/layers.py, EmbedND; sampling.py",
	  "commit 802fb47", NULL },
	{ "flux2", "--order 0,y,x,0 --axes 32,32,32,32 --text-ids last "
		   "--base 2000 --pairs interleaved", DIFFUSERS,
	  DIFFUSION "flux2.py, Flux2PosEmbed; pipeline_flux2.py",
	  DIFFUSERS_VERSION, NULL },
	{ "wan", "--order t,y,x --axes first --pairs interleaved",
	  "Wan-Video/Wan2.1", "wan/modules/model.py, rope_apply",
	  "commit 9737cba", NULL },
	{ "hunyuan-video", "--order t,y,x --axes 16,56,56 --base 256 "
			   "--pairs interleaved",
	  "Tencent/HunyuanVideo; text tokens are not in the table",
	  "hyvideo/modules/posemb_layers.py, get_nd_rotary_pos_embed",
	  "commit fa14b00", NULL },
	{ "cosmos", "--order t,y,x --axes first --ntk 2,1,1",
	  DIFFUSERS "; nvidia-cosmos/cosmos-predict1",
	  DIFFUSION "cosmos.py, CosmosRotaryPosEmbed", DIFFUSERS_VERSION,
	  NULL },
	{ "cogvideox", "--order t,y,x --axes quarter --coords fitted "
		       "--pairs interleaved",
	  DIFFUSERS "; text tokens are not in the table",
	  "src/diffusers/models/embeddings.py, get_3d_rotary_pos_embed; "
	  "pipeline_cogvideox.py, get_resize_crop_region_for_grid",
	  DIFFUSERS_VERSION, NULL },
	{ "cogvideox1.5", "--order t,y,x --axes quarter --pairs interleaved",
	  DIFFUSERS "; text tokens are not in the table",
	  "src/diffusers/models/embeddings.py, get_3d_rotary_pos_embed with "
	  "grid_type slice", DIFFUSERS_VERSION, NULL },
	{ "llama4-vision", "--order x,y --start 1 --cls 1 "
			   "--pairs interleaved", TRANSFORMERS,
	  MODELS "llama4/modeling_llama4.py, Llama4VisionRotaryEmbedding",
	  TRANSFORMERS_VERSION, NULL },
	{ "rope-vit", "--order x,y --base 100 --pairs interleaved",
	  "naver-ai/rope-vit, axial; the class token is not in the table",
	  "deit/models_v2_rope.py, compute_axial_cis", "commit ce85c2e", NULL },
	{ "sam2", "--order x,y --pairs interleaved", TRANSFORMERS,
	  MODELS "sam2_video/modeling_sam2_video.py, "
	  "Sam2VideoVisionRotaryEmbedding", TRANSFORMERS_VERSION, NULL },
	{ "qwen-image", "--order t,y,x --axes 16,56,56 --coords centered "
			"--text-ids all --pairs interleaved", DIFFUSERS,
	  DIFFUSION "qwenimage.py, QwenEmbedRope with scale_rope",
	  DIFFUSERS_VERSION, NULL },
	{ "lumina2", "--order n,y,x --axes 32,32,32 --text-ids first "
		     "--pairs interleaved", DIFFUSERS,
	  DIFFUSION "lumina2.py, Lumina2RotaryPosEmbed", DIFFUSERS_VERSION,
	  NULL },
	{ "hidream", "--order 0,y,x --axes 64,32,32 --pairs interleaved",
	  DIFFUSERS "; --cls N adds text tokens, which have angle 0 and are "
	  "behind the cells",
	  DIFFUSION "hidream_image.py, HiDreamImageEmbedND",
	  DIFFUSERS_VERSION, NULL },
	{ "z-image", "--order n,y,x --axes 32,48,48 --base 256 "
		     "--text-ids from-1 --pairs interleaved",
	  DIFFUSERS "; its text tokens, a multiple of 32, are behind the cells",
	  DIFFUSION "z_image.py, RopeEmbedder; patchify_and_embed",
	  DIFFUSERS_VERSION, NULL },
	{ "cogview4", "--order y,x --coords floored --base-size 256",
	  DIFFUSERS "; text tokens are not in the table",
	  DIFFUSION "cogview4.py, CogView4RotaryPosEmbed", DIFFUSERS_VERSION,
	  NULL },
	{ "sana-video", "--order t,y,x --axes first --pairs interleaved",
	  DIFFUSERS "; as wan", DIFFUSION "sana_video.py, WanRotaryPosEmbed",
	  DIFFUSERS_VERSION, NULL },
	{ "hunyuan-image", "--order y,x --axes 64,64 --base 256 "
			   "--pairs interleaved",
	  DIFFUSERS "; text tokens are not in the table",
	  DIFFUSION "hunyuanimage.py, HunyuanImageRotaryPosEmbed",
	  DIFFUSERS_VERSION, NULL },
	{ "retnet", "--spacing half-1 --pairs interleaved",
	  "microsoft/torchscale; one dimension: --len, not --grid",
	  "torchscale/architecture/retnet.py, RetNetRelPos", "commit 4d1e0e8",
	  NULL },
	{0}
};

const struct refused_preset rope_refused[] = {
	{ "ltx", "LTX-Video turns pairs of the model's whole width by t, y and "
		 "x in turn, by pi/2 (2c - 1) 10000^(k/(n - 1)), where c is "
		 "seconds/20 or pixels/2048" },
	{ "mochi", "Mochi learns its frequencies, for each head and pair a "
		   "mixture of t, y and x: the tensor pos_frequencies of its "
		   "checkpoint" },
	{0}
};
