# Presets: what they stand for, in what order, and who is asked.

bats_require_minimum_version 1.5.0

setup() {
	posenc="$PWD/${B:-build}/posenc"
}

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

@test "odd dims follow the preset's project" {
	for name in annotated d2l whisper opennmt-concat transformer-xl; do
		run --separate-stderr "$posenc" sinusoid --len 2 --dim 7 --preset $name
		[ "$status" -eq 2 ]
		[ "$stderr" = "posenc sinusoid: --dim must be even with --odd error, not 7" ]
	done
	[ "$("$posenc" sinusoid --positions 1 --dim 7 --preset ddpm | cut -d, -f7)" = 0 ]
	[ "$("$posenc" sinusoid --positions 1 --dim 7 --preset seed1 | tr , '\n' | wc -l)" -eq 6 ]
	[ "$("$posenc" sinusoid --len 3 --dim 3 --preset t2t)" = "$(printf '0,1,0\n0.84147096,0.5403023,0\n0.9092974,-0.41614684,0')" ]
}

@test "a preset stands for its options where it is typed" {
	[ "$("$posenc" sinusoid --len 3 --dim 4 --preset whisper --layout interleaved)" = \
		"$("$posenc" sinusoid --len 3 --dim 4 --denom half-1)" ]
	[ "$("$posenc" sinusoid --len 3 --dim 4 --layout split --base 7 --preset paper)" = \
		"$("$posenc" sinusoid --len 3 --dim 4)" ]
	[ "$("$posenc" sinusoid --preset=dit --len 3 --dim 4 --preset fairseq)" = \
		"$("$posenc" sinusoid --len 3 --dim 4 --preset fairseq)" ]
}

@test "outputs record what a preset expands to" {
	run "$posenc" sinusoid --len 2 --dim 4 --preset fairseq --json -
	[[ "$output" == *'"layout":"split","denom":"half-1"'* ]]
	[[ "$output" == *'"zero-row":1'* ]]
	[[ "$output" != *preset* ]]
}

@test "presets are listed, and shown by name" {
	run "$posenc" presets
	[ "$status" -eq 0 ]
	for name in paper annotated d2l keras distilbert marian transformer-xl t2t fairseq \
	    opennmt-concat whisper ddpm diffusers dit seed1; do
		[[ "$output" == *"
  $name "* ]]
	done
	run "$posenc" presets fairseq
	[ "${lines[0]}" = "posenc sinusoid --base 10000 --layout split --denom half-1 --first sin --odd zero --zero-row 1" ]
	[[ "${lines[1]}" == *"facebookresearch/fairseq"* ]]
	[[ "${lines[2]}" == *"sinusoidal_positional_embedding.py"* ]]
	[[ "$("$posenc" sinusoid --help)" == *"  whisper "*openai/whisper* ]]
}

@test "unknown presets suggest the nearest" {
	run --separate-stderr "$posenc" presets wisper
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc presets: no preset 'wisper' (did you mean 'whisper'?)" ]
	run --separate-stderr "$posenc" presets xyzzy
	[ "$stderr" = "posenc presets: no preset 'xyzzy'; 'posenc presets' lists them" ]
	run --separate-stderr "$posenc" presets dit ddpm
	[ "$stderr" = "posenc presets: presets takes one name, not 'ddpm' too" ]
	run --separate-stderr "$posenc" sinusoid --preset fairsec
	[ "$stderr" = "posenc sinusoid: no preset 'fairsec' (did you mean 'fairseq'?)" ]
	run --separate-stderr "$posenc" sinusoid --preset xyzzy
	[ "$stderr" = "posenc sinusoid: no preset 'xyzzy'; 'posenc presets' lists them" ]
}
