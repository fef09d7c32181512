# The kinds of relative positions: worked numbers, identities, refusals.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	python=$(tests/python)
	golden="$PWD/tests/golden/data"
	empty_folder
}

# says TEXT WORDS...: standard output, with slashes between the lines.
says() {
	local text=$1
	shift
	run --separate-stderr "$posenc" relative "$@"
	[ "$status" -eq 0 ]
	[ "${output//$'\n'//}" = "$text" ] || echo "said: $output" >&2
	[ "${output//$'\n'//}" = "$text" ]
}

@test "the row that --help works out" {
	run "$posenc" relative --help
	[[ "$output" == *"--len 5 --clip 2 has the first row"*"2 3 4 4 4."* ]]
	says "2,3,4,4,4" --len 5 --clip 2 --rows 0:1
}

@test "fewer queries than keys are the last, or the first" {
	says "-2,-1,0,1/-3,-2,-1,0" --query-len 2 --key-len 4
	says "0,1,2,3/-1,0,1,2" --query-len 2 --key-len 4 --align start
	says "2,1,0,-1/3,2,1,0" --query-len 2 --key-len 4 --sign query-key
	says "0,0/0,0" --len 2 --clip 0
	says "0,-1,-2,-3/1,0,-1,-2" --query-len 2 --key-len 4 --kind deberta
	says "2,1,0,-1/3,2,1,0" --query-len 2 --key-len 4 --kind xl
}

@test "DeBERTa's delta has 2K labels" {
	says "2,1,0,0,0/3,2,1,0,0/3,3,2,1,0/3,3,3,2,1/3,3,3,3,2" --kind deberta --len 5 --clip 2
}

@test "DeBERTa's logarithms, worked numbers" {
	local pair
	for pair in 128:128 129:129 131:131 132:131 200:169 256:192 300:207 400:233 500:254 510:255 511:255; do
		says "${pair#*:}" --kind deberta --buckets 256 --max-position 512 --distances "${pair%:*}:${pair%:*}"
		says "-${pair#*:}" --kind deberta --buckets 256 --max-position 512 --distances "-${pair%:*}:-${pair%:*}"
	done
	says "1,1,1,1" --kind deberta --buckets 2 --max-position 3 --distances 1:4
	# Exact powers end a step: 4 (9 / 4)^(c / 3) is 4, 9, 20.25 at c = 0, 3, 6
	says "4,5,6,7,7,7" --kind deberta --buckets 8 --max-position 10 --distances 4:9
	says "10,11" --kind deberta --buckets 8 --max-position 10 --distances 20:21
}

@test "DeBERTa's labels are buckets, cut to 2B" {
	run "$posenc" relative --kind deberta --buckets 8 --max-position 16 --out labels --distances -16:16
	[ "$output" = "0,1,1,1,1,1,1,2,2,2,3,3,4,5,6,7,8,9,10,11,12,13,13,14,14,14,15,15,15,15,15,15,15" ]
}

@test "DeBERTa's buckets beside the formula, distances 0 to 2000" {
	"$python" - "$posenc" <<'PY'
import math, subprocess, sys
for buckets, most in (256, 512), (32, 128), (64, 1000), (7, 90), (128, 512), (10, 7), (33, 40):
    row = subprocess.run([sys.argv[1], "relative", "--kind", "deberta", "--buckets", str(buckets),
                          "--max-position", str(most), "--distances", "0:2000"],
                         capture_output=True, text=True).stdout.split(",")
    m = buckets // 2
    for n, ours in enumerate(map(int, row)):
        if n <= m:
            assert ours == n
            continue
        # in integers: the least c with (n / m)^(m - 1) <= ((most - 1) / m)^c
        c = ours - m
        reaches = lambda c: (most - 1) ** c * m ** (m - 1) >= n ** (m - 1) * m ** c
        assert reaches(c) and not reaches(c - 1), (buckets, most, n, ours)
PY
}

@test "Swin's windows" {
	says "4,3,1,0/5,4,2,1/7,6,4,3/8,7,5,4" --kind swin --window 2x2
	says "4,5,7,8/3,4,6,7/1,2,4,5/0,1,3,4" --kind swin --window 2x2 --sign key-query
	says "11,9,9,9,9/10,4,3,1,0/10,5,4,2,1/10,7,6,4,3/10,8,7,5,4" --kind swin --window 2x2 --cls
	says "7,6,5,2,1,0/8,7,6,3,2,1/9,8,7,4,3,2/12,11,10,7,6,5/13,12,11,8,7,6/14,13,12,9,8,7" --kind swin --window 2x3
	says "-1.0566417,-1.0566417/-1.0566417,0/-1.0566417,1.0566417//0,-1.0566417/0,0/0,1.0566417//1.0566417,-1.0566417/1.0566417,0/1.0566417,1.0566417" --kind swin --window 2x2 --out logcoords
}

@test "vectors are the labels' rows" {
	"$python" - "$posenc" <<'PY'
import io, subprocess, sys
import numpy as np
def made(*words):
    out = subprocess.run([sys.argv[1], *words, "--npy", "-"], capture_output=True, check=True).stdout
    return np.load(io.BytesIO(out))
for words, labels in ((["--kind", "swin", "--window", "3x2"], 15), (["--kind", "swin", "--window", "3x2", "--cls"], 18),
                      (["--kind", "deberta", "--query-len", "3", "--key-len", "7", "--clip", "4"], 8),
                      (["--query-len", "3", "--key-len", "7", "--clip", "4"], 9),
                      (["--clip", "4", "--distances", "-6:6"], 9),
                      (["--kind", "deberta", "--buckets", "6", "--max-position", "9", "--len", "12"], 12)):
    table = made("embed", "--len", str(labels), "--dim", "3")
    np.save("table.npy", table)
    label = made("relative", *words, "--out", "labels")
    vectors = made("relative", *words, "--table", "table.npy")
    assert vectors.shape == label.shape + (3,) and (vectors == table[label]).all(), words
# Transformer-XL: R of i - j
vectors = made("relative", "--kind", "xl", "--query-len", "3", "--key-len", "5", "--dim", "6", "--out", "vectors", "--clip", "3")
distances = made("relative", "--kind", "xl", "--query-len", "3", "--key-len", "5", "--clip", "3")
sinusoids = made("sinusoid", "--layout", "split", "--dim", "6", "--start", "-3", "--len", "7")
assert (vectors == sinusoids[distances + 3]).all()
R = made("relative", "--kind", "xl", "--len", "5", "--dim", "6", "--out", "sinusoids", "--clip", "3")
assert (R == sinusoids[np.minimum(np.arange(4, -1, -1), 3) + 3]).all()
PY
}

@test "options that are not for the kind, or don't agree" {
	declines "--buckets is not for --kind shaw" relative --kind shaw --len 4 --buckets 8
	declines "--window is not for --kind xl" relative --len 4 --kind xl --window 2x2
	declines "--clip is not for --kind swin" relative --kind swin --window 2x2 --clip 2
	declines "--dim is not for --kind deberta" relative --kind deberta --len 4 --dim 4
	declines "--causal is not for --kind xl" relative --kind xl --len 4 --causal
	declines "--distances is not for --kind swin" relative --kind swin --distances 0:4
	declines "--out logcoords is not for --kind shaw" relative --len 4 --out logcoords
	declines "--out labels is not for --kind xl" relative --len 4 --kind xl --out labels
	declines "--out distances is not for --kind swin" relative --kind swin --window 2x2 --out distances
	declines "--kind has no 'debreta' (did you mean 'deberta'?); it takes shaw, deberta, swin, xl or xlnet" relative --len 4 --kind debreta
	declines "--distances is in place of --len, --query-len and --key-len" relative --len 4 --distances 0:4
	declines "--distances must be A:B with A not above B, within 2^52, not 4:0" relative --distances 4:0
	declines "--distances must be A:B with A not above B, within 2^52, not 4:" relative --distances 4:
}

@test "DeBERTa's refusals" {
	declines "--buckets B and --max-position M go together" relative --kind deberta --len 4 --buckets 8
	declines "--buckets B and --max-position M go together" relative --kind deberta --len 4 --max-position 8
	declines "--max-position must be at least 6 for --buckets 8, not 5" relative --kind deberta --len 4 --buckets 8 --max-position 5
	declines "--max-position 32770 so near to half of --buckets makes more than 65536 buckets" relative --kind deberta --query-len 1 --key-len 40000 --buckets 65536 --max-position 32770
	declines "--buckets must be from 2 to 65536, not 65537" relative --kind deberta --len 4 --buckets 65537
	declines "--clip must be at least 1 with --kind deberta, not 0" relative --kind deberta --len 4 --clip 0
	declines "--out labels needs --clip K (or --buckets B)" relative --kind deberta --len 4 --out labels
	declines "--table must have 2K rows for --clip K, not 5" relative --kind deberta --len 4 --table "$golden/relative.shaw_lookup.01.table.npy"
	declines "--table must be [6, dim], a row for each label, not [5, 4]" relative --kind deberta --len 4 --clip 3 --table "$golden/relative.shaw_lookup.01.table.npy"
}

@test "Swin's and Transformer-XL's refusals" {
	declines "--len is not for --kind swin: --window HxW has the size" relative --kind swin --window 2x2 --len 4
	declines "--window HxW is missing" relative --kind swin
	local bad
	for bad in 2 2x 0x2 2x4097 2x2x2 ax2 -1x2 ' 2x2'; do
		declines "--window must be HxW, each from 1 to 4096, not '$bad'" relative --kind swin "--window=$bad"
	done
	declines "--window must be at least 2x2 for --out logcoords, not 1x5" relative --kind swin --window 1x5 --out logcoords
	declines "--pretrained must be at least 2x2 for --out logcoords, not 1x5" relative --kind swin --window 2x5 --out logcoords --pretrained 1x5
	declines "--pretrained is for --out logcoords" relative --kind swin --window 2x5 --pretrained 2x2
	declines "--cls is not for --out logcoords" relative --kind swin --window 2x5 --cls --out logcoords
	declines "--table must be [9, dim], a row for each label, not [5, 4]" relative --kind swin --window 2x2 --table "$golden/relative.shaw_lookup.01.table.npy"
	declines "--dim D is missing" relative --kind xl --len 4 --out sinusoids
	declines "--dim must be even, not 7" relative --kind xl --len 4 --out vectors --dim 7
	declines "--dim is for --out vectors or sinusoids" relative --kind xl --len 4 --dim 8
	declines "--causal is for --out sinusoids" relative --kind xlnet --len 4 --causal
}
