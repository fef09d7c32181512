"""Letters that DejaVu Sans lacks: where they come from and where they stand. TAP on standard output.

Usage: letters.py [CHECK...], the names of functions below (default: all). Fonts are made by
fonts.py, so no font of the system is needed, and none is used but in system().
"""

import ctypes
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

import figures
import fonts
from figures import POSENC, SVG, chunks, decode, embedded_font, objects

PRELOAD = os.path.join(os.path.dirname(POSENC), "faults", "preload.so")
FULL = fonts.square(0, -100, 1000, 800)
TALL = fonts.square(0, -4000, 400, 6000)
ROUND = fonts.round_off(0, -100, 1000, 800)


def put(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def conf(*folders):
    """The environment of a system whose fonts are in these folders."""
    dirs = "".join(f"<dir>{os.path.abspath(f)}</dir>" for f in folders)
    put("fonts.conf", f"<fontconfig>{dirs}<cachedir>{os.path.abspath('cache')}</cachedir></fontconfig>".encode())
    return {**os.environ, "FONTCONFIG_FILE": os.path.abspath("fonts.conf")}


def made(format, *words, env=None, said="", **options):
    """The figure of a small mask, and what is said about it."""
    done = subprocess.run([POSENC, "mask", "--len", "1", *words, "--" + format, "-"], capture_output=True,
                          env=env or conf(), **options)
    assert done.returncode == 0 and done.stderr.decode() == said, (words, done.returncode, done.stderr)
    return done.stdout


def refused(*words):
    done = subprocess.run([POSENC, "mask", "--len", "1", *words, "--png", "-"], capture_output=True, env=conf())
    assert done.returncode == 2 and not done.stdout, words
    return done.stderr.decode()


def missing(what, given=False):
    first = int(what[2:6], 16)
    package = "fonts-nanum" if first >= 0xac00 else "fonts-noto-cjk" if 0x4e00 <= first < 0xa000 else None
    who = "the file of --font has no glyph" if given else "no font was found that has a glyph"
    then = f"; Debian's package {package} has one, --font FILE names another" if package else "" if given else "; --font FILE names a font"
    return f"posenc mask: {who} for {what}: drawn as a box{then}\n"


def fonts_of(png):
    return [body.split(b"\0")[1].decode() for kind, body in chunks(png) if kind == b"tEXt" and body.startswith(b"posenc fonts\0")]


def drawn(data):
    """The strings of a PDF: (font, x, y, upward, text)."""
    pdf = objects(data)
    resources = next(w for w, _ in pdf.values() if "/Font<<" in w)
    known = {}
    for name, number in re.findall(r"/(F\d*) (\d+) 0 R", resources):
        cmap = int(re.search(r"/ToUnicode (\d+)", pdf[int(number)][0]).group(1))
        known[name] = figures.characters(pdf[cmap][1].decode())
    contents = next(s.decode() for _, s in pdf.values() if b" cm 1 J 1 j" in s)
    for given, body in re.findall(r"(?:/Span<</ActualText<feff(\w+)>>>BDC\n)?((?:BT/F.*\n)+)", contents):
        for i, (name, turn, x, y, text) in enumerate(re.findall(r"BT/(F\d*) \d+ Tf (\S+) \S+ \S+ \S+ (\S+) (\S+) Tm<(.*)>Tj", body)):
            letters = "".join(known[name][int(text[k:k + 4], 16)] for k in range(0, len(text), 4))
            if given:  # the letters that all glyphs of a span show
                letters = "" if i else bytes.fromhex(given).decode("utf-16-be")
            yield name, float(x), float(y), turn == "0", letters


def strings(title, *words, **options):
    """What is drawn of a title."""
    found = list(drawn(made("pdf", "--title", title, *words, **options)))
    first = [s[4] for s in found].index("0")
    return found[:first]


def block(png, size):
    """Whether a block of that many dark pixels is in the picture, and none around it."""
    dark = (decode(png)[0].sum(2) < 150).astype(int)
    w, h = size
    sums = np.pad(dark, 1).cumsum(0).cumsum(1)
    inner = sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]
    return (inner == w * h).any()


def given():
    """--font FILE: its letters are drawn in PNG and PDF, measured in SVG, and named in the metadata."""
    name = "Test Letters 1.5 (checksum 12345678)"
    for cubic in (False, True):
        shape = ROUND if cubic else FULL
        file = put("letters.otf", fonts.font({"\uac00": (1000, [shape])}, cubic=cubic))
        words = "--title", "\uac00", "--font", file
        png, pdf = made("png", *words), made("pdf", *words)
        assert fonts_of(png) == [name]
        assert block(png, (30, 27)) != cubic and block(png, (22, 20))
        root = ElementTree.fromstring(made("svg", *words))
        assert [m.text for m in root.iter(SVG + "metadata")][1:] == [name]
        assert root.get("font-family") == "DejaVu Sans,Verdana,'Test Letters',sans-serif"
        assert ("F1", "\uac00") in [(s[0], s[4]) for s in drawn(pdf)]
        files = [embedded_font(s) for w, s in objects(pdf).values() if "/Length1" in w]
        assert len(files) == 2 and files[1]["maxp"][:6] == b"\0\1\0\0\0\2" and len(files[1]["hmtx"]) == 8
        info = next(w for w, _ in objects(pdf).values() if "/Producer" in w)
        assert "/Keywords<feff" + name.encode("utf-16-be").hex() + ">" in info
        assert pdf == made("pdf", *words)
    assert made("pdf", "--xlabel", "").count(b"/Length1") == 1  # a text of nothing
    # What needs no other font has none
    assert not fonts_of(made("png", "--font", file)) and b"/F1" not in made("pdf", "--font", file)
    assert made("svg").replace(b"mask --len 1", b"mask --len 1 --font letters.otf") == made("svg", "--font", file)


def curves():
    """A PDF's parabolas are the cubic curves of the font; a reader draws the PNG."""
    file = put("round.otf", fonts.font({"\uac00": (1000, [ROUND, fonts.square(400, 200, 600, 400)])}, cubic=True))
    words = "--title", "\uac00" * 3, "--font", file, "--scale", "2"
    files = [embedded_font(s) for w, s in objects(made("pdf", *words)).values() if "/Length1" in w]
    at = int.from_bytes(files[1]["loca"][4:8], "big")
    glyph = files[1]["glyf"][at:]
    contours, ends = np.frombuffer(glyph[:2], ">i2")[0], np.frombuffer(glyph[10:14], ">u2")
    # Four curves of four parabolas, each with a point that controls it
    assert contours == 2 and list(ends) == [31, 35]
    flags = glyph[16:16 + 36]
    xs, ys = (np.cumsum(np.frombuffer(glyph[52 + 72 * i:124 + 72 * i], ">i2")) for i in (0, 1))
    on = np.array([f & 1 for f in flags[:32]], bool)
    assert on.sum() == 16
    radius = np.hypot((xs[:32] - 500) / 500, (ys[:32] - 350) / 450)
    assert np.abs(radius[on] - 1).max() < 3e-3, radius[on]
    # Tangents of points a sixteenth of a turn apart meet there
    assert np.abs(radius[~on] - 1 / np.cos(np.pi / 16)).max() < 3e-3, radius[~on]
    if shutil.which("pdftoppm"):
        put("a.pdf", made("pdf", *words))
        subprocess.run(["pdftoppm", "-r", "192", "-png", "-singlefile", "a.pdf", "a"], check=True)
        got, want = decode(open("a.png", "rb").read())[0], decode(made("png", *words))[0]
        assert np.abs(got[:want.shape[0], :want.shape[1]] - want).mean() < 1.5


def wide():
    """A wide letter that no font has takes an em; others the width of their box."""
    def width(text):
        return float(ElementTree.fromstring(made("svg", "--zlabel", "v", "--title", text)).get("width"))
    few, many = width("\uac00" * 30), width("\uac00" * 40)
    assert abs(many - few - 160) < 1, many - few
    few, many = width("\U00012000" * 40), width("\U00012000" * 50)
    assert 80 < many - few < 150
    # The labels of words do not meet
    root = ElementTree.fromstring(figures.run(["mask", "--len", "4", "--words", "\ucca0\uc218\uac00 \uc601\ud76c\ub97c \uc88b\uc544 \ud574\uc694\uc694"], "svg"))
    below = sorted(float(t.get("x")) for t in root.iter(SVG + "text") if t.text and t.text[0] > "\ua000" and not t.get("transform") and t.get("text-anchor") == "middle")
    assert all(b - a >= 24 * 2 for a, b in zip(below, below[1:]))


def boxed():
    """A PDF has the mark of letters that a font lacks, also one of many points."""
    file = put("letters.ttf", fonts.font({"\uac00": (1000, [FULL])}, missing=[fonts.square(x, 0, x + 4, 700) for x in range(0, 480, 6)]))
    pdf = objects(made("pdf", "--title", "\uac00", "--font", file))
    glyf = [embedded_font(s) for w, s in pdf.values() if "/Length1" in w][1]["glyf"]
    assert int.from_bytes(glyf[:2], "big") == 80


def named():
    """A letter that no font has is named, once; not in an SVG, whose viewer may have one."""
    made("png", "--title", "\uac00", said=missing("U+AC00"))
    made("pdf", "--title", "\uac00\uac01\uac00", said=missing("U+AC00, U+AC01"))
    made("png", "--title", "\u4e00", said=missing("U+4E00"))
    made("png", "--title", "\uac00\u4e00", said=missing("U+AC00, U+4E00").replace("nanum", "noto-cjk"))
    made("png", "--title", "".join(map(chr, range(0xac00, 0xac08))), said=missing(", ".join(f"U+{c:04X}" for c in range(0xac00, 0xac08))))
    made("png", "--title", "".join(map(chr, range(0xac00, 0xac10))), said=missing(", ".join(f"U+{c:04X}" for c in range(0xac00, 0xac08)) + " and others"))
    made("png", "--title", "\uac00", "--quiet")
    made("svg", "--title", "\uac00")
    file = put("letters.ttf", fonts.font({"\uac00": (1000, [FULL])}))
    made("png", "--title", "\uac00\U00012000", "--font", file, said=missing("U+12000", True))
    # Two outputs say it once, after the notes of the command
    done = subprocess.run([POSENC, "mask", "--len", "1", "--title", "\uac00", "--png", "a.png", "--pdf", "a.pdf"], capture_output=True, env=conf())
    assert done.stderr.decode() == missing("U+AC00")
    put("zero.csv", b"0,0\n1,0\n")
    done = subprocess.run([POSENC, "similarity", "zero.csv", "--metric", "cosine", "--title", "\uac00", "--png", "a.png"], capture_output=True, env=conf())
    assert done.stderr.decode().splitlines()[1:] == [missing("U+AC00").replace("mask", "similarity").strip()], done.stderr


def system():
    """Installed fonts are found by fontconfig: one for each letter, the same for all that it has."""
    os.makedirs("some", exist_ok=True)
    put("some/one.ttf", fonts.font({"\uac00": (1000, [FULL]), "\uac01": (1000, [FULL])}, family="One Font"))
    put("some/two.otf", fonts.font({"\U00012000": (500, [ROUND])}, family="Two-Font 2", cubic=True, revision=2))
    env = conf("some")
    png = made("png", "--title", "\uac00 \U00012000 \uac01", env=env)
    assert fonts_of(png) == ["One Font 1.5 (checksum 12345678), Two-Font 2 2 (checksum 12345678)"] and block(png, (30, 27))
    assert [(s[0], s[4]) for s in strings("\uac00 \U00012000\uac01\uac01", env=env)] == [
        ("F1", "\uac00"), ("F", " "), ("F2", "\U00012000"), ("F1", "\uac01\uac01")]
    made("png", "--title", "\uac02", env=env, said=missing("U+AC02"))
    # After a file is read, the sandbox allows as much
    subprocess.run([POSENC, "mask", "--len", "1", "--npy", "m.npy"], check=True)
    done = subprocess.run([POSENC, "show", "m.npy", "--title", "\uac00", "--png", "-"], capture_output=True, env=env)
    assert not done.stderr and block(done.stdout, (30, 27))
    # As many as the metadata have room for
    os.makedirs("many", exist_ok=True)
    for i in range(14):
        put(f"many/{i}.ttf", fonts.font({chr(0xac00 + i): (1000, [FULL])}, family=f"Font {i} " + "A" * 60))
    many = fonts_of(made("png", "--title", "".join(map(chr, range(0xac00, 0xac0e))), env=conf("many")))
    assert len(many[0]) == 799 and len(set(re.findall(r"Font \d+", many[0]))) >= 9
    # Fonts that say nothing, or nothing usable
    put("some/one.ttf", b"no font")
    made("png", "--title", "\uac00", env=conf("some"), said=missing("U+AC00"))
    os.makedirs("empty", exist_ok=True)
    made("png", "--title", "\uac00", env=conf("empty"), said=missing("U+AC00"))


def absent():
    """Without fontconfig, letters are named, and --font draws them."""
    os.symlink(PRELOAD, "preload.so")  # LD_PRELOAD takes names without blanks
    env = {**conf(), "LD_PRELOAD": "./preload.so", "FAULT_CALLS": "none"}
    made("png", "--title", "\uac00", env=env, said=missing("U+AC00"))


def unusable():
    """Files that are no font of outlines and Unicode are refused, glyphs that are broken are missing."""
    text = "posenc mask: --font must be a TrueType or OpenType file with outlines and Unicode characters, got "
    good = {"\uac00": (1000, [FULL])}
    put("text.ttf", b"no font")
    put("symbol.ttf", fonts.font(good, symbol=True))
    put("none.ttf", fonts.font(good, damage=lambda t: t.pop("cmap")))
    put("flat.bdf", b"STARTFONT 2.1\nFONT flat\nSIZE 8 75 75\nFONTBOUNDINGBOX 8 8 0 0\nSTARTPROPERTIES 2\nCHARSET_REGISTRY \"ISO10646\"\n"
        b"CHARSET_ENCODING \"1\"\nENDPROPERTIES\nCHARS 1\nSTARTCHAR a\nENCODING 44032\nSWIDTH 500 0\nDWIDTH 8 0\nBBX 8 1 0 0\nBITMAP\nFF\nENDCHAR\nENDFONT\n")
    for file in ("text.ttf", "symbol.ttf", "none.ttf", "flat.bdf", "."):
        assert refused("--font", file) == text + file + "\n", refused("--font", file)
    assert refused("--font", "absent.ttf") == "posenc mask: --font must be a file, such as 'fc-list' names, got absent.ttf: No such file or directory\n"
    assert "--plain draws only values; --font is for figures" in refused("--plain", "--font", "a.ttf")
    far = fonts.square(0, 0, 9000, 100)
    for contours, advance, units in (([far], 1000, 1000), ([fonts.square(-9000, 0, 0, 9)], 1000, 1000),
                                     ([fonts.square(0, 0, 9, 9000)], 1000, 1000), ([fonts.square(0, -9000, 9, 0)], 1000, 1000),
                                     ([[(i % 900, i // 900, 1) for i in range(8001)]], 1000, 1000), ([FULL], 9000, 1000), ([fonts.square(0, 0, 16384, 9)], 1000, 4096)):
        file = put("far.ttf", fonts.font({"\uac00": (advance, contours)}, units=units))
        made("png", "--title", "\uac00", "--font", file, said=missing("U+AC00", True))

    def cut(tables):
        tables["loca"] = tables["loca"][:-4] + b"\x7f\xff\xff\xff"
        tables["glyf"] = tables["glyf"][:60]
    file = put("cut.ttf", fonts.font(good, damage=cut))
    made("pdf", "--title", "\uac00", "--font", file, said=missing("U+AC00", True))
    # A glyph higher than the page is cut by it
    file = put("tall.ttf", fonts.font({"\uac00": (400, [TALL])}))
    assert block(made("png", "--title", "\uac00", "--xlabel", "\uac00", "--font", file), (11, 50))


def unnamed():
    """A font without a name, or without a count of its points, or with long tables is embedded all the same."""
    file = put("letters.otf", fonts.font({"\uac00": (1000, [ROUND])}, cubic=True, damage=lambda t: t.pop("maxp")))
    assert [embedded_font(s)["maxp"][:6] for w, s in objects(made("pdf", "--title", "\uac00", "--font", file)).values() if "/Length1" in w][1] == b"\0\1\0\0\0\2"
    file = put("letters.ttf", fonts.font({"\uac00": (1000, [FULL])}, damage=lambda t: t.pop("name")))
    assert fonts_of(made("png", "--title", "\uac00", "--font", file))[0].endswith("1.5 (checksum 12345678)")
    assert b"/BaseFont/" in made("pdf", "--title", "\uac00", "--font", file)
    plain, longer = (made("pdf", "--title", "\uac00", "--font", put("letters.ttf", fonts.font(
        {"\uac00": (1000, [FULL])}, damage=lambda t: t.update(hhea=t["hhea"] + bytes(more))))) for more in (0, 100000))
    assert longer == plain
    file = put("letters.ttf", fonts.font({"\uac00": (1000, [FULL])}, family="A/(b)<c>'\" " * 20))
    assert re.search(rb"/BaseFont/[A-Z]{6}\+(Abc)+[^A-Za-z]", made("pdf", "--title", "\uac00", "--font", file))


def pixels(title):
    return decode(made("png", "--title", title))[0]


def marks():
    """Marks stand on their letter and take no room; they are not lost to readers of a PDF."""
    for text, same in (("e\u0301", "\u00e9"), ("E\u0301", "\u00c9"), ("\u0438\u0306", "\u0439")):
        assert (pixels(text) == pixels(same)).all(), ascii(text)
        assert "".join(s[4] for s in strings(text)) == text
    for text in ("q\u0301", "q\u0323", "\u0301e", "\u05d1\u05b8"):
        assert "".join(s[4] for s in strings(text)) == text, ascii(text)
    above, below = strings("q\u0301"), strings("q\u0323")
    assert (pixels("q\u0301") != pixels("q")).any() and len(above) == len(below) == 2
    made("png", "--title", "e\u1abf\u1abf\u0301", said=missing("U+1ABF"))


def joined():
    """Jamo become syllables; joiners and variation selectors are kept and draw nothing."""
    file = put("letters.ttf", fonts.font({"\uac00": (1000, [FULL]), "\uac01": (1000, [FULL])}))
    assert [s[4] for s in strings("\u1100\u1161\u1100\u1161\u11a8", "--font", file)] == ["\uac00\uac01"]
    assert [s[4] for s in strings("\uac00\u11a8\uac01", "--font", file)] == ["\uac01\uac01"]
    for odd in ("\u1100a", "\u1161", "\uac01\u11a8", "\uac00\u11a7", "\uac00\u11c3", "\u1113\u1161", "\u1100\u1176", "\u1100\u1160", "\ud7a4\u11a8"):
        text = "".join(s[4] for s in strings(odd, "--font", file, "--quiet"))
        assert "\uac02" not in text and len(text) >= len(odd) - 1, (odd, text)
    family = "\u2764\ufe0f\u200d\u2764"
    root = ElementTree.fromstring(made("svg", "--title", family + " a\u200db"))
    assert next(root.iter(SVG + "title")).text == family + " a\\342\\200\\215b"
    assert [s[4] for s in strings(family)] == ["\u2764\u2764"]


def leftward():
    """Words that run to the left are turned, numbers and marks within them are not (Unicode's UAX #9)."""
    alef, bet, gimel, point = "\u05d0\u05d1\u05d2\u05b8"
    for text, want in ((alef + bet, bet + alef), (f"a {alef}{bet} {gimel} b", f"a {gimel} {bet}{alef} b"),
                       (f"{alef} 3.14 {bet}", f"{bet} 3.14 {alef}"), (f"{alef} 1,000", f"1,000 {alef}"), (f"12 {alef}", f"12 {alef}"),
                       (f"({alef} b) c", f"({alef} b) c"), (f"{alef}!", f"{alef}!"), (f"!{alef}", f"!{alef}"), (f"{alef}- c", f"{alef}- c"),
                       (f"{alef}{point}{bet}", f"{bet}{alef}{point}"), (f"{alef} \u0661\u0662 {bet}", f"{bet} \u0661\u0662 {alef}"),
                       (f"{alef} 1. {bet}", f"{bet} .1 {alef}"), (f"{alef} 1\u20262", f"2\u20261 {alef}"),
                       (f"{alef} 1.", f"1 {alef}."), (f"{alef} 1\u2026{bet}", f"{bet}\u20261 {alef}"), (f".5 {alef}", f".5 {alef}")):
        got = "".join(s[4] for s in strings(text, "--quiet"))
        assert got == want, (ascii(text), ascii(got), ascii(want))
    # A bracket is drawn as one that opens on the side that is read first, and read as what it is
    assert [s[4] for s in strings(f"{alef}({bet}){gimel}")] == [gimel, ")", bet, "(", alef]


def words_of_arabic():
    """Arabic and Persian letters have the forms that join them, which are in the font."""
    for text, forms in (("\u0645\u0631\u062d\u0628\u0627", "\ufee3\ufeae\ufea3\ufe92\ufe8e"),
                        ("\u0633\u0644\u0627\u0645", "\ufeb3\ufefc\ufee1"), ("\u0627\u0644\u0622\u0646", "\ufe8d\ufef5\ufee5"),
                        ("\u0644\u0623\u0628\u0644\u0625", "\ufef7\ufe91\ufefa"), ("\u0644\u200c\u0627", "\ufedd\ufe8d"),
                        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\ufee3\ufbfd\ufea7\ufeee\ufe8d\ufeeb\ufee2"),
                        ("\u067e\u0686\u0698 \u06a9\u06af", "\ufb58\ufb7d\ufb8b \ufb90\ufb93"),
                        ("\u0645\u064f\u062d\u064e", "\ufee3\u064f\ufea2\u064e"), ("\u0628\u0640\u0628", "\ufe91\u0640\ufe90"),
                        ("\u0640\u0628\u0640", "\u0640\ufe92\u0640"), ("\u0621\u0628\u0621", "\ufe80\ufe8f\ufe80"),
                        ("\u0628\u064e\u200c\u0628", "\ufe8f\u064e\ufe8f"), ("\u0628 \u0628", "\ufe8f \ufe8f"), ("\u0640\u0640", "\u0640\u0640"),
                        ("\u0626\u0648\u064a", "\ufe8b\ufeee\ufef1"), ("\u0644a\u0627", "\ufedda\ufe8d")):
        assert (pixels(text) == pixels(forms)).all(), ascii(text)
    # Readers of a PDF find the letters, not their forms, also of a ligature
    assert "".join(s[4] for s in strings("\u0645\u0631\u062d\u0628\u0627")) == "\u0627\u0628\u062d\u0631\u0645"
    assert [s[4] for s in strings("\u0633\u0644\u0627\u0645")] == ["\u0645", "\u0644\u0627", "\u0633"]


def unshaped():
    """Without libraqm letters are drawn as they are, and a note says so; an SVG needs none."""
    os.makedirs("none", exist_ok=True)
    put("none/libraqm.so.0", b"none")
    env = {**conf(), "LD_LIBRARY_PATH": os.path.abspath("none")}
    note = "posenc mask: U+05D0 and letters like it are drawn neither joined nor in order, which takes the library libraqm (Debian: libraqm0)\n"
    for format in ("png", "pdf"):
        made(format, "--title", "\u05d0\u05d1", env=env, said=note)
        made(format, "--title", "\u0439\u03b1\u00e9", env=env)
    made("svg", "--title", "\u05d0\u05d1", env=env)
    assert strings("\u05d0\u05d1", env=env, said=note)[0][4] == "\u05d0\u05d1"
    assert strings("\u0646\u200c\u0646", "--quiet", env=env)[0][4] == "\u0646\u0646"


def upward():
    """Text that runs upward has its other letters and marks there, too."""
    file = put("letters.ttf", fonts.font({"\uac00": (1000, [FULL])}))
    found = [s for s in drawn(made("pdf", "--ylabel", "E\u0301\uac00", "--font", file)) if s[3]]
    assert [s[4] for s in found[:2]] == ["E\u0301", "\uac00"]
    assert found[0][1] == found[1][1] and found[1][2] < found[0][2]
    assert block(made("png", "--ylabel", "\uac00", "--font", file), (23, 26))


def korean():
    """A Hangul font of this machine: no box, in all formats."""
    env = dict(os.environ)
    png = made("png", "--words", "\ud55c\uad6d\uc5b4", "--title", "\uc704\uce58 \uc778\ucf54\ub529", env=env)
    assert len(fonts_of(png)) == 1
    assert [s[0] for s in strings("\uc704\uce58", env=env)] == ["F1"]
    assert len(made("pdf", "--title", "\uc704\uce58 \uc778\ucf54\ub529", env=env)) < 40000


def opens(library):
    try:
        return ctypes.CDLL(library)
    except OSError:
        return None


def hides_raqm():
    """Whether a folder can stand before that of libraqm, which a program may know."""
    put("libraqm.so.0", b"none")
    env = {**conf(), "LD_LIBRARY_PATH": os.getcwd()}
    words = [POSENC, "mask", "--len", "1", "--title", "\u05d0", "--png", "-"]
    return b"libraqm" in subprocess.run(words, capture_output=True, env=env).stderr


def lacks(check):
    if check in (system, korean) and not opens("libfontconfig.so.1"):
        return "fontconfig is not installed"
    if check in (marks, leftward, words_of_arabic, upward) and not opens("libraqm.so.0"):
        return "libraqm is not installed"
    if check is unshaped and not hides_raqm():
        return "the program finds libraqm in a folder of its own"
    if check in (absent, korean) and "san" in os.environ.get("B", ""):
        return "the sanitizer has calls of its own, and finds leaks of fontconfig with a whole system's fonts"
    if check is absent and not os.path.exists(PRELOAD):
        return "it takes Linux and glibc"
    if check is korean and not (shutil.which("fc-list") and subprocess.run(["fc-list", ":charset=c704"], capture_output=True).stdout):
        return "no Hangul font is installed"
    return None


CHECKS = (given, curves, wide, boxed, named, system, absent, unusable, unnamed, marks, joined, leftward, words_of_arabic, unshaped, upward, korean)

if __name__ == "__main__":
    figures.missing = lacks
    sys.exit(figures.main(sys.argv[1:], CHECKS))
