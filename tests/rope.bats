# Rotary positions through the command line: conventions, laws, models' files.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	python=$(tests/python)
	empty_folder
}

# numpy PROGRAM: with a function that makes a table of words, in double.
numpy() {
	POSENC=$posenc "$python" -c '
import io, os, subprocess
import numpy as np

def posenc(words, *more):
    run = subprocess.run([os.environ["POSENC"], *words.split(), *map(str, more),
                          "--dtype", "f64", "--npy", "-"], capture_output=True)
    assert run.returncode == 0, run.stderr
    return np.load(io.BytesIO(run.stdout))

SCALINGS = ["none", "linear:3", "ntk:5", "dynamic:4,10", "yarn:8,40", "yarn:8,40,truncate=false",
            "llama3:8,100", "longrope:8,20,short=1:2:3:4:5:6:7:8,long=2:3:4:5:6:7:8:9"]
'"$1"
}

@test "rope: the row that --help shows, and what each --out is" {
	prints "0.5403023,0.99995,0.84147096,0.009999833" rope --dim 4 --start 1 --len 1
	"$posenc" rope --help | grep -q "  --dim 4 --start 1 --len 1:  0.5403023 0.99995 0.84147096 0.009999833"
	prints "1,0.1,0.01,0.001" rope --dim 8 --out freqs
	prints "0,0
2,0.02" rope --dim 4 --len 2 --step 2 --out angles
	prints "0.5403023,0.99995" rope --dim 4 --positions 1 --out cos
	prints "-0.84147096,-0.009999833" rope --dim 4 --positions -1 --out sin
	prints "0.5403023,0.99995,0.5403023,0.99995" rope --dim 4 --positions 1 --out cos-full
	prints "0.5403023,0.5403023,0.99995,0.99995" rope --dim 4 --positions 1 --out cos-full --pairs interleaved
	prints "0.84147096,0.84147096,0.009999833,0.009999833" rope --dim 4 --positions 1 --out sin-full --pairs interleaved
	prints "0.5403023,0.84147096,0.99995,0.009999833" rope --dim 4 --positions 1 --out cis
	prints "1,0.1" rope --dim 8 --rotary-dim 4 --base 100 --out freqs
}

@test "rope: many rows at once are what single rows are" {
	for out in cos sin cos-full "sin-full --pairs interleaved" cossin cis angles; do
		words="rope --dim 70 --out $out"
		"$posenc" $words --len 300 --raw many.raw
		"$posenc" $words --positions $(seq -s, 0 299) --raw single.raw
		cmp many.raw single.raw
		{ "$posenc" $words --len 300 --rows :7 --raw - && "$posenc" $words --len 300 --rows 7: --raw -; } | cmp - many.raw
	done
}

@test "rope: scaled frequencies, worked by hand" {
	# YaRN keeps pair 20 of 64, mixes pair 33, divides pair 46 by 16.
	[ "$("$posenc" rope --dim 128 --out freqs --scaling yarn:16,4096 --dtype f64 --precision 10 | cut -d, -f21,34,47)" = \
		"0.05623413252,0.004600435468,0.00008334508951" ]
	# Llama 3.1 keeps pairs to 28, mixes to 34, divides from 35 on.
	[ "$("$posenc" rope --dim 128 --base 500000 --out freqs --scaling llama3:8,8192 --dtype f64 --precision 10 | cut -d, -f29,30,35,36)" = \
		"0.003211445995,0.002166570764,0.0001785078128,0.00009556212354" ]
	# A base of 82684.6226 and of 72195.8601
	numpy '
for law, base in (("ntk:8", 82684.6226), ("dynamic:2,2048", 72195.8601)):
    ours = posenc("rope --dim 128 --len 8192 --out freqs --scaling", law)
    assert np.allclose(ours, posenc("rope --dim 128 --out freqs --base", base), rtol=1e-8)
same = posenc("rope --dim 128 --len 2048 --out freqs --scaling dynamic:2,2048")
assert (same == posenc("rope --dim 128 --out freqs")).all()'
	# Attention factors: 0.1 ln 16 + 1, DeepSeek-V2, 1.190238 of LongRoPE
	prints "1.277258872" rope --dim 2 --positions 0 --out cos --scaling yarn:16,4096 --dtype f64 --precision 10
	prints "1" rope --dim 2 --positions 0 --out cos --scaling yarn:40,4096,mscale=0.707,mscale_all_dim=0.707
	prints "1.190238" rope --dim 2 --positions 0 --out cos --scaling longrope:32,4096,short=1,long=2 --precision 7
	echo 1 2 >factors
	prints "1,0.005" rope --dim 4 --out freqs --scaling longrope:@factors
	prints "1,0.01,0,0" rope --dim 8 --rotary-dim 4 --base 1e8 --out freqs --scaling proportional
}

@test "rope: products of queries and keys depend on the distance only" {
	numpy '
rng = np.random.default_rng(1)
n, d = 24, 16
q, k = rng.normal(size=(2, d))
np.save("q.npy", np.tile(q, (n, 1)))
np.save("k.npy", np.tile(k, (n, 1)))

def check(words, keys=""):
    logits = posenc(words + " --apply q.npy") @ posenc(words + " --apply k.npy" + keys).T
    for shift in range(-n + 1, n):
        diagonal = np.diagonal(logits, shift)
        assert np.ptp(diagonal) < 1e-12 * np.abs(q) @ np.abs(k), (words, shift)
    assert np.ptp(logits) > 1e-2, words

for scaling in SCALINGS:
    for pairs in "half", "interleaved":
        check(f"rope --pairs {pairs} --scaling {scaling}")
check("rope --rotary-dim 6 --start -5")
check("rope --sections 2,3,3 --step 0.5")
check("rope --spacing linear:10 --step 0.01")
for center in "floor", "ceil", "none":
    check(f"rope --xpos 32 --pairs interleaved --center {center}", " --downscale")
'
}

@test "rope: --apply, then --inverse, changes nothing" {
	numpy '
rng = np.random.default_rng(2)
x = rng.normal(size=(3, 20, 16))
np.save("x.npy", x)
words = [f"rope --scaling {scaling} --pairs {pairs} --start 100000"
         for scaling in SCALINGS for pairs in ("half", "interleaved")]
words += ["rope --xpos 16 --start 3", "rope --rotary-dim 10", "rope --along planes",
          "rope --grid 4x5", "rope --xpos 16 --downscale --center ceil"]
for w in words:
    turned = posenc(w + " --apply x.npy")
    np.save("turned.npy", turned)
    back = posenc(w + " --inverse --apply turned.npy")
    lengths = np.linalg.norm(x, axis=-1, keepdims=True)
    assert turned.shape == x.shape and np.abs(turned - x).max() > 0.1, w
    assert (np.abs(back - x) <= 1e-15 * lengths).all(), w
assert (posenc("rope --rotary-dim 10 --apply x.npy")[:, :, 10:] == x[:, :, 10:]).all()
cos, sin = (posenc("rope --dim 16 --len 20 --out", out) for out in ("cos", "sin"))
want = np.concatenate([x[..., :8] * cos - x[..., 8:] * sin, x[..., 8:] * cos + x[..., :8] * sin], -1)
assert np.abs(posenc("rope --apply x.npy") - want).max() < 1e-14
flipped = posenc("rope --along planes --apply x.npy")
for row in 0, 13:
    np.save("row.npy", x[:, row])
    assert np.abs(flipped[:, row] - posenc("rope --apply row.npy")).max() < 1e-14
'
}

@test "rope: grids, and sections of time, rows and columns" {
	numpy '
def cis(positions, dim, base=10000):
    return posenc(f"rope --dim {dim} --base {base} --out cis --positions", positions)

grid = posenc("rope --dim 8 --grid 2x3 --out cis --base 100")
assert (grid[:, :4] == cis("0,1,2,0,1,2", 4, 100)).all()
assert (grid[:, 4:] == cis("0,0,0,1,1,1", 4, 100)).all()
columns = {axis: posenc("rope --dim 12 --out angles --positions", at)
           for axis, at in (("t", "5,7"), ("h", "1,2"), ("w", "3,4"))}
three = "--positions 5,1,3,7,2,4"
for how, axes in (("chunked", "tthwww"), ("interleaved", "thwtht")):
    sizes = [axes.count(a) for a in "thw"]
    ours = posenc(f"rope --dim 12 --out angles {three} --mrope {how} --sections", *[",".join(map(str, sizes))])
    for k, axis in enumerate(axes):
        assert (ours[:, k] == columns[axis][:, k]).all(), (how, k)
text = posenc("rope --dim 12 --len 4 --sections 2,1,3")
assert (text == posenc("rope --dim 12 --len 4")).all()
image = posenc("rope --dim 12 --grid 2x3 --sections 2,2,2 --start 9 --out angles")
assert (image == posenc("rope --dim 12 --sections 2,2,2 --out angles --positions",
    "9,9,9,9,9,10,9,9,11,9,10,9,9,10,10,9,10,11")).all()
'
	prints "3.1415927,204.20352,405.26544" rope --dim 6 --spacing linear:258 --out freqs
}

@test "rope: xPos, and its inverse for keys" {
	numpy '
cos = posenc("rope --dim 8 --len 5 --out cos")
zeta = (np.arange(0, 8, 2) + 0.4 * 8) / (1.4 * 8)
for center, c in ("floor", 2), ("ceil", 3), ("none", 0):
    power = (np.arange(5) - c)[:, None] / 512
    ours = posenc("rope --dim 8 --len 5 --out cos --xpos 512 --center", center)
    assert np.abs(ours - cos * zeta ** power).max() < 1e-15
    keys = posenc("rope --dim 8 --len 5 --out cos --xpos 512 --downscale --center", center)
    assert np.abs(ours * keys - cos ** 2).max() < 1e-15
'
}

@test "rope: a model's config.json, in old and new spellings" {
	echo '{"head_dim": 8, "rope_theta": 500000.0, "max_position_embeddings": 64,
		"rope_scaling": {"type": "yarn", "factor": 4.0, "beta_fast": 16}}' >old.json
	echo '{"hidden_size": 32, "num_attention_heads": 4, "max_position_embeddings": 256,
		"rope_parameters": {"rope_type": "yarn", "rope_theta": 5e5, "beta_fast": 16,
		"original_max_position_embeddings": 64, "attention_factor": null}}' >new.json
	for file in old new; do
		"$posenc" rope --config $file.json --len 5 --csv $file.csv
	done
	"$posenc" rope --dim 8 --base 500000 --scaling yarn:4,64,fast=16 --len 5 | cmp - old.csv
	cmp old.csv new.csv
	# Later options override, and outputs name what was used.
	"$posenc" rope --config old.json --scaling linear:2 --len 1 --json - |
		grep -q '"dim":8,"rotary-dim":8,"base":500000,.*"scaling":"linear:2"'

	echo '{"hidden_size": 2048, "num_attention_heads": 16, "rotary_pct": 0.25, "rope_scaling": null}' >neox.json
	prints "1,0.1,0.01,0.001" rope --config neox.json --rotary-dim 8 --out freqs
	[ "$("$posenc" rope --config neox.json --len 1 | tr -cd , | wc -c)" -eq 31 ]
	echo '{"model_type": "gptj", "n_embd": 64, "n_head": 4, "rotary_dim": 4}' >gptj.json
	prints "0.5403023,0.5403023,0.99995,0.99995" rope --config gptj.json --positions 1 --out cos-full
	echo '{"text_config": {"head_dim": 12, "rope_scaling": {"type": "mrope", "mrope_section": [2, 1, 3]}}}' >vl.json
	[ "$("$posenc" rope --config vl.json --positions 1,2,3)" = "$("$posenc" rope --dim 12 --sections 2,1,3 --positions 1,2,3)" ]
	echo '{"head_dim": 4, "rope_parameters": {"full": {"rope_type": "linear", "factor": 8}, "sliding": {"rope_type": "default"}}}' >types.json
	prints "0.125,0.00125" rope --config types.json:full --out freqs
	prints "1,0.01" rope --config types.json:sliding --out freqs
	refuses "posenc: types.json: types of layers differ; choose one, as --config FILE:full" rope --config types.json --len 2
	refuses "posenc: types.json: no layers of type 'half'" rope --config types.json:half --len 2
}

# config JSON: into a file.
config() {
	printf '%b' "$1" >c.json
}

@test "rope: models' files that are refused" {
	config '{"head_dim": 8, "rope_scaling": {"rope_type": "warp", "factor": 2}}'
	refuses "posenc: c.json: unknown rope_type 'warp'" rope --config c.json --len 2
	config '{"head_dim": 8, "rope_scaling": {"type": "linear"}}'
	refuses "posenc: c.json: linear scaling without a factor" rope --config c.json --len 2
	config '{"head_dim": 8, "rope_scaling": {"type": "dynamic", "factor": 2}}'
	refuses "posenc: c.json: max_position_embeddings is missing" rope --config c.json --len 2
	config '{"hidden_size": 8}'
	refuses "posenc: c.json: head_dim is missing, or hidden_size and num_attention_heads" rope --config c.json --len 2
	config '{"head_dim": "8"}'
	refuses "posenc: c.json: head_dim must be a number" rope --config c.json --len 2
	config '{"head_dim": 1e999}'
	refuses "posenc: c.json:1:14: a number that no double holds" rope --config c.json --len 2
	config '{"head_dim": 7.5}'
	refuses "posenc: c.json: --dim must be a whole number from 2 to 1048576, not '7.5'" rope --config c.json --len 2
	config '{"head_dim": 8, "rope_scaling": 5}'
	refuses "posenc: c.json: rope_parameters or rope_scaling must be an object" rope --config c.json --len 2
	config '{"head_dim": 8, "rope_scaling": {"type": "su", "factor": 2, "original_max_position_embeddings": 4}}'
	refuses "posenc: c.json: short_factor must be an array of numbers" rope --config c.json --len 2
	config '{"head_dim": 8, "head_dim": 9}'
	refuses "posenc: c.json: the key 'head_dim' comes twice" rope --config c.json --len 2
	while IFS='|' read -r text place; do
		config "$text"
		refuses "posenc: c.json:1:$place" rope --config c.json --len 2
	done <<-'END'
		|1: the text ends where an object's '{' should come
		[1]|1: '[' stands where an object's '{' should come
		8|1: '8' stands where an object's '{' should come
		{"head_dim": 8} x|17: 'x' stands where the end should come
		{"head_dim": 8|15: the text ends where ',' or '}' should come
		{"head_dim": 8,}|16: '}' stands where a string should come
		{"head_dim": 08}|14: '08' is not a number
		{"head_dim": 8}\0|16: a byte of 0 stands where the end should come
		{"a": "\xff"}|8: a string that is not UTF-8
	END
	refuses "posenc: none.json: No such file or directory" rope --config none.json --len 2
	refuses "posenc: /dev/zero: more than 1048576 bytes of JSON" rope --config /dev/zero --len 2
}

@test "rope: dimensions and positions that are refused" {
	refuses "posenc rope: --dim D is missing (or --apply TABLE, or --config FILE)" rope --len 4
	refuses "posenc rope: --len N is missing (or --positions LIST)" rope --dim 4
	refuses "posenc rope: --dim must be even, not 7 (or --rotary-dim R, of which the first turn)" rope --len 4 --dim 7
	refuses "posenc rope: --rotary-dim must be even and at most --dim 7, not 5" rope --len 4 --dim 7 --rotary-dim 5
	refuses "posenc rope: --rotary-dim must be even and at most --dim 4, not 6" rope --len 4 --dim 4 --rotary-dim 6
	refuses "posenc rope: --grid needs a --rotary-dim that 4 divides, not 6" rope --dim 6 --grid 2x2
	refuses "posenc rope: --grid must be HxW, rows by columns, not '2'" rope --dim 8 --grid 2
	refuses "posenc rope: --grid takes the place of --len and --positions" rope --dim 8 --grid 2x2 --len 4
	refuses "posenc rope: --sections must be T,H,W, not 2 numbers" rope --dim 8 --sections 2,2 --len 2
	refuses "posenc rope: --sections must add up to the 4 pairs, not to 5" rope --dim 8 --sections 1,2,2 --len 2
	refuses "posenc rope: --sections must be numbers of pairs, not 1.5" rope --dim 8 --sections 1.5,1.5,1 --len 2
	refuses "posenc rope: --positions must be threes of time, row and column with --sections, not 4 numbers" rope --dim 8 --sections 1,1,2 --positions 1,2,3,4
	refuses "posenc rope: positions must be from -2^53 to 2^53, where they are exact" rope --dim 8 --sections 1,1,2 --positions 1,2,1e17
	refuses "posenc rope: --spacing linear:MAX must be from 2 to 1e9, not 1" rope --dim 8 --spacing linear:1 --len 2
	refuses "posenc rope: --xpos changes cosines and sines of one dimension only" rope --dim 8 --xpos 512 --grid 2x2
	numpy 'np.save("x.npy", np.ones((2, 4)))'
	refuses "posenc rope: --dim 6 is not the 4 columns of --apply (--rotary-dim R turns the first R)" rope --apply x.npy --dim 6
	refuses "posenc rope: --apply has 2 rows, not one for each of 3 positions" rope --apply x.npy --len 3
	refuses "posenc rope: --apply makes the rotated table; it has no --out cos" rope --apply x.npy --out cos
}

@test "rope: scalings that are refused" {
	refuses "posenc rope: --scaling has no 'yran' (did you mean 'yarn'?)" rope --dim 8 --len 2 --scaling yran:2,4
	refuses "posenc rope: --scaling must be none, linear, ntk, dynamic, yarn, llama3, longrope or proportional, not 'x'" rope --dim 8 --len 2 --scaling x
	refuses "posenc rope: --scaling must be linear:F; F, the factor, is missing" rope --dim 8 --len 2 --scaling linear
	refuses "posenc rope: --scaling must be yarn:F,L; L, the original context, is missing" rope --dim 8 --len 2 --scaling yarn:2
	refuses "posenc rope: --scaling must be linear:F, which has no room for '3'" rope --dim 8 --len 2 --scaling linear:2,3
	refuses "posenc rope: --scaling linear: factor must be a number from 0.001 to 1000000000, not '0'" rope --dim 8 --len 2 --scaling linear:0
	refuses "posenc rope: --scaling yarn has no 'fats' (did you mean 'fast'?)" rope --dim 8 --len 2 --scaling yarn:2,4,fats=3
	refuses "posenc rope: --scaling yarn has no 'q'" rope --dim 8 --len 2 --scaling yarn:2,4,q=3
	refuses "posenc rope: --scaling yarn: fast must be above slow, not 1 and 1" rope --dim 8 --len 2 --scaling yarn:2,4,fast=1
	refuses "posenc rope: --scaling llama3: high must be above low, not 1 and 1" rope --dim 8 --len 2 --scaling llama3:2,4,high=1
	refuses "posenc rope: --scaling yarn needs a --base above 1, not 1" rope --dim 8 --len 2 --scaling yarn:2,4 --base 1
	# d - 2 is 0: transformers divides by it
	refuses "posenc rope: --scaling dynamic divides by d - 2: it needs at least 4 rotary dimensions, not 2" rope --dim 2 --len 2 --scaling dynamic:2,4
	refuses "posenc rope: --scaling proportional is not for --grid" rope --dim 8 --grid 2x2 --scaling proportional
	refuses "posenc rope: --dim must be even, not 7" rope --dim 7 --rotary-dim 4 --len 2 --scaling proportional
	refuses "posenc rope: --scaling longrope needs @FILE, the factor of each pair" rope --dim 8 --len 2 --scaling longrope:2,4
	refuses "posenc rope: --scaling longrope needs a factor for each of 4 pairs, not 2" rope --dim 8 --len 2 --scaling longrope:short=1:2
	refuses "posenc rope: --scaling longrope: factors must be from 0.001 to 1e9, not 0" rope --dim 4 --len 2 --scaling longrope:short=1:0
	refuses "posenc rope: --scaling longrope with short and long factors needs F,L: the long ones begin at L" rope --dim 4 --len 2 --scaling longrope:short=1:2,long=1:2
}
