"""Every kind of figure in other programs, beside posenc's own PNG. TAP on standard output.

Usage: render.py [RENDERER...], of rsvg chromium inkscape resvg libreoffice pdf (default: those
that are installed). All kinds that posenc lists are drawn, light and dark, as SVG and PDF; the
pictures that programs make of them must be alike (structural similarity). In Chromium no text
lies on another or leaves the figure. KEEP=FOLDER keeps the pictures;
FEW=1 leaves the dark ones out.
"""

import html
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from figures import POSENC, decode

try:
    from PIL import Image
except ImportError:
    Image = None

LEAST = 0.95        # structural similarity of two renderings of the same figure; of two figures: up to 0.69
# LibreOffice spreads lines of a pixel over two and spaces letters in its own way: 0.922 to 0.993.
LEAST_OF = {"libreoffice": 0.9}
BEFORE = {"g.npy": "sinusoid --len 16 --dim 32", "two.npy": "embed --vocab 6 --dim 4"}
# The first command that a kind accepts draws it.
COMMANDS = ("sinusoid --len 16 --dim 16", "alibi --heads 4 --len 8", "alibi --heads 8", "similarity g.npy --grid 4x4",
            "relative --len 8", "show g.npy", "embed --table two.npy --len 6 --add sinusoid",
            "inspect g.npy", "rope --len 16 --dim 16", "similarity g.npy --curve", "t5-bucket --len 16", "grid --grid 4x6 --dim 8")
MORE = {"panels of heads": "alibi --heads 8 --len 16 --form masked --range each", "long words": "mask --len 4 --words 'I like tea everywhere'",
        "missing values": "mask --len 6 --values ninf", "a curve": "similarity g.npy --curve --plot lines",
        "many lines": "sinusoid --len 100 --dim 20 --plot lines --dims 0:9"}


THEMES = ("light",) if os.environ.get("FEW") else ("light", "dark")


def run(command, **options):
    return subprocess.run(command, capture_output=True, **options)


def posenc(words, *more):
    split = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", words)]
    return run([POSENC, *split, *more])


def kinds():
    """What --plot accepts, as its error lists it."""
    said = posenc("sinusoid --len 2 --dim 2 --plot ? --svg -").stderr.decode()
    return re.split(r", | or ", said[said.index("expected ") + 9:].strip())


def figures():
    """(name, words) of each figure to draw."""
    for kind in kinds():
        found = [words for words in COMMANDS if not posenc(f"{words} --plot {kind} --svg -").returncode]
        yield kind, f"{found[0]} --plot {kind}" if found else None
    for name, words in MORE.items():
        yield name, words


def small(picture):
    """Luminance at a quarter of the size, where a line half a pixel off is the same line."""
    grey = picture.mean(2)
    h, w = (n // 4 * 4 for n in grey.shape)
    return grey[:h, :w].reshape(h // 4, 4, w // 4, 4).mean((1, 3))


def resized(picture, shape):
    """A picture at the size of shape: cut by a pixel, or the nearest of 3 x 3 samples each, averaged."""
    if all(0 <= m - n <= 1 for n, m in zip(shape, picture.shape)):  # LibreOffice adds a pixel
        return picture[:shape[0], :shape[1]]
    at = [((np.arange(3 * n) + 0.5) * m / (3 * n)).astype(int) for n, m in zip(shape, picture.shape)]
    return picture[at[0]][:, at[1]].reshape(shape[0], 3, shape[1], 3, 3).mean((1, 3))


def similarity(a, b, size=13):
    """Structural similarity (Wang et al. 2004) of luminance, over blocks of size x size."""
    h, w = (n // size * size for n in a.shape)
    a, b = (x[:h, :w].reshape(h // size, size, w // size, size).swapaxes(1, 2).reshape(-1, size * size) for x in (a, b))
    means = a.mean(1), b.mean(1)
    both = ((a - means[0][:, None]) * (b - means[1][:, None])).mean(1)
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return ((2 * means[0] * means[1] + c1) * (2 * both + c2) /
            ((means[0] ** 2 + means[1] ** 2 + c1) * (a.var(1) + b.var(1) + c2))).mean()


def by_rsvg(folder):
    return pixels(run(["rsvg-convert", folder + "/a.svg"]).stdout)


def by_resvg(folder):
    run(["resvg", folder + "/a.svg", folder + "/resvg.png"])
    return read(folder + "/resvg.png")


def by_inkscape(folder):
    run(["inkscape", "--export-type=png", "--export-filename=" + folder + "/inkscape.png", folder + "/a.svg"])
    return read(folder + "/inkscape.png")


def by_libreoffice(folder):
    run(["soffice", "-env:UserInstallation=file://" + os.path.abspath("office"), "--headless", "--convert-to", "png",
         "--outdir", folder + "/office", folder + "/a.svg"])
    return read(folder + "/office/a.png")


def by_pdf(folder):
    run(["pdftoppm", "-r", "96", "-png", "-singlefile", folder + "/a.pdf", folder + "/pdf"])
    return read(folder + "/pdf.png")


def chromium(*words):
    return run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                "--user-data-dir=" + os.path.abspath("browser"), *words])


def by_chromium(folder):
    h, w = read(folder + "/a.png").shape[:2]
    with open(folder + "/a.html", "w", encoding="utf-8") as page:
        page.write('<body style="margin:0"><img style="display:block" src="a.svg">')
    chromium(f"--window-size={w},{h}", f"--screenshot={os.path.abspath(folder)}/chromium.png", "file://" + os.path.abspath(folder) + "/a.html")
    return read(folder + "/chromium.png")


PROGRAMS = {"rsvg": "rsvg-convert", "chromium": "chromium", "inkscape": "inkscape", "resvg": "resvg",
            "libreoffice": "soffice", "pdf": "pdftoppm"}


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def pixels(data):
    """As figures.decode(), which takes seconds for what other programs write."""
    if not Image:
        return decode(data)[0]
    return np.array(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def read(path):
    return pixels(read_bytes(path))


def draw(name, words, theme):
    """A figure in all formats, in a folder of its own; its pixels."""
    folder = f"{name.replace(' ', '-')}-{theme}"
    os.makedirs(folder)
    made = posenc(words, "--theme", theme, "--scale", "1", *(word for end in ("png", "svg", "pdf") for word in ("-o", f"{folder}/a.{end}")))
    assert not made.returncode and not made.stderr, made.stderr
    return folder, read(folder + "/a.png")


def likeness(renderer, folder, want):
    """Where programs place pixels half a pixel off, the best of the places nearby counts."""
    got, want = resized(globals()["by_" + renderer](folder), want.shape[:2]), small(want)
    return max(similarity(small(np.roll(got, (i, j), (0, 1))), want) for i in (0, -1, 1) for j in (0, -1, 1))


COLLISIONS = """<script>
const found = [];
for (const svg of document.querySelectorAll("svg")) {
  const page = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("text")].map(t => {
    const b = t.getBoundingClientRect(), size = 0.22 * parseFloat(getComputedStyle(t).fontSize);
    const up = (t.getAttribute("transform") || "").includes("rotate");
    return {text: t.textContent, left: b.left + (up ? size : 0.5), right: b.right - (up ? size : 0.5),
            top: b.top + (up ? 0.5 : size), bottom: b.bottom - (up ? 0.5 : size)};
  });
  boxes.forEach((a, i) => {
    if (a.left < page.left || a.right > page.right || a.top < page.top || a.bottom > page.bottom)
      found.push([svg.parentNode.id, a.text, "outside"]);
    boxes.slice(i + 1).forEach(b => {
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
        found.push([svg.parentNode.id, a.text, b.text]);
    });
  });
}
document.body.textContent = "FOUND" + JSON.stringify(found) + "END";
</script>"""


def collisions(folders):
    """Texts of figures that lie on one another, or outside, as Chromium lays them out."""
    with open("all.html", "w", encoding="utf-8") as page:
        page.write('<meta charset="utf-8"><body>')
        for folder in folders:
            page.write(f'<div id="{folder}">{re.sub(r"<[?!][^>]*>", "", read_bytes(folder + "/a.svg").decode())}</div>')
        page.write(COLLISIONS)
    said = html.unescape(chromium("--dump-dom", "file://" + os.path.abspath("all.html")).stdout.decode())
    return json.loads(said[said.rindex("FOUND") + 5:said.rindex("END")])


def letters(renderer):
    """Whether letters that only other fonts have look unlike each other, as boxes would not."""
    made = []
    for letter in "\uac00", "\ub098":
        folder = f"letter-{ord(letter):x}-{renderer}"
        os.makedirs(folder)
        posenc("mask --len 1 --title " + letter, "--scale", "1", *(word for end in ("png", "svg", "pdf") for word in ("-o", f"{folder}/a.{end}")))
        made.append(globals()["by_" + renderer](folder))
    return made[0].shape == made[1].shape and np.abs(made[0] - made[1]).max() > 100


def say(good, what, more=""):
    print(f"{'ok' if good else 'not ok'} - {what}{'' if good else ': ' + str(more)}", flush=True)
    return not good


def check(renderer, drawn):
    bad = 0
    for (name, theme), (folder, want) in drawn.items():
        alike = likeness(renderer, folder, want)
        bad += say(alike > LEAST_OF.get(renderer, LEAST), f"{renderer}: {name}, {theme}", f"similarity {alike:.3f}")
    if renderer == "chromium":
        found = collisions([folder for folder, _ in drawn.values()])
        bad += say(not found, "chromium: no text lies on another", found[:4])
    return bad


def installed(renderer):
    return shutil.which(PROGRAMS[renderer])


def korean():
    """Whether the system has a font with Hangul."""
    return shutil.which("fc-list") and run(["fc-list", ":lang=ko"]).stdout


def main(names):
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(os.environ.get("KEEP", folder))
        for path, words in BEFORE.items():
            posenc(words, "--npy", path)
        drawn = {}
        for name, words in figures():
            bad += say(words, f"a command draws {name}", "none is in COMMANDS")
            for theme in THEMES if words else ():
                drawn[name, theme] = draw(name, words, theme)
        for renderer in names or PROGRAMS:
            if not installed(renderer):
                print(f"ok - {renderer} # skip {PROGRAMS[renderer]} is not installed")
                continue
            bad += check(renderer, drawn)
            if korean():
                bad += say(letters(renderer), f"{renderer}: Hangul is no boxes")
        os.chdir("/")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
