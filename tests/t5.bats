# Where float32 arithmetic puts a distance into another bucket, a note says so.

bats_require_minimum_version 1.5.0

setup() {
	posenc="$PWD/${B:-build}/posenc"
	cd "$BATS_TEST_TMPDIR"
}

# notes NOTE WORDS...: status 0, and this on standard error.
notes() {
	local note=$1
	shift
	run --separate-stderr "$posenc" t5-bucket "$@"
	[ "$status" -eq 0 ]
	[ "$stderr" = "$note" ] || echo "said: $stderr" >&2
	[ "$stderr" = "$note" ]
}

@test "the row that --help works out" {
	run "$posenc" t5-bucket --help
	[[ "$output" == *"-8:8 has 8 7 6 5 4 3 2 1 0 17 18 19 20 21 22 23 24."* ]]
	run "$posenc" t5-bucket --distances -8:8
	[ "$output" = "8,7,6,5,4,3,2,1,0,17,18,19,20,21,22,23,24" ]
}

@test "a note where the arithmetics part" {
	local one="posenc t5-bucket: distance 60 has bucket 54 exactly and 53 in torch's float32 (--emulate torch); distances that differ: 1"
	local odd=(--causal --num-buckets 72 --max-distance 100)
	notes "$one" "${odd[@]}" --distances -61:-59
	[ "$output" = "54,54,53" ]
	notes "$one" "${odd[@]}" --distances -61:-59 --emulate torch
	[ "$output" = "54,53,53" ]
	notes "$one" "${odd[@]}" --len 61
	notes "$one" "${odd[@]}" --query-len 1 --key-len 1 --past 60
	notes "$one" "${odd[@]}" --boundaries
	notes "$one" --num-buckets 144 --max-distance 100 --distances 1:500
	notes "posenc t5-bucket: distance 14 has bucket 3 exactly and 2 in torch's float32 (--emulate torch); distances that differ: 2" \
		--num-buckets 10 --max-distance 686 --query-len 3 --key-len 600
}

@test "no note where they agree, nor with --quiet" {
	local odd=(--causal --num-buckets 72 --max-distance 100)
	notes "" --len 600
	notes "" --len 600 --emulate torch
	notes "" "${odd[@]}" --len 60
	notes "" "${odd[@]}" --len 61 --quiet
	notes "" "${odd[@]}" --distances 1:500
	notes "" "${odd[@]}" --distances -59:0
	notes "" "${odd[@]}" --distances -500:-61
	notes "" --num-buckets 144 --max-distance 100 --distances 61:500
}
