# Attention beside PyTorch and NumPy; worked values and refusals are in transcripts/attend.txt
# and transcripts/mask.txt.

bats_require_minimum_version 1.5.0
load common

setup_file() {
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
	oracle="$PWD/tests/attend.py"
	empty_folder
	cp "$BATS_FILE_TMPDIR"/*.npy .
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
	[ "$("$posenc" attend x.npy --heads 2 --scheme relative --table-k labels.npy)" = \
		"$("$posenc" attend x.npy --heads 2 --scheme relative --table-k labels.npy --clip 2)" ]
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
	for words in abc.csv "abc.csv --heads 2 --mask full" "long.npy" "eye.npy --select 0:1" \
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
for name, order in (("rotation_difference", [1, 2, 3, 4, 5, 0]), ("swap_difference", [1, 0, 2, 3, 4, 5])):
    assert abs(found[name] - abs(values(order) - plain[order]).max()) < 1e-12
assert found["largest_output"] == abs(plain).max() and found["permuted"] is False and found["rows"] == 6
PY
}
