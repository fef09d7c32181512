# Figures: what they show, by reading them back; what can't be drawn.

bats_require_minimum_version 1.5.0
load common

setup() {
	empty_folder
}

# shows CHECK: one function of figures.py.
shows() {
	"$python" "$BATS_TEST_DIRNAME/figures.py" "$1" "$posenc"
}

@test "cells are blocks of one size, in the colours of their numbers" {
	shows cells
}

@test "axes carry the right numbers, at the middle of their cells" {
	shows axes
}

@test "the colour bar says which number is which colour" {
	shows bar
}

@test "colour maps are the published ones" {
	shows colors
}

@test "a plain picture takes a map and a range" {
	shows plain
}

@test "colour maps are matplotlib's" {
	"$python" -c 'import matplotlib' 2>/dev/null || skip "matplotlib is not installed"
	shows published
}

@test "NaN has its own colour; whole numbers have steps" {
	shows signs
}

@test "lines run through their numbers" {
	shows lines
}

@test "lines that share a colour are dashed" {
	shows dashes
}

@test "lines break where there is no number; one alone is a dot" {
	shows broken
}

@test "all texts lie in the picture, apart from each other" {
	shows fits
}

@test "words stand where they are too long to lie" {
	shows words
}

@test "single numbers and single signs have colours" {
	shows paints
}

@test "steps are as wide as their distances" {
	shows steps
}

@test "numbers stand in their cells" {
	shows numbers
}

@test "heads are panels with one colour bar" {
	shows heads
}

@test "large tables are reduced as the figure says" {
	shows reduced
}

@test "the command in a figure makes it again, to the byte" {
	shows again
}

@test "titles are text; SVG suits light and dark pages, and is small" {
	shows text
}

@test "golden figures, as decoded pixels" {
	shows golden
}

@test "SVG renders as PNG" {
	rsvg-convert --version >/dev/null 2>&1 || skip "rsvg-convert is not installed"
	shows vectors
}

@test "every shape gives a figure of a sensible size" {
	"$python" -c "import numpy as np
for name, a in (('one', [[1.5]]), ('equal', np.full((5, 4), 2.5)), ('zeros', np.zeros((3, 3))), ('nan', np.full((2, 3), np.nan)),
                ('tiny', [[5e-324, 1e-310]]), ('huge', [[1.7e308, -1.7e308], [0, 1]]), ('inf', [[np.inf, -np.inf]])):
    np.save(name, np.array(a, np.float64))"
	for plot in heatmap lines cells; do
		for name in one equal zeros nan tiny huge inf; do
			"$posenc" embed --table $name.npy --dtype f64 --plot $plot --png $name-$plot.png --svg $name-$plot.svg
		done
	done
	i=0
	for shape in 512,512 100,128 4,8 2048,64 1,512 5,5 64,2048 3000,2 20000,7 2,131074 1,1; do
		"$posenc" sinusoid --len ${shape%,*} --dim ${shape#*,} --png $((i++)).png
	done
	"$posenc" t5-bucket --len 30000 --png $i.png --svg big.svg
	"$python" -c "
import glob, struct, xml.dom.minidom
for name in glob.glob('*.png'):
    w, h = struct.unpack('>II', open(name, 'rb').read(24)[16:])
    assert 150 <= w <= 2500 and 150 <= h <= 2500, (name, w, h)
for name in glob.glob('*.svg'):
    xml.dom.minidom.parse(name)"
}

@test "a large table needs no large memory" {
	case ${B:-build} in *asan*) skip "sanitizers have memory of their own" ;; esac
	"$python" -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 32 * 1024" \
		"$posenc" sinusoid --len 2500 --dim 20000 --png /dev/null
}

# starved K: the version, told without the K-th allocation, which env and bash,
# whose getenv() sees what they give their child, would fail themselves.
starved() {
	sh -c 'LD_PRELOAD=$1 FAULT_CALLS=alloc FAULT_AT=$2 FAULT_ERRNO=12 "$3" --version' sh \
		"$preload" "$1" "$posenc"
}

@test "without memory --version tells so, not another version" {
	[ -e "$preload" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
	local told=0 version=$("$posenc" --version | grep '^FreeType')
	for k in $(seq 30); do
		run starved "$k"
		if [ "$status" -eq 2 ]; then
			[[ "$output" == "posenc: "*"out of memory" ]]
			told=$((told + 1))
		else
			[[ "$output" == *"$version"* ]]
		fi
	done
	[ "$told" -ge 3 ]
}

@test "SVG is well-formed whatever the title holds" {
	for title in '<&>"]]>' $'\x01\x1b\x7f' $'\xff\xe2\x82' $'\xed\xa0\x80' $'a\xef\xbf\xbeb\xef\xbf\xbf' $'\xef\xbf\xbd\xef\xbc\x81'; do
		"$posenc" sinusoid --len 2 --dim 2 --title "$title" --svg t.svg
		"$python" -c 'import xml.dom.minidom as x; x.parse("t.svg")'
	done
	"$posenc" sinusoid --len 2 --dim 2 --title $'a\xef\xbf\xbeb\xef\xbf\xbf' --svg t.svg
	grep -q $'>a\xef\xbf\xbdb\xef\xbf\xbd<' t.svg
}

@test "--range: a span next to nothing still tells above from below" {
	"$python" -c 'import PIL' 2>/dev/null || skip "Pillow is not installed"
	"$posenc" naive --positions -1,0,1 --range 0:1e-320 --plain --png span.png
	"$posenc" naive --positions -1,0,1 --range 0:1e-300 --plain --png wide.png
	"$python" -c 'from PIL import Image
a, b = (list(Image.open(f).convert("RGB").getdata()) for f in ("span.png", "wide.png"))
assert a == b and a[0] == a[1] != a[2], a'
}
