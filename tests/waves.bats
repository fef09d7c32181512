# naive, grid, shift and the conventions of sinusoid: numbers and refusals.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	empty_folder
}

# works COMMAND ROW WORDS...: --help tells the row, and these words print it.
works() {
	local command=$1 row=$2 help
	shift 2
	help=$("$posenc" "$command" --help | tr -s ' \n' ' ')
	[[ "$help" == *"${row//,/, }"* ]]
	prints "$row" "$command" "$@"
}

@test "the rows worked in --help are what comes out" {
	works sinusoid 0.84147096,0.5403023,0.009999833,0.99995 --positions 1 --dim 4
	works naive 1,1,0 --kind binary --len 8 --rows 6:7
	works naive 1,0,1 --kind gray --len 8 --rows 6:7
	works grid 0.84147096,0.009999833,0.5403023,0.99995,0,0,1,1 --grid 2x3 --dim 8 --rows 1:2
	works shift -0.9899925,0.14112,0,0 --dim 4 --by 3 --rows 0:1
}

@test "naive: numbers" {
	prints $'0\n1\n2' naive --len 3
	prints $'-3\n-3.5' naive --len 2 --start -3 --step -0.5
	prints $'0,0\n1,1' naive --len 2 --dim 2
	# 3 of 5 and 18 of 30 are the same
	prints $'0.2\n0.4\n0.6\n0.8\n1' naive --kind normalized --len 5 --start 1
	prints 0.6 naive --kind normalized --norm n --len 30 --positions 18
	prints $'0\n0.25\n0.5\n0.75\n1' naive --kind normalized --norm n-1 --len 5
	prints $'-1\n-0.5\n0\n0.5\n1' naive --kind normalized --norm center --len 5
	prints 9007199254740992 naive --positions 9007199254740992
	[ "$("$posenc" naive --len 3 --json - | grep -o '"dtype":"[a-z0-9]*"')" = '"dtype":"int32"' ]
}

@test "naive: bits and places" {
	prints $'0,0,0\n0,0,1\n0,1,0\n0,1,1\n1,0,0\n1,0,1\n1,1,0\n1,1,1' naive --kind binary --len 8
	prints $'0,0\n1,0\n0,1\n1,1' naive --kind binary --len 4 --bits lsb
	prints $'0,0,0\n0,0,1\n0,1,1\n0,1,0\n1,1,0\n1,1,1\n1,0,1\n1,0,0' naive --kind gray --len 8
	prints $'1,-1,-1\n-1,1,-1\n-1,-1,1' naive --kind onehot --len 3 --signed
	prints $'0,0,1,0\n0,0,0,1' naive --kind onehot --positions 2,3
	prints $'0,0,0,0\n0,0,0,1' naive --kind binary --len 2 --dim 4
	prints 0 naive --kind binary --len 1
	# 2^53 takes 54 bits
	[ "$("$posenc" naive --kind binary --positions 9007199254740992 --bits lsb | tr -d ,)" = "$(printf '%053d1' 0)" ]
}

@test "naive: refusals" {
	declines "--len N is missing (or --positions LIST)" naive
	declines "--dim 2 is too narrow for position 8, which takes 4 in binary" naive --kind binary --dim 2 --positions 8
	declines "--dim 2 is too narrow for position 2, which takes 3 in onehot" naive --kind onehot --dim 2 --len 3
	declines "--kind gray takes whole positions from 0 on, not -1" naive --kind gray --positions 3,-1
	declines "--kind binary takes whole positions from 0 on, not 1.5" naive --kind binary --len 2 --step 1.5
	declines "--kind onehot takes 2000000 columns for position 1999999, more than 1048576" naive --kind onehot --len 2000000
	declines "--norm n-1 divides by zero for one position" naive --kind normalized --norm n-1 --len 1
	declines "--norm is for --kind normalized, not binary" naive --kind binary --norm n --len 2
	declines "--bits is for --kind binary or gray, not onehot" naive --kind onehot --bits lsb --len 2
	declines "--signed is for --kind binary, gray or onehot, not integer" naive --signed --len 2
	declines "--kind has no 'grey' (did you mean 'gray'?); it takes integer, normalized, binary, gray or onehot" naive --kind grey --len 2
}

@test "grid: the variants of one cell" {
	prints 0,0,0.841471,0.00999983,1,1,0.540302,0.99995 grid --grid 2x3 --dim 8 --variant timm --rows 1:2 --precision 6
	prints 0,0,1,1,0.841471,0.00999983,0.540302,0.99995 grid --grid 2x3 --dim 8 --variant timm --layout interleaved --rows 1:2 --precision 6
	prints 0,1,0,1,0.841471,0.540302,0.00999983,0.99995 grid --grid 2x3 --dim 8 --variant multidim --rows 1:2 --precision 6
	prints 0,0,1,1,0.841471,0.0001,0.540302,1 grid --grid 2x3 --dim 8 --variant t2t --rows 1:2 --precision 6
	prints 0.841471,0.540302,0.00999983,0.99995,0.909297,-0.416147,0.0199987,0.9998 grid --grid 2x3 --dim 8 --variant detr --rows 1:2 --precision 6
	# DETR's coordinates end at 2 pi: the first and the last cell
	prints 1.5708e-06,-1,0.0314107,0.999507,0.866026,-0.499999,0.0209424,0.999781 grid --grid 2x3 --dim 8 --variant detr --normalize --rows 0:1 --precision 6
	prints -3.14159e-06,1,0.0627905,0.998027,-2.09439e-06,1,0.0627905,0.998027 grid --grid 2x3 --dim 8 --variant detr --normalize --rows 5:6 --precision 6
}

@test "grid: odd shapes" {
	# what does not fit is cut (multidim) or left at zero (t2t)
	prints 0.841471,0.540302,0.841471,0.540302,0.841471 grid --grid 2x2x2 --dim 5 --variant multidim --rows 7:8 --precision 6
	prints 0.841471,0.540302,0.00999983,0.99995,0.841471,0.540302,0.00999983 grid --grid 2x2x2 --dim 7 --variant multidim --rows 7:8 --precision 6
	prints 0.841471,0.0001,0.540302,1,0.841471,0.0001,0.540302,1,0 grid --grid 2x2 --dim 9 --variant t2t --rows 3:4 --precision 6
	prints $'0,0,0,0\n0,0,0,0\n0,1,0,1' grid --grid 1x1 --dim 4 --cls 2
	[ "$("$posenc" grid --grid 2x3 --dim 8 --base 100)" = "$("$posenc" grid --grid 2x3 --dim 8 --temperature 100)" ]
	[ "$("$posenc" grid --grid 2x3 --dim 8 --preset detr)" = "$("$posenc" grid --grid 2x3 --dim 8 --variant detr --normalize)" ]
	[ "$("$posenc" grid --grid 16x16 --dim 8 --variant diffusers | sha256sum)" = "$("$posenc" grid --grid 16x16 --dim 8 | sha256sum)" ]
}

@test "grid: refusals" {
	declines "--grid HxW[xT] is missing: cells down, across and in time" grid --dim 8
	for size in 4 4x 4x4x4x4 4x0 4x-1 4x1.5 axb 4*4 x; do
		declines "--grid must be HxW or HxWxT, not '$size'" grid --dim 8 --grid "$size"
	done
	declines "--grid 100000000x100000000 has more than 2^53 cells" grid --dim 8 --grid 100000000x100000000
	declines "--dim must be a multiple of 4 for --variant mae with --grid HxW, not 6" grid --grid 2x2 --dim 6
	declines "--dim must be a multiple of 4 for --variant timm with --grid HxW, not 6" grid --grid 2x2 --dim 6 --variant timm
	declines "--dim must be a multiple of 16 for --variant diffusers with --grid HxWxT, not 24" grid --grid 2x2x2 --dim 24 --variant diffusers
	declines "--variant detr takes --grid HxW, not 2x2x2" grid --grid 2x2x2 --dim 8 --variant detr
	declines "--dim must be at least 8 for --variant t2t with --grid HxW, not 6: it divides by the frequencies of an axis less one" grid --grid 2x2 --dim 6 --variant t2t
	declines "--layout is for --variant timm" grid --grid 2x2 --dim 8 --layout split
	declines "--normalize is for --variant detr" grid --grid 2x2 --dim 8 --normalize
	declines "--interpolation is for --variant diffusers" grid --grid 2x2 --dim 8 --interpolation 2
	declines "--base-size is for --variant diffusers with --grid HxW" grid --grid 2x2 --dim 8 --base-size 4
	declines "--interpolation must be S, above 0, not 1,2" grid --grid 2x2 --dim 8 --variant diffusers --interpolation 1,2
	declines "--interpolation must be S or S,T, above 0, not 1,0" grid --grid 2x2x2 --dim 16 --variant diffusers --interpolation 1,0
	declines "--interpolation 1e-30 makes coordinates above 2^53" grid --grid 2x2 --dim 8 --variant diffusers --interpolation 1e-30
}

@test "shift: refusals" {
	declines "--dim D is missing: columns" shift
	declines "--dim 7 leaves a sine without its cosine, which no matrix shifts; make it even, or take --odd zero or fewer" shift --dim 7
	declines "--denom half-1 divides by zero for --dim 2" shift --dim 2 --denom half-1
	prints 1 shift --dim 1 --odd zero
}

@test "sinusoid: what the peers crash on" {
	# seeds 0 and annotated want an even dim; the formula does not
	prints 0.841471,0.540302,0.0719065,0.997411,0.00517945,0.999987,0.000372759 sinusoid --positions 1 --dim 7 --precision 6
	prints 0.841471,0.540302,0.00215443 sinusoid --positions 1 --dim 3 --precision 6
	# seed 1, fairseq and whisper divide by zero; fairseq's dim 1 is padding
	declines "--denom half-1 divides by zero for --dim 2" sinusoid --preset seed1 --len 3 --dim 2
	declines "--denom half-1 divides by zero for --dim 3" sinusoid --preset fairseq --len 4 --dim 3
	declines "--denom half-1 divides by zero for --dim 2" sinusoid --preset whisper --len 3 --dim 2
	prints $'0\n0\n0\n0' sinusoid --preset fairseq --len 4 --dim 1
	prints $'0\n0\n0' sinusoid --preset t2t --len 3 --dim 1
	prints $'0,1\n0.84147096,0.5403023' sinusoid --preset t2t --len 2 --dim 2
	declines "--dim must be even with --odd error, not 5" sinusoid --preset whisper --len 3 --dim 5
	declines "--dim must be from 1 to 1048576, not 0" sinusoid --preset seed1 --len 3 --dim 0
	declines "--len must be from 1 to 9007199254740992, not 0" sinusoid --preset t2t --len 0 --dim 4
	declines "--len must be from 1 to 9007199254740992, not 0" sinusoid --preset distilbert --len 0 --dim 4
}

@test "sinusoid: MLX's and x-transformers' amplitudes" {
	prints 0.42073548,0.023199612,0.0010772165,0.00005,0.27015114,0.4994615,0.49999884,0.5 sinusoid --preset mlx --dim 8 --positions 1
	prints 0.29750493,0.19102572 sinusoid --dim 2 --positions 1 --amp 0.5 --amp-sqrt 1 --precision 8
	prints $'0,1\n0,1' sinusoid --dim 2 --positions 0,3 --full-turns
}
