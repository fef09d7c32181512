# Drawn tables, sums, LayerNorm and position ids; and what can't be asked.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	python=$(tests/python)
	golden="$PWD/tests/golden/data"
	drawn="$PWD/tests/drawn/drawn.py"
	B=$(realpath "${B:-build}")
	empty_folder
}

# says TEXT WORDS...: standard output, with slashes between the lines.
says() {
	local text=$1
	shift
	run --separate-stderr "$posenc" embed "$@"
	[ "$status" -eq 0 ]
	[ "${output//$'\n'//}" = "$text" ] || echo "said: $output" >&2
	[ "${output//$'\n'//}" = "$text" ]
}

# table NAME N D: N rows of D small whole numbers, 1 2 3 ...
table() {
	"$python" -c "
import numpy as np
np.save('$1', np.arange(1, $2 * $3 + 1, dtype='f4').reshape($2, $3))"
}

@test "numbers that torch and NumPy drew" {
	B=$B run "$python" "$drawn" stored
	[ -z "$output" ]
	[ "$status" -eq 0 ]
}

@test "numbers that the NumPy here draws" {
	B=$B run "$python" "$drawn" numpy
	[ -z "$output" ]
	[ "$status" -eq 0 ]
}

@test "numbers that the torch here draws" {
	[ -n "${LIVE:-}" ] || skip "LIVE=1 compares with python3-torch, too"
	/usr/bin/python3 -c 'import torch' 2>/dev/null || skip "python3-torch is not installed"
	B=$B run /usr/bin/python3 "$drawn" torch
	[ -z "$output" ]
	[ "$status" -eq 0 ]
}

@test "the rows that --help works out" {
	run "$posenc" embed --help
	[[ "$output" == *"--rng torch --vocab 4 --dim 4 row 0 begins -1.1258398, -1.1523602."* ]]
	run "$posenc" embed --rng torch --vocab 4 --dim 4
	[[ "$output" == "-1.1258398,-1.1523602,"* ]]
	says "1.5409961/-0.2934289/-2.1787894/0.56843126/-1.0845224" --rng torch --vocab 5 --dim 1
}

@test "shards and single rows are those of the whole table" {
	local rng init
	for rng in philox torch numpy numpy-legacy; do
		for init in normal uniform:-1,2; do
			local how=(embed --rng "$rng" --init "$init" --seed 7 --dim 13)
			"$posenc" "${how[@]}" --vocab 37 --csv whole.csv
			"$posenc" "${how[@]}" --vocab 37 --rows 0:11 >parts.csv
			"$posenc" "${how[@]}" --vocab 37 --rows 11:37 >>parts.csv
			cmp whole.csv parts.csv
			"$posenc" "${how[@]}" --vocab 37 --ids 36,0,36,5 >some.csv
			for row in 37 1 37 6; do sed -n "${row}p" whole.csv; done | cmp - some.csv
			"$posenc" "${how[@]}" --vocab 37 --ids 35 | cmp - <(sed -n 36p whole.csv)
			"$posenc" "${how[@]}" --vocab 37 --len 3 | cmp - <(head -3 whole.csv)
		done
	done
	for rng in philox torch numpy numpy-legacy; do
		says "0,0/0,0" --rng "$rng" --vocab 2 --dim 2 --init zeros
		says "0,0/0,0" --rng "$rng" --vocab 2 --dim 2 --init normal:0
	done
}

@test "a drawn table has zeros for padding, a read one what it has" {
	"$posenc" embed --vocab 4 --dim 2 --csv plain.csv
	for i in 1 -3; do
		"$posenc" embed --vocab 4 --dim 2 --padding-idx $i >padded.csv
		sed '2s/.*/0,0/' plain.csv | cmp - padded.csv
	done
	table t.npy 3 2
	says "1,2/3,4/5,6" --table t.npy --padding-idx 1
}

@test "ids out of bounds" {
	table t.npy 3 2
	says "1,2/1,2/5,6/5,6" --table t.npy --ids -1,0,3,9 --oob clamp
	says "5,6/1,2/1,2/3,4" --table t.npy --ids -1,0,3,-2 --oob wrap
	says "0,0/1,2/0,0/0,0" --table t.npy --ids -1,0,3,-2 --oob zero
}

@test "sums" {
	table t.npy 3 2
	table p.npy 5 2
	says "2,4/6,8/10,12" --table t.npy --add p.npy
	says "6,8/10,12/14,16" --table t.npy --add p.npy --past 2
	says "10,12/4,6/14,16" --table t.npy --add p.npy --positions 4,0,4
	says "2,4/6,8" --table t.npy --len 2 --multiplier 2
	says "1.4142135,2.828427/4.2426405,5.656854" --table t.npy --len 2 --multiplier sqrt-dim
	says "1.841471,2.5403023" --table t.npy --ids 0 --add sinusoid --past 1
	says "1.4794255,2.8775826" --table t.npy --ids 0 --add sinusoid --positions 0.5
	says "6,8/2,4" --table t.npy --ids 0,0 --segment-table p.npy --segments 2,0
	says "2,4/2,4" --table t.npy --ids 0,0 --segment-table p.npy
	says "0.59999996,0.8" --table t.npy --ids 1 --max-norm 1
	says "1,2" --table t.npy --ids 0 --max-norm 3
	says "-1,-2" --table t.npy --ids 0 --multiplier -1
}

@test "LayerNorm" {
	table t.npy 2 4
	table g.npy 1 4
	says "-1.3416408,-0.4472136,0.4472136,1.3416408/-1.3416408,-0.4472136,0.4472136,1.3416408" --table t.npy --layernorm
	says "-0.3416408,1.1055728,4.341641,9.366563" --table t.npy --ids 1 --layernorm --gamma g.npy --beta g.npy
}

@test "a batch has a plane for each sequence" {
	table t.npy 3 2
	table p.npy 2 2
	says "2,4/4,6//6,8/6,8" --table t.npy --ids 0,0,2,1 --batch 2 --add p.npy
	says "2,4/6,8//6,8/6,8" --table t.npy --ids 0,1,2,1 --batch 2 --add p.npy --positions 0,1
	says "2,4/4,6//8,10/6,8" --table t.npy --ids 0,1,2,1 --batch 2 --add p.npy --positions 0,0,1,1
	run "$posenc" embed --table t.npy --ids 0,1,2,0 --batch 2 --json -
	[[ "$output" == *'"shape":[2,2,2]'* ]]
}

@test "position ids step over padding" {
	says "2,3,4,1,1" --ids 5,6,7,1,1 --padding-idx 1 --out positions
	says "2,3,4,1,1/1,2,1,3,4" --ids 5,6,7,1,1,1,5,1,6,7 --batch 2 --padding-idx 1 --out positions
	says "8,9,10" --ids 2,3,4 --padding-idx 1 --past 6 --out positions
	says "0,1,0,2" --ids 0,9,0,9 --padding-idx 0 --out positions
	table p.npy 5 2
	run bash -c "'$posenc' embed --ids 5,1,7 --padding-idx 1 --out positions |
		'$posenc' embed --table p.npy --ids -"
	[ "$output" = $'5,6\n3,4\n7,8' ]
}

@test "what is drawn can't be past what is kept" {
	declines "--rng torch draws in order and keeps what it draws: 200000 rows of --dim 4096 are more than the 268435456 numbers it can (philox keeps none)" embed --rng torch --vocab 200000 --dim 4096
	declines "--seed must be from 0 to 4294967295 with --rng numpy-legacy, not 4294967296" embed --rng numpy-legacy --vocab 2 --dim 2 --seed 4294967296
	declines "--rng must be philox, torch, numpy or numpy-legacy, not 'mt'" embed --vocab 2 --dim 2 --rng mt
}

@test "padding, segments and positions that no table has" {
	declines "--padding-idx must be a row of the table, from -10 to 9, not 10" embed --vocab 10 --dim 3 --padding-idx 10
	declines "--padding-idx must be a row of the table, from -10 to 9, not -11" embed --vocab 10 --dim 3 --padding-idx -11
	table t.npy 3 2
	table u.npy 3 3
	declines "segment 3 at index 1 is out of range: --segment-table has 3 rows, 0 to 2" embed --vocab 3 --dim 2 --segments 1,3,0 --segment-table t.npy
	declines "segment 0.5 at index 0 is out of range: --segment-table has 3 rows, 0 to 2" embed --vocab 3 --dim 2 --segments 0.5,1,0 --segment-table t.npy
	declines "position 3 at index 3 is out of range: --position-table has 3 rows, 0 to 2" embed --vocab 4 --dim 2 --position-table t.npy
	declines "position -1 at index 1 is out of range: --add has 3 rows, 0 to 2" embed --vocab 2 --dim 2 --add t.npy --positions 0,-1
	declines "--add must be [positions, 2], not [3, 3]" embed --vocab 2 --dim 2 --add u.npy
	declines "--segment-table must be [segments, 2], not [3, 3]" embed --vocab 2 --dim 2 --segment-table u.npy
	declines "--gamma must have 2 numbers, not [3, 2]" embed --vocab 2 --dim 2 --layernorm --gamma t.npy
	declines "--beta must have 2 numbers, not [3, 3]" embed --vocab 2 --dim 2 --layernorm --beta u.npy
	declines "--positions must have a number for each of the 2 rows, not 3" embed --vocab 2 --dim 2 --positions 0,1,2 --add sinusoid
	declines "--positions must be from -2^53 to 2^53, not 1e+17" embed --vocab 1 --dim 2 --positions 1e17 --add sinusoid
}

@test "embed's options that don't agree" {
	table t.npy 3 2
	declines "--positions and --past exclude each other" embed --vocab 2 --dim 2 --positions 0,1 --past 1 --add sinusoid
	declines "--positions needs --position-table or --add" embed --vocab 2 --dim 2 --positions 0,1
	declines "--past needs --position-table or --add" embed --vocab 2 --dim 2 --past 1
	declines "--segments needs --segment-table" embed --vocab 2 --dim 2 --segments 0,1
	declines "--gamma needs --layernorm" embed --vocab 2 --dim 2 --gamma t.npy
	declines "--multiplier must be sqrt-dim or a number within 1e30, not 'sqrt'" embed --vocab 2 --dim 2 --multiplier sqrt
	declines "--batch must divide the 3 rows, not be 2" embed --vocab 3 --dim 2 --batch 2
	declines "--table of 2 planes is taken whole: leave out --ids, --len and --batch" embed --table "$golden/embed.learned_add.01.X.npy" --ids 0
	declines "--ids LIST is missing for --out positions" embed --out positions --padding-idx 1
	declines "--out positions needs --padding-idx I, from 0 on" embed --out positions --ids 1
	declines "--dim is not for --out positions" embed --out positions --ids 1 --padding-idx 1 --dim 4
	declines "--ids must be whole numbers, not 1.5 (index 0)" embed --out positions --ids 1.5 --padding-idx 1
}
