# What is easily forgotten, and what users do all the same.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	python=$(tests/python)
	empty_folder
}

@test "rope --apply: arrays of three and four dimensions, and of one plane" {
	"$python" - "$posenc" <<'PY'
import subprocess, sys
import numpy as np
rng = np.random.default_rng(0)
def rotated(x):
    np.save("x.npy", x)
    subprocess.run([sys.argv[1], "rope", "--apply", "x.npy", "--npy", "y.npy"], check=True)
    return np.load("y.npy")
x = rng.standard_normal((2, 3, 5, 4))
y = rotated(x)
assert y.shape == (6, 5, 4)
assert np.array_equal(rotated(np.asfortranarray(x)), y)
for i, plane in enumerate(x.reshape(6, 5, 4)):
    assert np.array_equal(rotated(plane), y[i])
    assert np.array_equal(rotated(plane[None]), y[i][None])
PY
}

@test "identify: numbers that no position reaches" {
	printf '1e200,1e-200\n1,2\n' >far.csv
	run "$posenc" identify far.csv
	[ "$status" -eq 1 ]
	[[ "$output" = "unknown: no scheme makes these 4 numbers"* ]]
}

@test "lists: a file may hold a JSON array" {
	wanted=$("$posenc" naive --positions 3,-1,2.5)
	for list in '[3,-1,2.5]' $' [\n 3,\n -1, 2.5 ]\n' '3 -1 2.5' $'\n\n3\n-1\n2.5'; do
		printf '%s' "$list" >list.json
		[ "$("$posenc" naive --positions @list.json)" = "$wanted" ]
		[ "$(printf '%s' "$list" | "$posenc" naive --positions -)" = "$wanted" ]
	done
	printf '[3,-1' >list.json
	refuses "posenc: list.json: the list that '[' begins has no ']'" naive --positions @list.json
	printf '[3,-1] 7' >list.json
	refuses "posenc: list.json: goes on after its list, with '7'" naive --positions @list.json
	printf '\n [3,\n x]' >list.json
	refuses "posenc: list.json:3:2: 'x' is not a number" naive --positions @list.json
	printf '3,\n [7]' >list.json
	refuses "posenc: list.json:2:2: '[7]' is not a number" naive --positions @list.json
	printf '[]' >list.json
	refuses "posenc: list.json: no number in it" naive --positions @list.json
	refuses "posenc naive: --positions: '[3]' is not a number (@FILE reads them from a file)" naive --positions '[3]'
}

@test "options tell the kind, or need others" {
	same() { diff <("$posenc" $1) <("$posenc" $2); }
	same "relative --window 2x3 --cls" "relative --kind swin --window 2x3 --cls"
	same "relative --len 9 --buckets 8 --max-position 16" "relative --kind deberta --len 9 --buckets 8 --max-position 16"
	refuses "posenc relative: --window is not for --kind xl" relative --kind xl --window 2x3
	refuses "posenc alibi: --len N is missing (or --query-len Q and --key-len K)" alibi --heads 4 --query-len 3
	refuses "posenc rope: --downscale needs --xpos" rope --dim 4 --len 2 --downscale
	refuses "posenc rope: --along needs --apply" rope --dim 4 --len 2 --along planes
	refuses "posenc rope: --mrope needs --sections" rope --dim 4 --len 2 --mrope interleaved
	"$posenc" sinusoid --len 2 --dim 2 --threads 512
}

@test "SVG is well-formed whatever the title holds" {
	for title in '<&>"]]>' $'\x01\x1b\x7f' $'\xff\xe2\x82' $'\xed\xa0\x80' $'a\xef\xbf\xbeb\xef\xbf\xbf' $'\xef\xbf\xbd\xef\xbc\x81'; do
		"$posenc" sinusoid --len 2 --dim 2 --title "$title" --svg t.svg
		"$python" -c 'import xml.dom.minidom as x; x.parse("t.svg")'
	done
	"$posenc" sinusoid --len 2 --dim 2 --title $'a\xef\xbf\xbeb\xef\xbf\xbf' --svg t.svg
	grep -q $'>a\xef\xbf\xbdb\xef\xbf\xbd<' t.svg
}

@test "identify: ALiBi of many keys, whose far biases are rounded most" {
	for options in "--heads 8 --len 16 --bias-max 4" "--heads 40 --len 100 --bias-max 3.3" "--heads 16 --len 30 --dtype f16" "--heads 12 --len 100 --bias-max 4 --dtype bf16"; do
		"$posenc" alibi $options --safetensors bias.safetensors
		command=$("$posenc" identify bias.safetensors | sed -n 's|^  command *posenc ||p')
		"$posenc" $command --safetensors again.safetensors
		"$posenc" compare bias.safetensors again.safetensors >/dev/null
	done
}

# named OPTIONS...: identify gives a command of rope with these very options.
named() {
	"$posenc" rope "$@" --safetensors rope.safetensors
	"$posenc" identify rope.safetensors | grep -qF -- "$wanted"
}

@test "identify: RoPE's scalings where rounding hides them" {
	wanted="--scaling linear:4 --dtype float64' makes this table, to the last bit"
	named --len 64 --dim 16 --out sin --scaling linear:4 --dtype f64
	wanted="--out cossin --scaling linear:3 --dtype float64' makes this table, to the last bit"
	named --len 64 --dim 16 --base 5e5 --out cossin --scaling linear:3 --dtype f64
	wanted="--scaling ntk:2' makes this table, to the last bit"
	named --len 8 --dim 8 --out cos --scaling ntk:2
	wanted="--scaling ntk:4 --dtype float16' makes this table, to the last bit"
	named --len 64 --dim 128 --base 5e5 --out cos --scaling ntk:4 --dtype f16
	wanted="'posenc rope --dim 64 --base 500000 --out freqs --dtype float16' makes this table, to the last bit"
	named --dim 64 --base 5e5 --out freqs --dtype f16
}

@test "--range: a span next to nothing still tells above from below" {
	"$python" -c 'import PIL' 2>/dev/null || skip "Pillow is not installed"
	"$posenc" naive --positions -1,0,1 --range 0:1e-320 --plain --png span.png
	"$posenc" naive --positions -1,0,1 --range 0:1e-300 --plain --png wide.png
	"$python" -c 'from PIL import Image
a, b = (list(Image.open(f).convert("RGB").getdata()) for f in ("span.png", "wide.png"))
assert a == b and a[0] == a[1] != a[2], a'
}
