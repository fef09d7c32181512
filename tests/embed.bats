# Drawn tables beside torch's and NumPy's; worked values are in transcripts/embed.txt.

bats_require_minimum_version 1.5.0
load common

setup() {
	drawn="$PWD/tests/drawn/drawn.py"
	B=$(realpath "${B:-build}")
	empty_folder
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
}

@test "a drawn table has zeros for padding" {
	"$posenc" embed --vocab 4 --dim 2 --csv plain.csv
	for i in 1 -3; do
		"$posenc" embed --vocab 4 --dim 2 --padding-idx $i >padded.csv
		sed '2s/.*/0,0/' plain.csv | cmp - padded.csv
	done
}
