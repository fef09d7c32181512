# Attention beside PyTorch and NumPy; worked values and refusals are in transcripts/attend.txt
# and transcripts/mask.txt.

load common

setup_file() {
	"$python" - "$BATS_FILE_TMPDIR" <<'PY'
import os
import sys
import numpy as np

os.chdir(sys.argv[1])
draw = np.random.default_rng(7).standard_normal

for name, shape in {"x": (6, 8), "three": (3, 8), "labels": (5, 4), "biases": (32, 2), "few": (8, 2),
                    "long": (300, 64)}.items():
    np.save(name + ".npy", draw(shape))
PY
}

setup() {
	oracle="$PWD/tests/attend.py"
	empty_folder
	cp "$BATS_FILE_TMPDIR"/*.npy .
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
