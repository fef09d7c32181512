# Figures: what they show, by reading them back; what can't be drawn.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	golden="$PWD/tests/golden/data"
	python=$(tests/python)
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

@test "what no figure can be is refused in a sentence" {
	local s="posenc sinusoid:" t="sinusoid --len 100 --dim 64 --png x.png"
	refuses "$s --cmap jet shows steps where there are none and hides others; try viridis, or vik for both signs" $t --cmap jet
	refuses "$s --cmap has no 'virdis' (did you mean 'viridis'?); it takes viridis cividis magma blues coolwarm rdbu puor vik gray berlin" $t --cmap virdis
	refuses "$s --cmap must be one of viridis cividis magma blues coolwarm rdbu puor vik gray berlin, not 'colours'" $t --cmap colours
	refuses "$s --range must be A:B with A less than B, sym or auto, not '1:1'" $t --range 1:1
	refuses "$s --range must be A:B with A less than B, sym or auto, not '2:'" $t --range 2:
	refuses "$s --range must be A:B with A less than B, sym or auto, not 'nan:1'" $t --range nan:1
	refuses "$s --words must label each of 100 positions, not 2" $t --words "a b"
	refuses "posenc relative: --words must label each of 2 positions, not more than 2" relative --len 2 --words "a b c" --svg x.svg
	refuses "$s --dims chooses the columns of --plot lines" $t --dims 0:2
	refuses "$s --dims must be A:B with A less than B, within 0:64, not 60:65" $t --plot lines --dims 60:65
	refuses "$s --dims must choose at most 32 lines, not 33" $t --plot lines --dims 0:33
	refuses "$s --plot must be heatmap, lines, cells or steps, not 'histogram'" $t --plot histogram
	refuses "$s --plot cells has room for 32 x 32 numbers, not 100 x 64" $t --plot cells
	refuses "$s --plot steps draws one row or column, or a table of distances, not 100 x 64 numbers" $t --plot steps
	refuses "posenc t5-bucket: --plot lines draws one plane of a table, not 4; choose its rows with --rows" t5-bucket --len 4 --table "$golden/t5-bucket.hf_bias.01.table.npy" --plot lines --png x.png
	refuses "$s --transpose turns heat maps and cells, not --plot lines" $t --plot lines --transpose
	refuses "$s --scale must be from 1 to 8, not 9" $t --scale 9
	refuses "$s --cell must be from 1 to 1024, not 0" $t --cell 0
	refuses "$s --cell 200 makes 100 x 64 numbers more than 8192 pixels high or wide; leave it out, or ask for fewer --rows" $t --cell 200
	refuses "$s --theme must be light or dark, not 'blue'" $t --theme blue
	refuses "$s --plain needs --png" sinusoid --len 2 --dim 2 --plain --svg x.svg
	refuses "$s --plain is for --png; --svg draws figures" sinusoid --len 2 --dim 2 --plain --png x.png --svg x.svg
	refuses "posenc: /dev/full: No space left on device" sinusoid --len 100 --dim 64 --svg /dev/full
}

# starved K: the version, told without the K-th allocation, which env and bash,
# whose getenv() sees what they give their child, would fail themselves.
starved() {
	sh -c 'LD_PRELOAD=$1 FAULT_CALLS=alloc FAULT_AT=$2 FAULT_ERRNO=12 "$3" --version' sh \
		"$preload" "$1" "$posenc"
}

@test "without memory --version tells so, not another version" {
	local preload=${posenc%/*}/faults/preload.so
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
