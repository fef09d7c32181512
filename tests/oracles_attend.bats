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
                    "long": (300, 64), "kr": (10, 8), "qr": (10, 8), "wr": (6, 8), "u": (2, 4), "v": (2, 4),
                    "w1": (5, 1), "b1": (5,), "w2": (2, 5), "b2": (2,)}.items():
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
	takes_long
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

@test "values of many keys are the products of weights, in parts, the same on every machine" {
	"$python" - <<-'PY'
		import numpy as np

		draw = np.random.default_rng(8).standard_normal
		for name, shape in {"q": (3, 50, 4), "k": (3, 1100, 4), "v": (3, 1100, 5), "tv": (7, 5), "tk": (7, 4)}.items():
		    np.save("many-" + name + ".npy", draw(shape))
	PY
	for words in "--heads 3" "--heads 3 --scheme relative --table-v many-tv.npy --table-k many-tk.npy"; do
		# shellcheck disable=SC2086
		values() { "$posenc" attend --q many-q.npy --k many-k.npy --v many-v.npy $words --dtype f64 "$@"; }
		values --npy w.npy
		values --out values --npy z.npy --raw z.raw
		"$python" - "$words" <<-'PY'
			import sys
			import numpy as np

			w, v, z = (np.load(f) for f in ("w.npy", "many-v.npy", "z.npy"))
			want = w @ v
			if "relative" in sys.argv[1]:
			    label = np.clip(np.arange(1100)[None] - np.arange(1050, 1100)[:, None], -3, 3) + 3
			    want += np.stack([[np.bincount(label[i], w[h, i], 7) @ np.load("many-tv.npy") for i in range(50)] for h in range(3)])
			assert abs(np.concatenate(want, 1) - z).max() < 1e-14, abs(np.concatenate(want, 1) - z).max()
		PY
		for without in -AVX512F -AVX512F,-AVX2,-FMA; do
			GLIBC_TUNABLES=glibc.cpu.hwcaps=$without values --out values --raw - | cmp - z.raw
		done
	done
}

@test "weights down to the least number are within 3 units in the last place" {
	"$python" - <<-'PY'
		import numpy as np

		np.save("one.npy", np.ones((1, 1)))
		np.save("far.npy", -np.array([0, 1e-9, 1, 36.7, 708, 709.5, 720, 743, 745.1, 746, 800, 1e9])[:, None])
	PY
	"$posenc" attend --q one.npy --k far.npy --dtype f64 --npy w.npy
	"$python" - <<-'PY'
		import numpy as np

		w, x = np.load("w.npy").ravel(), np.load("far.npy")[:, 0]
		want = np.exp(x.astype(np.longdouble))
		want /= want.sum()
		assert (abs(w - want) <= 3 * np.spacing(w)).all(), (w, want)
		assert w[7] > 0 and not w[9:].any()
	PY
}

@test "scaled and capped logits and sinks are as their models' code, the same on every machine" {
	"$python" -c 'import numpy as np; np.save("keys.npy", np.load("long.npy")[:, :8])'
	for words in "--qk-scale 0.3" "--softcap 0.7" "--softcap 50 --scheme alibi" "--qk-scale 2 --softcap 3 --sinks=0.7,-1.5 --mask window:4"; do
		for out in logits weights values; do
			[[ "$out $words" == logits*sinks* ]] && continue
			# shellcheck disable=SC2086
			attend() { "$posenc" attend --q three.npy --k keys.npy --v keys.npy --heads 2 --dtype f64 --out $out $words "$@"; }
			attend --npy "$out.npy" --raw made.raw
			for without in -AVX512F -AVX512F,-AVX2,-FMA; do
				GLIBC_TUNABLES=glibc.cpu.hwcaps=$without attend --raw - | cmp - made.raw
			done
		done
		"$python" - "$words" <<-'PY'
			import sys
			import numpy as np

			options = dict(zip(*[iter(sys.argv[1].replace("=", " ").split())] * 2))
			q, k = (np.load(f).reshape(-1, 2, 4).swapaxes(0, 1).astype(np.longdouble) for f in ("three.npy", "keys.npy"))
			logits = q @ k.swapaxes(1, 2) * np.longdouble(options.get("--qk-scale", 0.5))
			if "--softcap" in options:  # Gemma 2: before the mask; llama.cpp: before ALiBi
			    cap = np.longdouble(options["--softcap"])
			    logits = cap * np.tanh(logits / cap)
			distance = np.arange(300) - np.arange(297, 300)[:, None]
			if "--scheme" in options:
			    logits = logits - np.array([2. ** -4, 2. ** -8])[:, None, None] * abs(distance)
			if "--mask" in options:
			    logits = np.where((distance <= 0) & (distance > -4), logits, -np.inf)
			every = logits
			if "--sinks" in options:  # gpt-oss: a column more, dropped after the softmax
			    sinks = np.array([float(s) for s in options["--sinks"].split(",")])
			    every = np.concatenate([logits, np.broadcast_to(sinks[:, None, None], (2, 3, 1))], -1)
			weights = np.exp(every - every.max(-1, keepdims=True))
			weights = (weights / weights.sum(-1, keepdims=True))[..., :300]
			values = np.concatenate(weights @ k, 1)
			for name, want in ("logits", logits), ("weights", weights), ("values", values):
			    if (name, "--sinks" in options) != ("logits", True):
			        made = np.load(name + ".npy")
			        finite = np.isfinite(want)
			        assert (made[~finite] == want[~finite]).all(), name
			        assert abs(made - want)[finite].max() < 1e-14, (sys.argv, name, abs(made - want)[finite].max())
		PY
	done
}

@test "schemes are those of their commands" {
	# logits WORDS...: of --q three.npy --k x.npy
	logits() { "$posenc" attend --q three.npy --k x.npy --heads 2 --out logits --dtype f64 --npy - "$@" >"$name.npy"; }
	name=none; logits
	name=alibi; logits --scheme alibi --form row --bias-max 4
	name=t5; logits --scheme t5 --table few.npy --num-buckets 8 --max-distance 9 --bidirectional
	network=w1.npy,b1.npy,w2.npy,b2.npy
	name=log; logits --scheme kerple --r1 1.5,0.3 --r2 0.2,1
	name=power; logits --scheme kerple --kind power --r1 1.5,0.3 --r2 0.2,1 --form causal
	name=sandwich; logits --scheme sandwich --sandwich-dim 12 --base 50
	name=fire; logits --scheme fire --c 0.7 --threshold 3 --weights $network
	"$posenc" kerple --heads 2 --query-len 3 --key-len 6 --r1 1.5,0.3 --r2 0.2,1 --dtype f64 --npy log-bias.npy
	"$posenc" kerple --heads 2 --query-len 3 --key-len 6 --kind power --r1 1.5,0.3 --r2 0.2,1 --form causal --dtype f64 --npy power-bias.npy
	"$posenc" sandwich --heads 2 --query-len 3 --key-len 6 --dim 12 --base 50 --dtype f64 --npy sandwich-bias.npy
	"$posenc" fire --query-len 3 --key-len 6 --c 0.7 --threshold 3 --weights $network --dtype f64 --npy fire-bias.npy
	"$posenc" alibi --heads 2 --query-len 3 --key-len 6 --form row --bias-max 4 --dtype f64 --npy alibi-bias.npy
	"$posenc" t5-bucket --query-len 3 --key-len 6 --past 3 --table few.npy --num-buckets 8 --max-distance 9 --dtype f64 --npy t5-bias.npy
	"$python" - <<'PY'
import numpy as np
for name in "alibi", "t5", "log", "power", "sandwich", "fire":
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

@test "DeBERTa, Transformer-XL and RetNet are as their code, step by step" {
	attend() { name=$1; shift; "$posenc" attend --q three.npy --k x.npy --v x.npy --heads 2 --dtype f64 --npy "$name.npy" "$@"; }
	for out in logits values; do
		attend "both-$out" --scheme deberta --table-k kr.npy --table-q qr.npy --out $out
		attend "retnet-$out" --scheme retnet --out $out
	done
	attend c2p --scheme deberta --table-k kr.npy --out logits
	attend p2c --scheme deberta --table-q qr.npy --out logits
	attend unscaled --scheme deberta --table-q qr.npy --out logits --unscaled
	"$posenc" embed --vocab 8 --dim 8 --rng numpy --npy near.npy
	attend clip --scheme deberta --table-k near.npy --clip 4 --out logits
	attend buckets --scheme deberta --table-k near.npy --buckets 4 --max-position 6 --out logits
	attend xl --scheme transformer-xl --wr wr.npy --bias-u u.npy --bias-v v.npy --out logits
	attend xl-causal --scheme transformer-xl --wr wr.npy --bias-u u.npy --bias-v v.npy --mask causal --out logits
	attend xl-plain --scheme transformer-xl --clip 2 --out logits
	attend raw --scheme retnet --normalize none --mask window:2
	"$python" - <<'PY'
import numpy as np

def load(*names):
    return [np.load(name + ".npy").astype(float) for name in names]

def heads(x):
    return x.reshape(len(x), 2, 4).transpose(1, 0, 2)

def same(name, want):
    (got,) = load(name)
    assert got.shape == want.shape and abs(got - want).max() < 1e-12, name

x, three, kr, qr, near, wr, u, v = load("x", "three", "kr", "qr", "near", "wr", "u", "v")
q, k = heads(three), heads(x)
qk = q @ k.transpose(0, 2, 1)
i, j = np.arange(3)[:, None] + 3, np.arange(6)

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def joined(z):
    return z.transpose(1, 0, 2).reshape(3, 8)

# disentangled_att_bias() of microsoft/DeBERTa: gathers, and a transposed gather
def c2p(table, position):
    return np.take_along_axis(q @ heads(table).transpose(0, 2, 1), np.broadcast_to(position, (2, 3, 6)), -1)

def p2c(table, span):
    every = np.arange(6)
    position = np.clip(-(every[:, None] - every) + span, 0, 2 * span - 1)
    all = np.take_along_axis(k @ heads(table).transpose(0, 2, 1), np.broadcast_to(position, (2, 6, 6)), -1)
    return all.transpose(0, 2, 1)[:, 3:]

position = np.clip(i - j + 5, 0, 9)
both = (qk + c2p(kr, position) + p2c(qr, 5)) / np.sqrt(3 * 4)
same("both-logits", both)
same("both-values", joined(softmax(both) @ k))
same("c2p", (qk + c2p(kr, position)) / np.sqrt(2 * 4))
same("p2c", (qk + p2c(qr, 5)) / np.sqrt(2 * 4))
same("unscaled", qk + p2c(qr, 5))
same("clip", (qk + c2p(near, np.clip(i - j + 4, 0, 7))) / np.sqrt(2 * 4))
# make_log_bucket_position(), with its bounds: 4 buckets up to distance 6
r, mid = i - j, 2
far = np.ceil(np.log(np.maximum(abs(r), 1) / mid) / np.log((6 - 1) / mid) * (mid - 1)) + mid
bucket = np.where(abs(r) <= mid, r, np.sign(r) * far).astype(int)
same("buckets", (qk + c2p(near, np.clip(bucket + 4, 0, 7))) / np.sqrt(2 * 4))

# RelPartialLearnableMultiHeadAttn of kimiyoung/transformer-xl, with its _rel_shift()
def sinusoids(distances, dim):
    angle = np.outer(distances, 10000.0 ** (-np.arange(0, dim, 2) / dim))
    return np.concatenate([np.sin(angle), np.cos(angle)], -1)

def rel_shift(x):
    n, m = x.shape[1:]
    return np.concatenate([np.zeros((2, n, 1)), x], -1).reshape(2, m + 1, n)[:, 1:].reshape(2, n, m)

descending = heads(sinusoids(np.arange(5, -1, -1), 6) @ wr)
score = (q + u[:, None]) @ k.transpose(0, 2, 1)
shifted = rel_shift((q + v[:, None]) @ descending.transpose(0, 2, 1))
same_below = np.load("xl-causal.npy")
assert (np.isneginf(same_below) == np.broadcast_to(j > i, (2, 3, 6))).all()
assert abs(np.where(j <= i, same_below - (score + shifted) / 2, 0)).max() < 1e-12
# Keys after the query: the formula of the paper
direct = np.stack([[[(q[h, a] + v[h]) @ (sinusoids([a + 3 - b], 6) @ wr)[0, 4 * h:4 * h + 4] for b in range(6)]
                    for a in range(3)] for h in range(2)])
same("xl", (score + direct) / 2)
plain = np.stack([[[q[h, a] @ sinusoids([np.clip(a + 3 - b, -2, 2)], 8)[0, 4 * h:4 * h + 4] for b in range(6)]
                   for a in range(3)] for h in range(2)])
same("xl-plain", (qk + plain) / 2)

# RetNetRelPos and parallel_forward() of microsoft/torchscale
gamma = (1 - 2.0 ** (-5 - np.arange(2)))[:, None, None]
decay = np.where(j <= i, gamma ** np.maximum(i - j, 0), 0)
product = qk / 2 * (decay / np.sqrt(decay.sum(-1, keepdims=True)))
same("retnet-logits", product)
same("retnet-values", joined(product / np.maximum(abs(product.sum(-1, keepdims=True)), 1) @ k))
windowed = np.where((j <= i) & (j > i - 2), qk / 2 * decay, 0)
same("raw", windowed / np.maximum(abs(windowed.sum(-1, keepdims=True)), 1))
PY
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
