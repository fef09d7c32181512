# Figures of odd shapes, values and titles, and their memory; tests/figures.py reads what figures show.

load common

setup() {
	empty_folder
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
	"$bare_python" -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 32 * 1024" \
		"$posenc" sinusoid --len 2500 --dim 20000 --png /dev/null
}

@test "SVG is well-formed whatever the title holds" {
	for title in '<&>"]]>' $'\x01\x1b\x7f' $'\xff\xe2\x82' $'\xed\xa0\x80' $'a\xef\xbf\xbeb\xef\xbf\xbf' $'\xef\xbf\xbd\xef\xbc\x81'; do
		"$posenc" sinusoid --len 2 --dim 2 --title "$title" --svg t.svg
		"$python" -c 'import xml.dom.minidom as x; x.parse("t.svg")'
	done
	"$posenc" sinusoid --len 2 --dim 2 --title $'a\xef\xbf\xbeb\xef\xbf\xbf' --svg t.svg
	grep -qF '>a\357\277\276b\357\277\277<' t.svg
}

@test "--range: a span next to nothing still tells above from below" {
	"$python" -c 'import PIL' 2>/dev/null || skip "Pillow is not installed"
	"$posenc" naive --positions -1,0,1 --range 0:1e-320 --plain --png span.png
	"$posenc" naive --positions -1,0,1 --range 0:1e-300 --plain --png wide.png
	"$python" -c 'from PIL import Image
a, b = (list(Image.open(f).convert("RGB").getdata()) for f in ("span.png", "wide.png"))
assert a == b and a[0] == a[1] != a[2], a'
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
	[ "$1" = "$3" ] && [ "$1" = "$4" ] && [ "$2" = b8bac2 ]
	"$posenc" mask --len 2 --values ninf --svg m.svg
	[ "$(grep -c '>−inf<' m.svg)" -eq 1 ]
	[ "$(grep -c '>NaN<' m.svg)" -eq 0 ]
}
