# Masks, and attention with schemes of positions.

bats_require_minimum_version 1.5.0
load common

setup_file() {
	python=$(tests/python)
	export python
	"$python" - "$BATS_FILE_TMPDIR" <<'PY'
import os
import sys
import numpy as np

os.chdir(sys.argv[1])
draw = np.random.default_rng(7).standard_normal

np.save("eye.npy", np.eye(2))
for name, shape in {"x": (6, 8), "three": (3, 8), "odd": (4, 3), "w": (8, 8), "out": (8, 5), "narrow": (5, 8),
                    "labels": (5, 4), "even": (4, 4), "biases": (32, 2), "few": (8, 2), "planes": (2, 6, 4)}.items():
    np.save(name + ".npy", draw(shape))
np.save("nan.npy", np.where(np.arange(12).reshape(3, 4) == 6, np.nan, 1))
np.save("huge.npy", np.full((2, 2), 1e40))
np.save("long.npy", draw((300, 64)))
PY
}

setup() {
	posenc="$PWD/${B:-build}/posenc"
	oracle="$PWD/tests/attend.py"
	empty_folder
	cp "$BATS_FILE_TMPDIR"/*.npy .
}

# is LINES WORDS...: what a command says, its lines parted by blanks.
is() {
	local lines=$1 said
	shift
	said=$("$posenc" "$@" | paste -sd' ')
	[ "$said" = "$lines" ] || echo "said: $said" >&2
	[ "$said" = "$lines" ]
}

@test "masks of every kind" {
	is "1,0,0 1,1,0 1,1,1" mask --len 3
	is "1,1 1,1" mask --len 2 --kind full
	is "1,1,0 1,1,0 1,1,1" mask --len 3 --kind prefix:2
	is "1,0 1,1" mask --len 2 --kind prefix:0
	is "1,0,0,0 1,1,0,0 0,1,1,0 0,0,1,1" mask --len 4 --kind window:2
	is "1,0 0,1" mask --len 2 --kind window:1
	is "1,1,0 1,1,0 0,0,1" mask --kind segments --segments 4,4,-0.5
	is "0,-inf 0,0" mask --len 2 --values ninf
	is "0,0,1,1" mask --len 4 --kind window:2 --rows 3:4
	[ "$("$posenc" mask --len 2 --values ninf --json - | sed -n 2p)" = "[0,null]," ]
	[ "$("$posenc" mask --len 2 --json - | grep -o int32)" = int32 ]
}

@test "fewer queries than keys are the last" {
	is "1,1,1,1,0 1,1,1,1,1" mask --query-len 2 --key-len 5
	is "0,0,1,1,0 0,0,0,1,1" mask --query-len 2 --key-len 5 --kind window:2
	is "1,1,1 1,1,1" mask --query-len 2 --key-len 3 --kind prefix:3
	is "0,0,1,1,0" mask --query-len 2 --key-len 5 --segments 0,0,1,1,2 --rows 0:1
	is "0 1" mask --query-len 2 --key-len 1
}

@test "segments hide others under any kind" {
	is "1,0,0,0 1,1,0,0 0,0,1,0 0,0,1,1" mask --segments 0,0,1,1
	is "1,1,0 1,1,0 0,0,1" mask --kind prefix:3 --segments 0,0,1
	is "1,0,0 0,1,0 0,1,1" mask --kind window:2 --segments 0,1,1
}

@test "mask: refusals" {
	declines "--len N is missing (or --query-len Q and --key-len K)" mask
	declines "--kind has no 'casual' (did you mean 'causal'?); it takes causal, full, prefix:K, window:W or segments" mask --len 2 --kind casual
	declines "--kind must be window:W, not 'window'" mask --len 2 --kind window
	declines "window:W must have a whole number from 1 on, not 0" mask --len 2 --kind window:0
	declines "window:W must have a whole number from 1 on, not 1.5" mask --len 2 --kind window:1.5
	declines "prefix:K must have a whole number from 0 on, not -1" mask --len 2 --kind prefix:-1
	declines "segments must be given by --segments LIST" mask --len 2 --kind segments
	declines "--segments must have a number for each of 3 keys, not 2" mask --len 3 --segments 1,2
	declines "--segments has none for the first of 3 queries of 2 keys" mask --query-len 3 --key-len 2 --segments 1,2
	declines "--values must be 01 or ninf, not 'bool'" mask --len 2 --values bool
	declines "int8 cannot hold -inf (row 0, column 1): choose another --dtype" mask --len 2 --values ninf --dtype i8
}

@test "figures of masks have two colours" {
	# colours FILE: of its pixels
	colours() {
		"$python" -c 'import sys
from PIL import Image
i = Image.open(sys.argv[1]).convert("RGB")
print(*("%02x%02x%02x" % i.getpixel((x, y)) for y in range(i.height) for x in range(i.width)))' "$1"
	}
	"$python" -c 'import PIL' || skip "Pillow is not installed"
	"$posenc" mask --len 2 --plain --png m.png
	set -- $(colours m.png)
	[ "$1" = "$3" ] && [ "$1" = "$4" ] && [ "$1" != "$2" ]
	"$posenc" mask --len 2 --values ninf --plain --png m.png
	set -- $(colours m.png)
	[ "$1" = "$3" ] && [ "$1" = "$4" ] && [ "$2" = d6d6d6 ]
	"$posenc" mask --len 2 --values ninf --svg m.svg
	[ "$(grep -c '>−inf<' m.svg)" -eq 1 ]
	[ "$(grep -c '>NaN<' m.svg)" -eq 0 ]
}

@test "the weights that --help works out" {
	is "0.66976154,0.33023846 0.33023846,0.66976154" attend eye.npy
	is "0.70710677,0 0,0.70710677" attend eye.npy --out logits
	is "1,0 0,1" attend eye.npy --out logits --unscaled
	is "0.70710677,-inf 0,0.70710677" attend eye.npy --out logits --mask causal
	is "1,0 0.33023846,0.66976154" attend eye.npy --mask causal
}

@test "what PyTorch computes, as it was stored: within 1e-12" {
	run "$python" "$oracle" stored "$posenc"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == "17 cases, "* ]]
}

@test "what PyTorch computes now: within 1e-12" {
	[ -n "${LIVE:-}" ] || skip "LIVE=1 compares with python3-torch, too"
	/usr/bin/python3 -c 'import torch' 2>/dev/null || skip "python3-torch is not installed"
	/usr/bin/python3 "$oracle" torch "$posenc"
}

@test "shapes: heads, queries and keys; or queries and columns" {
	# shape SHAPE WORDS...
	shape() {
		local shape=$1
		shift
		"$posenc" attend "$@" --json - | grep -qF "\"shape\":[$shape]"
	}
	shape 1,6,6 x.npy
	shape 4,6,6 x.npy --heads 4 --out logits
	shape 6,8 x.npy --heads 4 --out values
	shape 6,5 x.npy --wq w.npy --wk w.npy --wv w.npy --wo out.npy --out values
	shape 1,3,6 --q three.npy --k x.npy
	shape 3,8 --q three.npy --k x.npy --v x.npy --heads 2 --out values
	shape 2,6,6 --q planes.npy --k planes.npy
	shape 6,8 --q planes.npy --k planes.npy --v planes.npy --out values
	shape 1,2,3 planes.npy --head 1 --select 0:2 --mask full --q planes.npy 2>/dev/null && return 1
	shape 1,2,2 planes.npy --head 1 --select 0:2
}

@test "weights add up to 1, and are the same however they are made" {
	for words in "--heads 4" "--heads 2 --scheme rope --mask window:9" "--scheme sinusoid --start 3 --step 0.5 --base 50"; do
		# shellcheck disable=SC2086
		"$posenc" attend long.npy $words --dtype f64 --npy w.npy --raw w.raw
		"$python" -c "import numpy as np; w = np.load('w.npy'); assert abs(w.sum(-1) - 1).max() < 1e-15 and w.min() >= 0"
		for without in -AVX512F -AVX512F,-AVX2,-FMA; do
			# shellcheck disable=SC2086
			GLIBC_TUNABLES=glibc.cpu.hwcaps=$without "$posenc" attend long.npy $words --dtype f64 --threads 1 --raw - | cmp - w.raw
		done
		# shellcheck disable=SC2086
		{ "$posenc" attend long.npy $words --dtype f64 --rows 0:7 --raw -; "$posenc" attend long.npy $words --dtype f64 --rows 7: --raw -; } | cmp - w.raw
	done
	"$posenc" sinusoid --len 2 --dim 2 --amp 1e9 --npy far.npy
	"$posenc" attend far.npy --dtype f64 >/dev/null  # logits of 1e18
}

@test "schemes are those of their commands" {
	# logits WORDS...: of --q three.npy --k x.npy
	logits() { "$posenc" attend --q three.npy --k x.npy --heads 2 --out logits --dtype f64 --npy - "$@" >"$name.npy"; }
	name=none; logits
	name=alibi; logits --scheme alibi --form row --bias-max 4
	name=t5; logits --scheme t5 --table few.npy --num-buckets 8 --max-distance 9 --bidirectional
	"$posenc" alibi --heads 2 --query-len 3 --key-len 6 --form row --bias-max 4 --dtype f64 --npy alibi-bias.npy
	"$posenc" t5-bucket --query-len 3 --key-len 6 --past 3 --table few.npy --num-buckets 8 --max-distance 9 --dtype f64 --npy t5-bias.npy
	"$python" - <<'PY'
import numpy as np
for name in "alibi", "t5":
    a, b, c = (np.load(f) for f in ("none.npy", name + ".npy", name + "-bias.npy"))
    assert abs(b - a - c).max() < 1e-14 and abs(c).max() > 0.1, name
PY
	"$posenc" attend x.npy --scheme rope --rotary-dim 4 --base 99 --pairs interleaved --scaling linear:2 --start 5 --step 2 --npy a.npy
	"$posenc" rope --apply x.npy --rotary-dim 4 --base 99 --pairs interleaved --scaling linear:2 --start 5 --step 2 --dtype f64 --npy r.npy
	"$posenc" attend r.npy --npy b.npy
	"$posenc" compare a.npy b.npy --atol 1e-6
	"$posenc" sinusoid --len 6 --dim 8 --layout split --denom half-1 --first cos --dtype f64 --npy p.npy
	"$python" -c 'import numpy as np; np.save("sum.npy", np.load("x.npy") + np.load("p.npy"))'
	"$posenc" attend x.npy --scheme sinusoid --layout split --denom half-1 --first cos --npy a.npy
	"$posenc" attend sum.npy --npy b.npy
	"$posenc" compare a.npy b.npy
	# Shaw's labels are clipped at what the tables have room for
	is "$("$posenc" attend x.npy --heads 2 --scheme relative --table-k labels.npy | paste -sd' ')" \
		attend x.npy --heads 2 --scheme relative --table-k labels.npy --clip 2
	[ "$("$posenc" attend x.npy --heads 2 --scheme relative --table-v labels.npy)" = "$("$posenc" attend x.npy --heads 2)" ]
}

@test "a query alone sees what the last of all sees" {
	"$python" -c 'import numpy as np; np.save("last.npy", np.load("x.npy")[5:])'
	for words in "" "--scheme rope" "--scheme alibi" "--scheme t5 --table biases.npy" "--scheme relative --table-k labels.npy --table-v labels.npy"; do
		for out in weights values; do
			# shellcheck disable=SC2086
			"$posenc" attend x.npy --heads 2 --mask causal --out $out $words | sed -n '6p;13p' >whole
			# shellcheck disable=SC2086
			"$posenc" attend --q last.npy --k x.npy --v x.npy --heads 2 --mask causal --out $out $words | grep . >alone
			cmp whole alone
		done
	done
}

@test "words label queries and keys" {
	"$posenc" attend eye.npy --words "Susan loves" --header --svg w.svg --csv w.csv
	[ "$(head -1 w.csv)" = ,Susan,loves ]
	[ "$(sed -n 3p w.csv)" = loves,0.33023846,0.66976154 ]
	[ "$(grep -c '>Susan<' w.svg)" -eq 2 ]
	is "0.66976154,0.33023846 0.33023846,0.66976154" embed --table w.csv
	"$posenc" attend eye.npy --words 'a,b "c"' --header --csv w.csv
	[ "$(cut -c1-12 w.csv | paste -sd' ')" = ',"a,b","""c" "a,b",0.6697 """c""",0.33' ]
	is "0.66976154,0.33023846 0.33023846,0.66976154" embed --table w.csv
	[ "$("$posenc" attend eye.npy --out values --words "a b" --header | cut -c1-3 | paste -sd' ')" = ",0, a,0 b,0" ]
	[ "$("$posenc" attend --q three.npy --k x.npy --words "a b c" --header | sed -n 1p)" = ,0,1,2,3,4,5 ]
	[ "$("$posenc" attend x.npy --rows 2:4 --words "c d" --header | cut -c1 | paste -sd' ')" = ", c d" ]
	declines "--words must label each of 2 positions, not 1" attend eye.npy --words a --header
}

@test "heads are panels; one head needs no name" {
	"$posenc" attend x.npy --heads 2 --svg two.svg
	[ "$(grep -c '>head [01]<' two.svg)" -eq 2 ]
	"$posenc" attend x.npy --mask causal --out logits --svg one.svg
	[ "$(grep -c '>head 0<' one.svg)" -eq 0 ]
	grep -q '>−inf<' one.svg
}

@test "the command in a file makes it again" {
	"$posenc" attend x.npy --heads 2 --wq w.npy --scheme rope --mask window:2 --segments 0,0,1,1,1,1 --start 2 --svg one.svg
	command=$(sed -n 's|.*<metadata>\(.*\)</metadata>.*|\1|p' one.svg)
	[ "$command" = "posenc attend x.npy --heads 2 --wq w.npy --scheme rope --mask window:2 --segments 0,0,1,1,1,1 --start 2" ]
	eval "\"\$posenc\" ${command#posenc } --svg two.svg"
	cmp one.svg two.svg
}

@test "without a scheme outputs are permuted as inputs are" {
	"$posenc" embed --vocab 3 --dim 4 --seed 1 --csv abc.csv
	run "$posenc" attend abc.csv --check permutation
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "outputs are permuted as inputs are: (a, b, c) to (b, c, a) and to (b, a, c)" ]
	for words in "abc.csv --heads 2 --mask full" "long.npy" "eye.npy --select 0:1" \
		"--q x.npy --k x.npy --v x.npy --wq w.npy --wo out.npy --check permutation" "x.npy --out values"; do
		# shellcheck disable=SC2086
		"$posenc" attend $words --check permutation
	done
}

@test "with a scheme or a mask they are not, and the report says by how much" {
	for words in "sinusoid" "relative --table-k labels.npy" "t5 --table biases.npy" "alibi" "rope" "none --mask causal" "none --mask segments --segments 0,0,0,1,1,1"; do
		# shellcheck disable=SC2086
		run "$posenc" attend x.npy --heads 2 --scheme $words --check permutation
		[ "$status" -eq 1 ]
		[[ "${lines[0]}" =~ ^"outputs are not permuted as inputs are: "[0-9.]+" apart at most, where the largest is "[0-9.]+$ ]]
	done
	run -1 "$posenc" attend x.npy --heads 2 --scheme alibi --check permutation --json r.json
	"$python" - "$posenc" <<'PY'
import json
import subprocess
import sys
import numpy as np
found = json.load(open("r.json"))["permutation"]
x = np.load("x.npy")
def values(order):
    np.save("y.npy", x[order])
    subprocess.run([sys.argv[1], *"attend y.npy --heads 2 --scheme alibi --out values --dtype f64 --npy z.npy".split()], check=True)
    return np.load("z.npy")
plain = values(slice(None))
for name, order in (("turned_apart", [1, 2, 3, 4, 5, 0]), ("exchanged_apart", [1, 0, 2, 3, 4, 5])):
    assert abs(found[name] - abs(values(order) - plain[order]).max()) < 1e-12
assert found["largest_output"] == abs(plain).max() and found["permuted"] is False and found["rows"] == 6
PY
}

@test "attend: tables that are missing or too many" {
	declines "a TABLE is missing (or --q FILE and --k FILE)" attend
	declines "a TABLE is missing (or --q FILE and --k FILE)" attend --q x.npy
	declines "a TABLE is missing (or --q FILE and --k FILE)" attend --k x.npy
	declines "TABLE takes the place of --q, --k and --v" attend x.npy --v x.npy
	declines "'x.npy' is one table too many" attend x.npy x.npy
	declines "values are made of --v FILE, which is missing" attend --q x.npy --k x.npy --out values
	declines "values are made of --v FILE, which is missing" attend --q x.npy --k x.npy --check permutation
	declines "--select is for a TABLE, and there is none" attend --q x.npy --k x.npy --select 0:2
	declines "--head is for a TABLE, and there is none" attend --q planes.npy --k planes.npy --head 1
}

@test "attend: shapes that don't fit, both of them" {
	declines "TABLE has 2 planes: --head H picks one" attend planes.npy
	declines "TABLE [6, 8] times --wq [5, 8] is no product" attend x.npy --wq narrow.npy
	declines "--q [2, 6, 4] times --wq [8, 8] is no product" attend --q planes.npy --k planes.npy --wq w.npy
	declines "values [6, 8] times --wo [5, 8] is no product" attend x.npy --wo narrow.npy --out values
	declines "--heads must divide the 8 columns of TABLE, not be 3" attend x.npy --heads 3
	declines "--heads must divide the 5 columns of --wk, not be 2" attend x.npy --wk out.npy --heads 2
	declines "--q [2, 6, 4] has a plane for each of 2 heads, not of --heads 3" attend --q planes.npy --k planes.npy --heads 3
	declines "queries of 8 numbers have no product with keys of 3 (--q [6, 8] and --k [4, 3])" attend --q x.npy --k odd.npy
	declines "queries of 8 numbers have no product with keys of 5 (TABLE [6, 8] and --wk [8, 5])" attend x.npy --wk out.npy
	declines "--v [3, 8] must have a row for each of --k [6, 8]" attend --q x.npy --k x.npy --v three.npy
	declines "--check permutation needs a query for each key, not 3 and 6" attend --q three.npy --k x.npy --v x.npy --check permutation
	declines "--table [32, 2] must have a column for each of 4 heads" attend x.npy --heads 4 --scheme t5 --table biases.npy
	declines "--table must be [32, heads] for --num-buckets 32, not [8, 2]" attend x.npy --heads 2 --scheme t5 --table few.npy
	declines "--table-k must be [5, 8], 2K + 1 labels of a head's numbers, not [5, 4]" attend x.npy --scheme relative --table-k labels.npy
	declines "--table-v must be [3, 4], 2K + 1 labels of a head's numbers, not [5, 4]" attend x.npy --heads 2 --clip 1 --scheme relative --table-v labels.npy
	declines "--table-k must be [5, 4], 2K + 1 labels of a head's numbers, not [4, 4]" attend x.npy --heads 2 --scheme relative --table-k even.npy
}

@test "attend: numbers that have no products" {
	declines "row 1, column 2 of TABLE is nan, which is not finite" attend nan.npy
	declines "row 0, column 0 of TABLE is 1e+40, which is too large" attend huge.npy
	declines "row 1, column 2 of --k is nan, which is not finite" attend --q odd.npy --k nan.npy
	declines "row 0, column 0 of --wq is 1e+40, which is too large" attend eye.npy --wq huge.npy
}

@test "attend: options of schemes" {
	declines "--scheme has no 'ropes' (did you mean 'rope'?); it takes none, sinusoid, relative, t5, alibi or rope" attend x.npy --scheme ropes
	declines "--clip is not for --scheme none" attend x.npy --clip 2
	declines "--bias-max is not for --scheme rope" attend x.npy --scheme rope --bias-max 4
	declines "--table-k is not for --scheme t5" attend x.npy --scheme t5 --table-k labels.npy --heads 2 --table biases.npy
	declines "--start is not for --scheme alibi" attend x.npy --scheme alibi --start 4
	declines "--scheme sinusoid is added to TABLE, not to --q and --k" attend --q x.npy --k x.npy --scheme sinusoid
	declines "--scheme t5 needs --table FILE, [buckets, heads]" attend x.npy --scheme t5
	declines "--scheme t5 has its queries among the keys: 6 are more than 3" attend --q x.npy --k three.npy --heads 2 --scheme t5 --table biases.npy
	declines "--scheme relative needs --table-k FILE or --table-v FILE" attend x.npy --scheme relative
	declines "--scheme rope turns pairs, and a head of queries has 3 numbers" attend odd.npy --scheme rope
	declines "--rotary-dim must be even and at most --dim 8, not 10" attend x.npy --scheme rope --rotary-dim 10
	declines "--pairs must be half or interleaved, not 'both'" attend x.npy --scheme rope --pairs both
	declines "--base must be a number from 1e-300 to 1e+300, not 'ten'" attend x.npy --scheme sinusoid --base ten
	declines "--num-buckets must be from 2 to 4096, not 1" attend x.npy --heads 2 --scheme t5 --table biases.npy --num-buckets 1
}

@test "attend: masks and reports" {
	declines "--mask has no 'casual' (did you mean 'causal'?); it takes causal, full, prefix:K, window:W or segments" attend x.npy --mask casual
	declines "window:W must have a whole number from 1 on, not 0.5" attend x.npy --mask window:0.5
	declines "segments must be given by --segments LIST" attend x.npy --mask segments
	declines "--segments must have a number for each of 6 keys, not 2" attend x.npy --segments 1,2
	declines "--mask hides all of 3 keys from query 0 of 6" attend --q x.npy --k three.npy --mask causal
	declines "--check permutation is of --out values" attend x.npy --check permutation --out logits
	declines "--check must be permutation, not 'order'" attend x.npy --check order
	declines "--dry-run is for tables; a report is small" attend x.npy --check permutation --dry-run
	declines "--csv holds tables; a report goes to --json FILE" attend x.npy --check permutation --csv -
}
