# Presets are the options they stand for; their words are in transcripts/presets.txt.

bats_require_minimum_version 1.5.0
load common

# same PRESET OPTIONS...: the preset's table is that of the options.
same() {
	local preset=$1
	shift
	[ "$("$posenc" sinusoid --len 6 --dim 8 --preset "$preset" --raw - | sha256sum)" = \
		"$("$posenc" sinusoid --len 6 --dim 8 "$@" --raw - | sha256sum)" ] ||
		{ echo "$preset is not $*" >&2 && false; }
}

@test "every preset is the options it is known for" {
	for name in paper annotated d2l keras distilbert multidim; do
		same $name --layout interleaved
	done
	for name in marian transformer-xl; do
		same $name --layout split
	done
	for name in t2t opennmt-concat whisper ddpm diffusers; do
		same $name --layout split --denom half-1
	done
	same fairseq --layout split --denom half-1 --zero-row 1
	same dit --layout split --first cos
	same seed1 --layout split --denom half-1 --base 1000
	same mlx --layout split --denom half-1 --amp 0.5
	same x-transformers --layout split --amp 0.35355339059327379
}

@test "a preset stands for its options where it is typed" {
	[ "$("$posenc" sinusoid --len 3 --dim 4 --preset whisper --layout interleaved)" = \
		"$("$posenc" sinusoid --len 3 --dim 4 --denom half-1)" ]
	[ "$("$posenc" sinusoid --len 3 --dim 4 --layout split --base 7 --preset paper)" = \
		"$("$posenc" sinusoid --len 3 --dim 4)" ]
	[ "$("$posenc" sinusoid --preset=dit --len 3 --dim 4 --preset fairseq)" = \
		"$("$posenc" sinusoid --len 3 --dim 4 --preset fairseq)" ]
}
