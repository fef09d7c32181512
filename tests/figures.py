"""What figures show, read back from PNG and SVG. TAP on standard output.

Usage: figures.py [CHECK...], the names of functions below (default: all).
BLESS=1 writes the golden figures anew: look at them before you commit them.
"""

import base64
import importlib.util
import io
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden", "figures")
POSENC = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"


def chunks(data):
    at = 8
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        n, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + n]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + n:at + 12 + n])[0]
        yield kind, body
        at += 12 + n


def decode(data):
    """Pixels [h, w, 3] of a palette PNG, or of rsvg-convert's RGBA."""
    found = {}
    for kind, body in chunks(data):
        found[kind] = found.get(kind, b"") + body
    w, h, depth, color = struct.unpack(">IIBB", found[b"IHDR"][:10])
    size = {3: 1, 2: 3, 6: 4}[color]
    assert depth == 8
    raw = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(h, w * size + 1)
    rows = np.zeros((h + 1, w * size), np.uint8)
    for y, line in enumerate(raw):
        rows[y + 1] = unfilter(line[0], line[1:], rows[y], size)
    pixels = rows[1:].reshape(h, w, size)
    if color == 3:
        palette = np.frombuffer(found[b"PLTE"], np.uint8).reshape(-1, 3)
        pixels = palette[pixels[:, :, 0]]
    return pixels[:, :, :3].astype(int), found


def unfilter(kind, line, above, size):
    if kind == 0:
        return line
    if kind == 2:
        return line + above
    out = np.zeros(len(line) + size, int)
    up = np.concatenate([np.zeros(size, int), above.astype(int)])
    for i, x in enumerate(line.astype(int), size):
        a, b, c = out[i - size], up[i], up[i - size]
        p = a + b - c
        near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        out[i] = x + (a if kind == 1 else (a + b) // 2 if kind == 3 else near) & 255
    return out[size:].astype(np.uint8)


def run(words, format, **options):
    """What is written; the system has no fonts, so that letters that DejaVu Sans lacks are missing on every machine."""
    command = words if isinstance(words, list) else words.split()
    with open("no_fonts.conf", "w") as file:
        file.write("<fontconfig></fontconfig>")
    options.setdefault("env", {**os.environ, "FONTCONFIG_FILE": os.path.abspath("no_fonts.conf")})
    made = subprocess.run([POSENC, *command, "--" + format, "-"], capture_output=True, **options)
    assert made.returncode == 0, made.stderr
    return made.stdout


def png(words):
    return decode(run(words, "png"))


def svg(words):
    return ElementTree.fromstring(run(words, "svg"))


def table(words):
    """The numbers of a figure: how that looks is left out, as posenc refuses it here."""
    words = re.sub(r" --((scale|cell|plot|theme|title|cmap) \S+|transpose)", "", words)
    return np.load(io.BytesIO(run(words, "npy"))).astype(float)


def images(root):
    """(x, y, w, h) of each embedded picture, and its pixels."""
    for i in root.iter(SVG + "image"):
        data = base64.b64decode(i.get(XLINK + "href").split(",")[1])
        yield tuple(int(i.get(k)) for k in ("x", "y", "width", "height")), decode(data)[0]


def texts(root):
    return [(t.text, float(t.get("x")), float(t.get("y"))) for t in root.iter(SVG + "text")]


def number(text):
    return float(text.replace("\u2212", "-"))


def cells():
    """Every cell is a block of the same size, in the colour of its number."""
    for words, shape in (("sinusoid --len 30 --dim 20", (30, 20)), ("sinusoid --len 4 --dim 8", (4, 8)),
                         ("sinusoid --len 700 --dim 16", (700, 16)), ("sinusoid --len 9 --dim 700 --scale 1", (9, 700)),
                         ("sinusoid --len 12 --dim 5 --cell 7", (12, 5)), ("sinusoid --len 1100 --dim 1000 --cell 1", (1100, 1000)), ("sinusoid --len 1 --dim 64", (1, 64)),
                         ("sinusoid --len 64 --dim 1", (64, 1)), ("sinusoid --len 30 --dim 20 --transpose", (20, 30)),
                         ("sinusoid --len 200 --dim 500", (200, 500)), ("sinusoid --len 200 --dim 500 --transpose", (500, 200)),
                         ("sinusoid --len 1 --dim 70 --cell 90 --scale 1", (1, 70))):
        (x, y, w, h), small = next(images(svg(words + " --cmap gray")))
        pixels, _ = png(words + " --cmap gray")
        box = pixels[y:y + h, x:x + w]
        assert w % shape[1] == 0 and h % shape[0] == 0, (words, w, h)
        blocks = box.reshape(shape[0], h // shape[0], shape[1], w // shape[1], 3)
        assert (blocks == blocks[:, :1, :, :1]).all(), words
        t = table(words)
        t = t.T if "transpose" in words else t
        assert np.abs(blocks[:, 0, :, 0, 0] - (t + 1) / 2 * 255).max() < 1.3, words
        assert small.shape[0] % shape[0] == 0 and small.shape[1] % shape[1] == 0
        if "--cell 7" in words:
            assert (w, h) == (35, 84)


def axes():
    """Labels stand at the middle of the cells that they name."""
    for words, at in (("sinusoid --len 100 --dim 128", lambda i: i), ("relative --len 60", lambda i: i),
                      ("sinusoid --len 50 --dim 40 --start -25", lambda i: i + 25),
                      ("sinusoid --len 40 --dim 30 --start 1000000 --rows 10:40", lambda i: i - 1000010)):
        root = svg(words)
        t = table(words)
        (x, y, w, h), _ = next(images(root))
        left = [(number(s), b) for s, a, b in texts(root) if a < x and re.match(r"[\u2212\d]", s)]
        below = [(number(s), a) for s, a, b in texts(root) if b > y + h and a < x + w and re.match(r"[\u2212\d]", s)]
        assert len(left) >= 3 and len(below) >= 3
        for label, b in left:
            middle = y + (at(label) + 0.5) * h / t.shape[0]
            assert abs(b - 0.36 * 24 - middle) < 2.5, (words, label, b, middle)
        for label, a in below:
            assert abs(a - (x + (label + 0.5) * w / t.shape[1])) < 1.5, (words, label)
    names = [s for s, _, _ in texts(svg("sinusoid --len 9 --dim 4"))]
    assert "Position" in names and "Dimension" in names and "Sinusoidal positional encoding" in names


def weights():
    """Attention weights are coloured by their roots, from 0 to where few are above; linearly from 0 to 1."""
    np.save("few.npy", np.arange(12, dtype=np.float32).reshape(4, 3) / 50)
    t = table("attend few.npy")
    assert 0.2 < t.min() and t.max() < 0.3
    for more, want in ((" --scale-colors linear", t), ("", np.sqrt(t / t.max()))):
        (x, y, w, h), _ = next(images(svg("attend few.npy --cmap gray" + more)))
        pixels, _ = png("attend few.npy --cmap gray" + more)
        middles = pixels[y + h // 8:y + h:h // 4, x + w // 8:x + w:w // 4, 0]
        # A level is 1.3 of 255; the end of the range has two digits
        assert np.abs(middles - want * 255).max() < (6 if not more else 1.6), more
    np.save("many.npy", np.sin(np.arange(40.0)[:, None] / 9 ** np.arange(6) + np.arange(6)).astype(np.float32))
    t, root = table("attend many.npy --mask causal"), svg("attend many.npy --mask causal")
    note = next(s for s, _, _ in texts(root) if s.endswith("and more have one colour"))
    above = (t >= float(note.split()[2])).sum() / (t > 0).sum()
    assert 0 < above < 0.02, (note, above)
    pixels, _ = png("attend many.npy --mask causal")
    (x, y, w, h), _ = next(images(root))
    assert (pixels[y + h // 80, x + w - w // 80] == [184, 186, 194]).all()


def names():
    """Axes and the colour bar have names: usual ones, or those given, cut to fit."""
    usual = {"alibi --len 5 --heads 2": ["Query", "Key", "Bias"], "t5-bucket --len 5": ["Query", "Key", "Bucket"],
             "sinusoid --len 9 --dim 4": ["Position", "Dimension", "Value"],
             "sinusoid --len 9 --dim 4 --transpose": ["Dimension", "Position", "Value"]}
    for words, expected in usual.items():
        assert set(expected) <= {s for s, _, _ in texts(svg(words))}, words
    assert [s for s, _, _ in texts(svg("alibi --heads 4 --out slopes"))].count("Slope") == 1  # beside the colour bar
    os.makedirs("folder", exist_ok=True)
    np.save("folder/t.npy", np.eye(2))
    # A subtitle names no lists and no files, which say little of what is seen
    assert not [s for s, _, _ in texts(svg("embed --table folder/t.npy --ids 0,1")) if "t.npy" in s or "0,1" in s]
    more = " --ylabel \u03b1y --xlabel bx", " --zlabel c"
    for words, kinds in (("sinusoid --len 9 --dim 4", 2), ("alibi --len 5 --heads 2", 2), ("sinusoid --len 9 --dim 4 --plot lines", 1)):
        made = [s for s, _, _ in texts(svg(words + "".join(more[:kinds])))]
        assert {"\u03b1y", "bx", "c"} & set(made) == {"\u03b1y", "bx", "c"} - ({"c"} if kinds == 1 else set()), words
        assert not {"Position", "Query", "Key", "Dimension"} & set(made)
    for word in "n" * 300, "\u03b8" * 200, "\u03b8":
        root = svg(["mask", "--len", "2", "--ylabel", word, "--xlabel", word, "--zlabel", word])
        made = [s for s, _, _ in texts(root) if s.startswith(word[0])]
        assert len(made) == 3 and all(s == word or (s.endswith("\u2026") and len(s) < 25) for s in made), made
        png(["mask", "--len", "2", "--ylabel", word, "--xlabel", word])
    hidden = svg(["sinusoid", "--len", "30", "--dim", "20", "--xlabel", "a\x01\u202eb", "--ylabel", "\x1b[31m", "--zlabel", b"\xff"])
    assert {"a\\001\\342\\200\\256b", "\\033[31m", "\\377"} <= {s for s, _, _ in texts(hidden)}
    for word in b"n" * 50, b"\x80" * 50:  # not even an ellipsis fits
        root = svg(["embed", "--vocab", "1", "--dim", "3", "--cell", "1", "--ylabel", word])
        assert "\u2026" in [s for s, _, _ in texts(root)]


def bar():
    """The colour bar's numbers stand where its colours are; symmetric about 0."""
    root = svg("sinusoid --len 9 --dim 4")
    (x, y, w, h), _ = list(images(root))[1]
    ticks = [(number(s), b) for s, a, b in texts(root) if a > x and re.match(r"[\u2212\d]", s)]
    assert [t[0] for t in ticks][0] == -1 and [t[0] for t in ticks][-1] == 1 and len(ticks) >= 3
    for value, b in ticks:
        assert abs(b - 0.36 * 24 - (y + (1 - value) / 2 * h)) < 2.5
    for words, lo, hi in (("embed --vocab 9 --dim 8 --init uniform:-1,3", -3, 3),
                          ("embed --vocab 9 --dim 8 --init uniform:-1,3 --range auto", -1, 3),
                          ("sinusoid --len 9 --dim 4 --range -2:6", -2, 6),
                          ("sinusoid --len 64 --dim 64 --range auto", -1, 1),
                          ("relative --len 100 --range sym", -99, 99)):
        root = svg(words)
        (x, _, _, _), _ = list(images(root))[1]
        values = [number(s) for s, a, b in texts(root) if a > x and re.match(r"[\u2212\d]", s)]
        assert lo <= min(values) < lo + 0.3 * (hi - lo) and hi - 0.3 * (hi - lo) < max(values) <= hi, values


def colors():
    """The ends and the middle of every map, as published."""
    ends = {"viridis": ("440154", "21918c", "fde725"), "cividis": ("00224e", "7d7c78", "fee838"),
            "magma": ("000004", "b73779", "fcfdbf"), "blues": ("f7fbff", "6baed6", "08306b"),
            "coolwarm": ("3b4cc0", "dddcdc", "b40426"), "rdbu": ("67001f", "f7f7f7", "053061"),
            "puor": ("7f3b08", "f7f7f7", "2d004b"), "vik": ("001261", "ece5e0", "590008"),
            "gray": ("000000", "808080", "ffffff")}
    np.save("ends.npy", np.array([[-1, 0, 1]], np.float32))
    for name, wanted in ends.items():
        (x, y, w, h), _ = next(images(svg(f"embed --table ends.npy --cmap {name}")))
        pixels, _ = png(f"embed --table ends.npy --cmap {name}")
        got = pixels[y + h // 2, x + w // 6:x + w:w // 3]
        want = np.array([[int(c[i:i + 2], 16) for i in (0, 2, 4)] for c in wanted])
        assert np.abs(got - want).max() <= 2, (name, got, want)


def plain():
    """A pixel a number takes its map and range, too."""
    for words in "sinusoid --len 9 --dim 5", "sinusoid --len 1100 --dim 2", "embed --vocab 9 --dim 5 --init uniform:-1,3 --dtype f64":
        t = table(words)
        lo, hi = (t.min(), t.max()) if "embed" in words else (-1, 1)
        most = max(-lo, hi)
        for more, a, b in (("", -most, most), (" --range -2:2", -2, 2), (" --range 0:0.5", 0, 0.5),
                           (" --range sym", -most, most), (" --range auto", lo, hi)):
            pixels, _ = png(words + " --plain --cmap gray" + more)
            assert pixels.shape == (*t.shape, 3)
            assert np.abs(pixels[:, :, 0] - np.clip((t - a) / (b - a), 0, 1) * 255).max() < 1.1, words + more
    # More rows than are kept until they are compressed, in bands by threads: 4 MB
    for words in "sinusoid --len 9000 --dim 512", "sinusoid --len 21 --dim 200002":
        pixels, t = png(words + " --plain --cmap gray --threads 3")[0], table(words)
        assert np.abs(pixels[:, :, 0] - (t + 1) / 2 * 255).max() < 1.1, words
        assert run(words + " --plain --threads 1", "png") == run(words + " --plain --threads 3", "png"), words
    figure, small = svg("sinusoid --len 9 --dim 8"), png("sinusoid --len 9 --dim 8 --plain")[0]
    (_, cells), *_ = images(figure)
    cells = cells[::cells.shape[0] // 9, ::cells.shape[1] // 8]
    assert np.abs(cells - small).max() <= 4  # they differ in the number of levels


def infinities():
    """NaN and infinities look like no value of any map, and the bar has a patch for each."""
    ramp = np.linspace(-1, 1, 253, dtype=np.float32)
    np.save("apart.npy", np.concatenate([ramp, np.array([np.nan, np.inf, -np.inf], np.float32)])[None])
    for name in "viridis cividis magma blues coolwarm rdbu puor vik gray berlin".split():
        colours = png(f"show apart.npy --plain --cmap {name}")[0][0]
        distances = np.abs(colours[253:, None] - colours[None]).sum(2)
        assert (np.sort(distances, 1)[:, 1] > 6).all(), name
    for i, j in ((0, 1), (1, 2), (2, 0)):
        assert np.abs(colours[253 + i] - colours[253 + j]).sum() > 100
    for values, named in (([[0, -np.inf], [0, 0]], ["0", "\u2212inf"]), ([[np.inf, np.inf]], ["inf"]), ([[np.nan]], ["NaN"]), ([[2.5, np.inf]], ["2.5", "inf"]),
                          ([[np.inf, np.nan, -np.inf]], ["NaN", "inf", "\u2212inf"])):
        np.save("few.npy", np.array(values))
        root = svg("show few.npy")
        (x, y, w, h), _ = next(images(root))
        assert [s for s, a, b in texts(root) if a > x + w and s != "Value"] == named, values
    down = [b for s, _, b in texts(root) if s in named]
    assert down[1] - down[0] == down[2] - down[1] > 28  # pixels: the height of a patch


def frames(data):
    """The pictures of an animated PNG, each as its chunks say."""
    found = list(chunks(data))
    palette = np.frombuffer(dict(found)[b"PLTE"], np.uint8).reshape(-1, 3).astype(int)
    w, h = struct.unpack(">II", dict(found)[b"IHDR"][:8])
    (count, plays), = [struct.unpack(">II", body) for kind, body in found if kind == b"acTL"]
    parts, numbers = [], []
    for kind, body in found:
        if kind == b"fcTL":
            parts.append([struct.unpack(">IIIIHHBB", body[4:]), b""])
        elif kind in (b"IDAT", b"fdAT"):
            parts[-1][1] += body[4 if kind == b"fdAT" else 0:]
        if kind in (b"fcTL", b"fdAT"):
            numbers.append(struct.unpack(">I", body[:4])[0])
    assert numbers == list(range(len(numbers))) and len(parts) == count and plays == 0
    screen = np.zeros((h, w), np.uint8)
    for (wide, high, x, y, above, below, leave, blend), packed in parts:
        assert (above, below, leave, blend) == (1, 10, 0, 0)
        raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(high, wide + 1)
        assert not raw[:, 0].any()
        screen[y:y + high, x:x + wide] = raw[:, 1:]
        yield palette[screen]


def lzw(data, bits):
    """The pixels of the compressed blocks of a GIF."""
    clear, out, last, held, count, at = 1 << bits, bytearray(), b"", 0, 0, 0
    table, size = [], bits + 1
    while True:
        while count < size:
            held |= data[at] << count
            at, count = at + 1, count + 8
        k, held, count = held & (1 << size) - 1, held >> size, count - size
        if k == clear:
            table, size, last = [bytes([i]) for i in range(clear)] + [b"", b""], bits + 1, b""
            continue
        if k == clear + 1:
            return np.frombuffer(out, np.uint8)
        if last and len(table) < 4096:
            table.append(last + (table[k] if k < len(table) else last)[:1])
        last = table[k]
        out += last
        size += len(table) == 1 << size and size < 12


def gif_frames(data):
    """The pictures of a GIF, how long each stays in 1/100 s, and its comment."""
    w, h, flags = struct.unpack("<HHB", data[6:11])
    at = 13 + (6 << (flags & 7))
    colors, seen, frames, stays, comment = data[13:at], np.zeros((h, w, 3), int), [], [], b""
    while data[at] != 0x3b:
        kind, body = data[at + 1], b""
        picture = data[at] == 0x2c
        if picture:
            x, y, dx, dy, flags = struct.unpack("<HHHHB", data[at + 1:at + 10])
            own = 6 << (flags & 7) if flags & 128 else 0
            palette = np.frombuffer(data[at + 10:at + 10 + own] or colors, np.uint8).reshape(-1, 3)
            at += 9 + own
            bits = data[at + 1]
        at += 2
        while data[at]:
            body += data[at + 1:at + 1 + data[at]]
            at += 1 + data[at]
        at += 1
        if picture:
            seen[y:y + dy, x:x + dx] = palette[lzw(body, bits)].reshape(dy, dx, 3)
            frames.append(seen.copy())
        elif kind == 0xf9:
            stays.append(struct.unpack("<H", body[1:3])[0])
        elif kind == 0xfe:
            comment = body
    return frames, stays, comment.decode()


def gif():
    """The pixels of a GIF are those of a PNG, in each frame; its frames last as long as their rate says."""
    for words in "sinusoid --len 9 --dim 8 --scale 1", "alibi --len 9 --heads 4 --plot lines --scale 1 --theme dark":
        pictures, stays, comment = gif_frames(run(words, "gif"))
        assert len(pictures) == 1 and stays == [0], words
        assert (pictures[0] == decode(run(words, "png"))[0]).all(), words
        assert comment == "posenc " + words, comment
    words = "shift --dim 6 --scale 1 --animate by=0:12 --frame-rate 7"
    pictures, stays, _ = gif_frames(run(words, "gif"))
    want = list(frames(run(words.replace(" --frame-rate 7", ""), "png")))
    assert len(pictures) == len(want) == 13 and sum(stays) == 185 and set(stays) == {14, 15}, stays
    assert all((a == b).all() for a, b in zip(pictures, want))


def animated():
    """Frames of an animation are the figures of their values, of one size."""
    for words, values in (("shift --dim 6 --animate by=0:12", [f"by {i}" for i in range(13)]),
                          ("sinusoid --len 30 --dim 20 --animate base=10:1000:log --frame-count 3", ["base 10", "base 100", "base 1000"]),
                          ("sinusoid --len 9 --dim 4 --plot lines --animate 5:-5", [f"start {i}" for i in range(5, -6, -1)]),
                          ("naive --kind binary --len 5 --dim 4 --animate 0:2", [f"start {i}" for i in range(3)])):
        made = list(frames(run(words, "png")))
        assert len(made) == len(values), words
        for picture, value in zip(made, values):
            want = png(words.split(" --animate")[0] + f" --{value} --frame fixed")[0]
            assert picture.shape == want.shape and np.abs(picture - want).mean() < 0.5, (words, value)
    words = "embed --vocab 20 --dim 8 --animate seed=0:3"
    lo, hi = (f([f(table(f"embed --vocab 20 --dim 8 --seed {i}")) for i in range(4)]) for f in (np.min, np.max))
    most = float(max(-lo, hi))  # its digits alone, also in NumPy 2
    for i, picture in enumerate(frames(run(words, "png"))):
        assert (picture == png(f"embed --vocab 20 --dim 8 --seed {i} --range {-most!r}:{most!r} --frame fixed")[0]).mean() > 0.99
    assert len(run("sinusoid --len 512 --dim 512 --quiet --animate base=1e2:1e6:log", "png")) < 2e6
    assert len(run("embed --vocab 700 --dim 700 --cell 1 --scale 1 --quiet --animate seed=0:9", "png")) > 2e6  # noise


def each():
    """With --range each, every panel has the colours of its values alone."""
    t = np.stack([np.arange(12.0).reshape(3, 4) * k - 5 for k in (1, 10)]).astype(np.float32)
    np.save("each.npy", t)
    root = svg("show each.npy --range each --cmap gray")
    for (box, cells), plane in zip(images(root), t):
        most = max(-plane.min(), plane.max())
        got = cells[::cells.shape[0] // 3, ::cells.shape[1] // 4, 0]
        assert np.abs(got - (plane / most + 1) / 2 * 255).max() < 1.6
    assert {"plane 0 (\u22126 to 6)", "plane 1 (\u2212105 to 105)"} <= {s for s, _, _ in texts(root)}


def published():
    """Whole maps beside matplotlib's."""
    import matplotlib
    np.save("ramp.npy", np.linspace(-1, 1, 201, dtype=np.float32)[None])
    for name, theirs in (("viridis", "viridis"), ("cividis", "cividis"), ("magma", "magma"), ("blues", "Blues"),
                         ("coolwarm", "coolwarm"), ("rdbu", "RdBu"), ("puor", "PuOr"), ("gray", "gray")):
        words = f"embed --table ramp.npy --cmap {name} --cell 1"
        (x, y, w, h), _ = next(images(svg(words)))
        want = np.array([matplotlib.cm.get_cmap(theirs)(v)[:3] for v in np.linspace(0, 1, 201)]) * 255
        assert np.abs(png(words)[0][y, x:x + w] - want).max() < 6, name


def signs():
    """NaN has a colour that no map has, and is named; whole numbers have steps."""
    t = np.zeros((3, 4), np.float32)
    t[1, 2] = np.nan
    t[0, 0], t[2, 3] = np.inf, -np.inf
    np.save("nan.npy", t)
    root = svg("embed --table nan.npy")
    (x, y, w, h), _ = next(images(root))
    pixels, _ = png("embed --table nan.npy")
    middles = pixels[y + h // 6:y + h:h // 3, x + w // 8:x + w:w // 4]
    assert (middles[1, 2] == (255, 0, 255)).all()
    assert len({tuple(c) for c in middles.reshape(-1, 3)}) == 4
    assert [s for s, _, _ in texts(root)][-3:] == ["NaN", "inf", "\u2212inf"]
    assert (png("embed --table nan.npy --plain")[0][t != 0] == middles[t != 0]).all()
    root = svg("t5-bucket --len 20 --num-buckets 8 --max-distance 16")
    _, bar_pixels = list(images(root))[1]
    assert len({tuple(c) for c in bar_pixels.reshape(-1, 3)}) == 8
    numbers = [s for s, a, b in texts(root)]
    assert all(str(k) in numbers for k in range(8))


OKABE_ITO = "#0072b2", "#d55e00", "#009e73", "#cc79a7"


def lines():
    """The path of a column runs through its numbers, in Okabe and Ito's colours."""
    np.save("rows.npy", table("sinusoid --len 100 --dim 20").astype(np.float32))
    for words, every in (("show rows.npy", 1), ("sinusoid --len 100 --dim 20", 6), ("sinusoid --len 100 --dim 20 --step 2", 6),
                         ("rope --len 100 --dim 20 --out cos-full --pairs interleaved", 6),
                         ("sinusoid --len 100 --dim 20 --zero-row 1", 1), ("sinusoid --len 100 --dim 20 --step 4", 1),
                         ("sinusoid --len 100 --dim 20 --base 1e-4", 1), ("sinusoid --len 100 --dim 20 --emulate keras", 1),
                         ("sinusoid --positions 0,1,2 --dim 20", 1), ("sinusoid --len 600 --dim 20", 1)):
        root = svg(words + " --plot lines --dims 4:8")
        drawn = [p for p in root.iter(SVG + "path") if p.get("stroke-width") == "3.5"]  # not below equal ones
        t = table(words)
        legend = [s for s, _, _ in texts(root) if s.startswith(("dim ", "column "))]
        assert [s.split()[1] for s in legend] == ["4", "5", "6", "7"]
        assert len(drawn) == 8
        for k, at in enumerate(corners(p) for p in drawn[:4]):
            assert drawn[k].get("stroke") == OKABE_ITO[k] and len(at) == (len(t) - 1) * every + 1, (words, len(at))
            assert np.abs(np.diff(at[:, 0]) - np.diff(at[:, 0]).mean()).max() < 0.02
            if words.startswith("sinusoid") and every > 1:  # between positions, too
                x = np.linspace(0, 99, len(at)) * (2 if "step" in words else 1) * 1e4 ** -((4 + k) // 2 / 10)
                y = np.cos(x) if k % 2 else np.sin(x)
            else:
                at, y = at[::every], t[:, 4 + k]
            ys = np.polyfit(at[:, 1], y, 1)
            assert np.abs(np.polyval(ys, at[:, 1]) - y).max() < 1e-4, words
    dashes = [p.get("stroke-dasharray") for p in svg("sinusoid --len 9 --dim 20 --plot lines --dims 0:9").iter(SVG + "path")]
    assert dashes[:18:2] == [None, "16", "6", "32", None, "16", "6", "32", "16"]


def paths(root):
    """The corners of each path."""
    return [corners(p) for p in root.iter(SVG + "path") if "h" not in p.get("d")]


def corners(path):
    return np.array([[float(v) for v in corner.split()] for corner in path.get("d")[1:].split("L")])


def dots(root):
    """The middles of the dots of each curve, and their width."""
    return [(np.array([[float(v) for v in dot.split()] for dot in p.get("d")[1:-4].split("h.01M")]), float(p.get("stroke-width")))
            for p in root.iter(SVG + "path") if "h" in p.get("d")]


def areas(root):
    """The corners of each area."""
    return [np.array([float(v) for v in p.get("points").split()]).reshape(-1, 2) for p in root.iter(SVG + "polygon")]


def dashes():
    """Lines differ without colours, those of a colour in their dashes; lone numbers are seen."""
    t = np.tile(np.arange(10, dtype=np.float32) + 0.3, (9, 1))  # no grid line is there
    t[:, 9] = np.nan
    t[4, 9] = 9.3
    np.save("flat.npy", t)
    words = "embed --table flat.npy --plot lines --dims 0:10"
    pixels, _ = png(words)
    at = paths(svg(words))
    page = pixels[0, 0]
    ink = [(pixels[int(p[0, 1]), int(p[0, 0]) + 2:int(p[-1, 0]) - 2] != page).any(1) for p in at[:10]]
    for k, period in enumerate((0, 32, 12, 64, 0, 32, 12, 64, 32)):
        begins = np.flatnonzero(np.diff(ink[k].astype(int)) == 1)
        if period:
            assert len(begins) > 15 and (np.diff(begins) == period).all(), (k, begins)
            assert 0.5 < ink[k].mean() < 0.85, (k, ink[k].mean())
        else:
            assert ink[k].all()
    (((x, y),), width), = dots(svg(words))
    assert width == 7 and (pixels[int(y) - 2:int(y) + 3, int(x) - 2:int(x) + 3] != page).any(2).all()
    ((_, width),) = dots(svg(words + " --scale 1"))
    assert width >= 3


def clocks():
    """A hand for each pair and row, in the direction of its values; its length is their part of the pair's most."""
    np.save("hands.npy", np.random.default_rng(1).normal(size=(5, 8)))
    for words, apart in (("sinusoid --len 9 --dim 8", 1), ("sinusoid --len 3 --dim 6 --layout split", 3),
                         ("rope --apply hands.npy", 4), ("grid --grid 2x2 --dim 8 --variant detr", 1)):
        root, t = svg(words + " --plot clocks"), table(words)
        dials = [c for c in root.iter(SVG + "path")]
        pairs = [(k, k + apart) if apart > 1 else (2 * k, 2 * k + 1) for k in range(t.shape[1] // 2)]
        hands = [np.array([float(x) for x in re.findall("[0-9.]+", p.get("d"))]).reshape(2, 2) for p in dials
                 if "fill" in p.keys() and p.get("fill") == "none" and len(p.get("d").split("L")) == 2]
        assert len(hands) == len(t) * len(pairs), words
        lengths = [np.hypot(*t[:, list(pair)].T) for pair in pairs]
        radius = max(np.hypot(*(b - a)) for a, b in hands)
        dials = next(p for p in root.iter(SVG + "path") if p.get("stroke") == "#dedede")
        assert abs(float(dials.get("stroke-width")) - 2 * radius) < 0.1, words
        for n, (a, b) in enumerate(hands):
            i, k = divmod(n, len(pairs))
            right, up = t[i, list(pairs[k])] / lengths[k].max() * radius
            assert np.abs(b - a - (right, -up)).max() < 0.05, (words, i, k)
        rows = [y for s, x, y in texts(root) if s == ", ".join(map(str, pairs[-1]))]
        assert abs(rows[0] - 9 - hands[len(pairs) - 1][0][1]) < 2 and len(set(round(a[0], 1) for a, _ in hands)) == len(t)


def wavelengths():
    """A dot for each pair at the decimal logarithm of its wavelength, and lines at the lengths."""
    for words, dim, scales, lengths in (("sinusoid --len 512 --dim 64", 64, (1,), (512,)),
                                        ("rope --len 900 --dim 20 --scaling linear:8", 20, (1, 8), (900,)),
                                        ("rope --len 900 --dim 20 --scaling yarn:2,600", 20, (1,), (900, 600))):
        root = svg(words + " --plot wavelengths")
        grid = [float(r.get("y")) + 1 for r in root.iter(SVG + "rect") if r.get("fill") == "#dedede"]
        ticks = [number(s) for s, x, y in texts(root) if re.match("1(0*|e.*)$", s) and x < 250]
        top, bottom, high, low = min(grid), max(grid), np.log10(max(ticks)), np.log10(min(ticks))
        paths = [p.get("d") for p in root.iter(SVG + "path")]
        ends = [[float(v) for v in re.findall("[0-9.]+", d)] for d in paths if "L" in d]
        lines = [10 ** (high - (y - top) / (bottom - top) * (high - low)) for x, y, a, b in ends if y == b and a - x > 800]
        assert np.allclose(lines, lengths, rtol=0.02), (words, lines)
        dots = [[float(v) for v in dot] for d in paths if "L" not in d for dot in re.findall(r"M([0-9.]+) ([0-9.]+)", d)]
        found = np.array([10 ** (high - (y - top) / (bottom - top) * (high - low)) for x, y in dots])
        for length in 2 * np.pi * 10000 ** (2 * np.arange(dim // 2) / dim):
            for factor in scales:
                assert np.abs(np.log(found / length / factor)).min() < 0.02, (words, length, factor)
        across = [x for x, y in dots if x < 1400]
        assert np.allclose(sorted(set(across)), min(across) + np.arange(dim // 2) * 1200 / (dim // 2), atol=0.02)
        foot = max(y for s, _, y in texts(root) if s == "0")
        assert all(abs(x - sorted(set(across))[int(s)]) <= 1 for s, x, y in texts(root) if y == foot)
    # Dashes of a pixel are no line
    pixels = png(words + " --plot wavelengths --width 12cm --dpi 72")[0][:, :, 0].astype(int)
    assert (np.diff(pixels) != 0).sum(1).max() > 250


def tiles():
    """A map for each cell of a grid, of its similarity to all cells, with a gap of one cell between two."""
    for grid, high, wide in (("4x6", 4, 6), ("3x3", 3, 3)):
        run(f"grid --grid {grid} --dim 16 --npy grid.npy", "csv")
        words = f"similarity grid.npy --metric cosine --grid {grid} --range 0:1 --cmap gray"
        (x, y, w, h), _ = next(images(svg(words + " --plot tiles")))
        pixels, _ = png(words + " --plot tiles")
        cell = w // (wide * (wide + 1) - 1)
        assert w % cell == 0 and h == cell * (high * (high + 1) - 1)
        middles = pixels[y + cell // 2:y + h:cell, x + cell // 2:x + w:cell, 0]
        t = table(words.replace(" --range 0:1", "")).reshape(high, wide, high, wide)
        for i in range(high):
            for j in range(wide):
                tile = middles[i * (high + 1):i * (high + 1) + high, j * (wide + 1):j * (wide + 1) + wide]
                assert np.abs(tile - t[i, j] * 255).max() < 1.3, (grid, i, j)
        assert (middles[high::high + 1] == 255).all() and (middles[:, wide::wide + 1] == 255).all()
        root = svg(words + " --plot tiles")
        foot = max(b for s, _, b in texts(root) if s == "0")
        below = [(int(s), a) for s, a, b in texts(root) if b == foot]
        assert len(below) == wide and all(abs(a - x - (k * (wide + 1) + wide / 2) * cell) <= 1 for k, a in below), below
    # Names of axes, about 0.55 em per letter, do not cross beside the smallest grids
    for grid in "1x1", "1x2", "2x1", "2x2":
        run(f"grid --grid {grid} --dim 16 --npy grid.npy", "csv")
        for more in "", " --width 9cm":
            root = svg(f"similarity grid.npy --grid {grid} --plot tiles" + more)
            (x, y), (u, v) = ([next(float(t.get(k)) for t in root.iter(SVG + "text") if t.text == name) for k in "xy"]
                              for name in ("Row of the cell", "Column of the cell"))
            size = next(float(t.get("font-size")) for t in root.iter(SVG + "text") if t.text == "Row of the cell")
            assert y + 15 * 0.275 * size < v - 0.8 * size or x < u - 18 * 0.275 * size, (grid, more)


def resized():
    """A column before and after it was resized: two maps in the same colours."""
    run("embed --vocab 8 --dim 3 --npy rows.npy", "csv")
    words = "resize rows.npy --grid 2x3 --prefix 2 --to 7x4 --plot tiles --dims 1:2 --range -3:3 --cmap gray"
    pixels, _ = png(words)
    before, after = table("show rows.npy"), table("resize rows.npy --grid 2x3 --prefix 2 --to 7x4")
    boxes = list(images(svg(words)))[:2]
    for ((x, y, w, h), _), t, high, wide in zip(boxes, (before, after), (2, 7), (3, 4)):
        middles = pixels[y + h // high // 2:y + h:h // high, x + w // wide // 2:x + w:w // wide, 0]
        assert np.abs(middles - (t[2:, 1].reshape(high, wide) / 6 + 0.5) * 255).max() < 1.3


def maps():
    """Each column of a table of cells is a map of them, wherever its rows are."""
    for words, high, wide, order in (("grid --grid 4x6 --dim 8", 4, 6, np.arange(24)),
                                     ("rope --preset dinov3 --grid 3x5 --dim 16 --out sin", 3, 5, np.arange(15)),
                                     ("grid --grid 2x3x4 --dim 16 --variant multidim --dims 0:2", 2, 3, np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1).ravel()),
                                     ("rope --preset qwen2-vl-vision --grid 4x4 --dim 8 --out cos", 4, 4,
                                      np.arange(16).reshape(2, 2, 2, 2).swapaxes(1, 2).ravel())):
        look = words + " --plot maps --range -1:1 --cmap gray"
        pixels, _ = png(look)
        want = table(words.split(" --dims")[0])[order]
        want = want.T[:2 if "dims" in words else None].reshape(-1, high, wide)
        boxes = list(images(svg(look)))[:-1]
        assert len(boxes) == len(want), (words, len(boxes))
        for ((x, y, w, h), _), m in zip(boxes, want):
            middles = pixels[y + h // high // 2:y + h:h // high, x + w // wide // 2:x + w:w // wide, 0]
            assert np.abs(middles - (m / 2 + 0.5) * 255).max() < 1.3, words


def differences():
    """compare draws B - A, and what is largest and mean in each row."""
    a, b = np.random.default_rng(2).normal(size=(2, 9, 7)).astype(np.float32)
    np.save("first.npy", a)
    np.save("second.npy", b)
    words = "compare first.npy second.npy --atol 99"
    (x, y, w, h), _ = next(images(svg(words + " --cmap gray --range -5:5")))
    pixels, _ = png(words + " --cmap gray --range -5:5")
    assert (w % 7, h % 9) == (0, 0)
    middles = pixels[y + h // 18:y + h:h // 9, x + w // 14:x + w:w // 7, 0]
    assert np.abs(middles - ((b - a) / 10 + 0.5) * 255).max() < 1.3
    one, two = paths(svg(words + " --plot lines --range 0:10"))[:2]
    scale = np.polyfit(np.abs(b - a).max(1), one[:, 1], 1)
    assert np.allclose(np.polyval(scale, np.abs(b - a).max(1)), one[:, 1], atol=0.1)
    assert np.allclose(np.polyval(scale, np.abs(b - a).mean(1)), two[:, 1], atol=0.1)


def pca():
    """Rows stand at their principal components, as NumPy's SVD finds them, and both axes have the same scale."""
    random = np.random.default_rng(3)
    np.save("wide.npy", random.normal(size=(20, 70)) + 5)
    np.save("long.npy", random.normal(size=(90, 30)) * 1e140)
    np.save("close.npy", random.normal(size=(400, 120)))
    np.save("onehot.npy", np.vstack([np.eye(30), -np.eye(30)]))
    for words in ("sinusoid --len 40 --dim 16", "show wide.npy", "show long.npy --dtype f64", "show close.npy --dtype f64",
                  "naive --kind onehot --len 30", "show onehot.npy", "sinusoid --len 30 --dim 2"):
        x = table(words)
        u, s, _ = np.linalg.svd(x - x.mean(0), full_matrices=False)
        root = svg(words + " --plot pca")
        dots = [[[float(v) for v in dot] for dot in re.findall(r"M([0-9.]+) ([0-9.]+)", p.get("d"))]
                for p in root.iter(SVG + "path") if "L" not in p.get("d")]
        dots = np.array(sum(dots, [])).reshape(-1, len(x), 2)
        assert len(dots) == (1 if x.shape[1] == 2 else 2), words
        ((bar, _, wide, _), _), = images(root)
        whole = [float(v) for v in root.get("viewBox").split()[2:]]
        assert dots[:, :, 0].max() < bar < whole[0] - wide and dots[:, :, 1].max() < whole[1], words
        assert min(a for _, a, _ in texts(root)) < 80, words
        found = np.array([dots[0, :, 0], *(-dots[:, :, 1])]).T
        found = (found - found.mean(0)) / np.sqrt(((found - found.mean(0)) ** 2).sum()) * np.sqrt((s[:found.shape[1]] ** 2).sum())
        assert np.allclose(np.sqrt((found ** 2).sum(0)), s[:found.shape[1]], rtol=1e-3), words
        assert np.abs(found.T @ found / s[0] ** 2 - np.diag((s[:found.shape[1]] / s[0]) ** 2)).max() < 1e-3, words
        if "onehot" not in words:
            assert np.allclose(np.abs((found * u[:, :found.shape[1]]).sum(0)), s[:found.shape[1]], rtol=1e-3), words


def decay():
    """--out decay and bound are those of Su et al., also of scaled frequencies."""
    for words, dim, scale in (("rope --dim 128 --len 300", 128, 1), ("rope --dim 20 --len 50 --start 1000 --scaling linear:4", 20, 4)):
        m = np.arange(300) if scale == 1 else np.arange(1000, 1050)
        turns = np.exp(1j * m[:, None] * 10000.0 ** (-2 * np.arange(dim // 2) / dim) / scale)
        assert np.allclose(table(words + " --out decay")[:, 0], turns.real.mean(1), atol=1e-6), words
        assert np.allclose(table(words + " --out bound")[:, 0], np.abs(turns.cumsum(1)).mean(1), rtol=1e-6), words


def panels():
    """Parts and their sum, side by side in the same colours."""
    x, y, z = np.random.default_rng(4).normal(size=(3, 5, 6)).astype(np.float32)
    for name, a in (("x", x), ("y", y), ("z", z)):
        np.save(name + ".npy", a)
    for words, parts in (("show x.npy y.npy z.npy", (x, y, z)),
                         ("embed --table x.npy --position-table y.npy --add z.npy", (x, z, y)),
                         ("embed --table x.npy --segments 4,3,2,1,0 --segment-table y.npy --rows 1:4", (x[1:4], y[::-1][1:4]))):
        root = svg(words + " --plot panels --cmap gray --range -9:9")
        pixels, _ = png(words + " --plot panels --cmap gray --range -9:9")
        boxes = [box for box, _ in images(root)][:-1]
        assert len(boxes) == len(parts) + 1
        for (left, top, w, h), want in zip(boxes, (*parts, sum(parts))):
            cell, high = w // 6, h // len(want)
            middles = pixels[top + high // 2:top + h:high, left + cell // 2:left + w:cell, 0]
            assert np.abs(middles - (want + 9) / 18 * 255).max() < 1.4, words
        signs = [(x, s) for s, x, _ in texts(root) if s in "+="]
        assert [s for _, s in sorted(signs)] == ["+"] * (len(parts) - 1) + ["="]
        assert all(boxes[k][0] + boxes[k][2] < x < boxes[k + 1][0] for k, (x, _) in enumerate(sorted(signs)))
    # Of integers and other numbers, the bar has no steps
    np.save("integers.npy", np.arange(6).reshape(2, 3))
    np.save("halves.npy", np.arange(6).reshape(2, 3) / 2)
    assert len(np.unique(list(images(svg("show integers.npy halves.npy --plot panels")))[-1][1].reshape(-1, 3), axis=0)) > 99


def broken():
    """Lines break where there is no number or they leave the figure; one alone is a dot."""
    np.save("holes.npy", np.array([0, 1, np.nan, 1, np.inf, -np.inf, 2, np.nan, 0, 4, 0, -4, 0], np.float32)[:, None])
    words = "embed --table holes.npy --plot lines --range -1:3"
    at = paths(svg(words))
    alone = [p for p, _ in dots(svg(words))]
    assert [len(p) for p in at] == [2, 2, 3, 2] and [len(p) for p in alone] == [1, 1]
    top, bottom = min(p[:, 1].min() for p in at), max(p[:, 1].max() for p in at)
    level = [[round(float(v), 2) for v in 3 - (p[:, 1] - top) / (bottom - top) * 4] for p in at + alone]
    assert level == [[0, 1], [0, 3], [3, 0, -1], [-1, 0], [1], [2]], level
    np.save("edges.npy", np.array([0, 3.001, 0, -1, -1, 0])[:, None])
    at = paths(svg("show edges.npy --plot lines --range -1:3"))
    assert [len(p) for p in at] == [2, 5], at
    pixels, _ = png(words)
    for p in alone:
        assert (pixels[int(p[0, 1]), int(p[0, 0])] != pixels[0, 0]).any()


def marked():
    """Of few positions, each is a dot on its smooth line, unless it lies outside."""
    for n in 2, 32, 33:
        root = svg(f"sinusoid --len {n} --dim 2 --plot lines")
        (curve, *_), made = paths(root), dots(root)
        assert len(made) == (2 if n < 33 else 0)
        for at, width in made[:1]:
            assert width == 9 and (at == curve[::(len(curve) - 1) // (n - 1)]).all()
    (at, _), = dots(svg("sinusoid --len 9 --dim 1 --plot lines --range 0:1"))
    assert len(at) == (np.sin(np.arange(9)) >= 0).sum()
    assert not dots(svg("sinusoid --len 2 --dim 1 --start 4 --plot lines --range 0:1"))


def bands():
    """The statistics of distances are a line in a band; a long table has bands of groups of rows."""
    np.save("normal.npy", np.random.default_rng(1).normal(size=(40, 6)).astype(np.float32))
    t = table("similarity normal.npy --curve")
    open("curve.csv", "wb").write(run("similarity normal.npy --curve --header".split(), "csv"))
    for words in "similarity normal.npy --curve", "show curve.csv":  # a header names columns
        root = svg(words + " --plot lines")
        mean, _ = paths(root)
        area, _ = areas(root)
        assert {"Distance", "mean, min to max"} <= {s for s, _, _ in texts(root)}
        y = np.concatenate([mean[:, 1], area[:40, 1], area[:39:-1, 1]])
        values = t[:, (1, 3, 4)].T.ravel()
        assert np.abs(np.polyval(np.polyfit(y, values, 1), y) - values).max() < 1e-3 * np.ptp(values)
        assert (area[:40, 0] == mean[:, 0]).all() and (area[:39:-1, 0] == mean[:, 0]).all()
        assert {p.get("fill-opacity") for p in root.iter(SVG + "polygon")} == {"0.2"}
    # Two that alternate too fast share a band
    for words, lines, columns in (("sinusoid --len 6000 --dim 8", 4, ([0, 1], 2, 3, 4, 5, 6, 7)),
                                  ("sinusoid --len 6000 --dim 8 --rows 0:1201", 6, range(8))):
        root = svg(words + " --plot lines --dims 0:8")
        t = table(words)
        assert len(areas(root)) == len(columns) + 8 and len(paths(root)) == 2 * lines, len(paths(root))
        for k, area in zip(columns, areas(root)):
            groups = [t[i * len(t) // 600:(i + 1) * len(t) // 600, k] for i in range(600)]
            values = np.array([[g.min() for g in groups], [g.max() for g in groups]]).ravel()
            y = np.concatenate([area[:600, 1], area[:599:-1, 1]])
            assert np.abs(np.polyval(np.polyfit(y, values, 1), y) - values).max() < 2e-3, (words, k)


def mixed():
    """An area's colour is mixed with what is below, and ends where it ends."""
    np.save("normal.npy", np.random.default_rng(1).normal(size=(40, 6)).astype(np.float32))
    for theme in "light", "dark":
        words = f"similarity normal.npy --curve --plot lines --theme {theme}"
        pixels, _ = png(words)
        _, swatch = areas(svg(words))
        x, y = (int(v) for v in swatch.min(0))
        w, h = (int(v) for v in np.ptp(swatch, 0))
        page, ink = pixels[0, 0], np.array([0, 114, 178])
        assert np.abs(pixels[y + 2:y + h // 2 - 4, x + 2:x + w - 2] - (page + (ink - page) * 0.2)).max() < 2
        assert (pixels[y - 4:y - 1, x:x + w] == page).all() and (pixels[y + 2:y + h // 2 - 4, x - 6:x - 3] == page).all()


def several():
    """Tables of different lengths share a figure; files, columns or --legend name the lines."""
    for n, name in (4, "a"), (9, "b"):
        np.save(name + ".npy", np.arange(n, dtype=np.float32)[:, None] ** 2)
    np.save("wide.npy", np.arange(27, dtype=np.float32).reshape(3, 9))
    np.save("row.npy", np.arange(9, dtype=np.float32)[None])
    a, b = paths(svg("show a.npy b.npy --plot lines"))[:2]
    assert len(a) == 4 and len(b) == 9 and (a == b[:4]).all()
    for words, names in (("show a.npy b.npy --plot lines", ["a.npy", "b.npy"]),
                         ("show a.npy b.npy --plot lines --legend \x1b,<\u03b1>", ["\\033", "<\u03b1>"]),
                         ("show a.npy wide.npy --plot lines", ["a.npy", "wide.npy column 0", "wide.npy column 4", "wide.npy column 8"]),
                         ("show" + 6 * " a.npy" + " wide.npy --plot lines", 6 * ["a.npy"] + ["wide.npy"]),
                         ("show a.npy wide.npy --plot lines --dims 0:1 --legend x,y", ["x", "y"]),
                         ("show row.npy row.npy --plot steps", ["row.npy", "row.npy"]),
                         ("show a.npy --plot lines --legend one", ["one"])):
        assert [s for s, _, _ in texts(svg(words))][-len(names):] == names, words


def titled():
    """Names of tables, of any length, do not set the width of a figure; both their ends are left, and a note says so."""
    long = "m" * 1200
    np.savez("long.npz", **{long: np.eye(3, dtype=np.float32), long + "\u03b1": np.eye(3, dtype=np.float32)})
    two = f"show long.npz:{long} long.npz:{long}\u03b1"
    np.savez("accents.npz", **{n * "\u00e4": np.eye(3, dtype=np.float32) for n in (39, 40, 400)})
    for words, names in ((two + " --plot panels", ["long.npz:m*\u2026m*", "long.npz:m*\u2026m*\u03b1"]),
                         (two + " --plot panels --width 12cm", ["long.*\u2026m*", "long.*\u2026m*\u03b1"]),
                         (two + " --plot lines", [f"long.npz:m*\u2026m*{end} column {j}" for end in ("", "\u03b1") for j in range(3)]),
                         (f"show long.npz:{long} --plot lines --legend {long},b,c", ["long.npz:m*\u2026", "m*\u2026"])):
        root = svg(words)
        inside(root, words)
        width = float(root.get("viewBox").split()[2])
        found = [s for s, _, _ in texts(root) if "\u2026" in s]
        assert "--width" in words or width < 2 * 1300, (words, width)
        assert len(found) == len(names) and all(re.fullmatch(n, s) for n, s in zip(names, found)), (words, found)
        assert "long names are cut" in [s for s, _, _ in texts(root)], words
    # What fits exactly, in letters of these widths, is whole
    for name in "m" * 13 + "f.csv", "n" * 19 + "m.csv", "1" * 20 + "i.csv":
        np.savetxt(name, np.eye(2), delimiter=",")
        assert [s for s, _, _ in texts(svg(f"show {name} {name} --plot panels"))].count(name) == 2
    # Letters of two bytes are cut between two of them, also where there is little room
    three = "show " + " ".join("accents.npz:" + n * "\u00e4" for n in (39, 40, 400))
    for more, name in ("--plot panels", "accents.npz:\u00e4*\u2026\u00e4+"), ("--plot lines --width 5cm", "ac\u2026\u00e4 column [02]"):
        found = [s for s, _, _ in texts(svg(f"{three} {more}")) if "\u2026" in s]
        assert len(found) in (3, 6) and all(re.fullmatch(name, s) for s in found), (more, found)
    width = float(svg("show long.npz:" + long).get("viewBox").split()[2])
    assert width < 2 * 900, width


def logs():
    """Logarithmic axes: powers are straight lines, and labels stand at their values."""
    x = np.arange(1000.0)
    np.save("power.npy", (x ** 2)[:, None].astype(np.float32))
    for axes, hidden in (("x", "row 0 is"), ("y", "values up to 0 are"), ("xy", "row 0 is")):
        root = svg(f"show power.npy --plot lines --log {axes}")
        at, = paths(root)
        assert f"{hidden} not shown" in [s for s, _, _ in texts(root)]
        assert len(at) == 999
        fx, fy = (np.log if k in axes else np.array for k in "xy")
        for line, values in ((at[:, 0], fx(x[1:])), (at[:, 1], fy(x[1:] ** 2))):
            scale = np.polyfit(line, values, 1)
            assert np.abs(np.polyval(scale, line) - values).max() < 1e-3 * np.ptp(values)
        ticks = [(number(s), a) for s, a, b in texts(root) if re.fullmatch(r"\d+", s) and b > at[:, 1].max() + 30]
        assert len(ticks) >= 4 and ("x" not in axes or [v for v, _ in ticks] == [1, 2, 5, 10, 20, 50, 100, 200, 500])
        for value, a in ticks:
            assert value == 0 or abs(a - np.interp(fx(value), fx(x[1:]), at[:, 0])) < 1.5
    np.save("power.npy", (x ** 2)[:, None].astype(np.float32)[1:9])
    band, _ = areas(svg("similarity power.npy --curve --plot lines --log y"))
    assert len(band) == 16


def fan():
    """Biases over distance: one line per head, without keys that a model masks."""
    for words, first, last in (("alibi --heads 4 --len 9", -8, 8), ("alibi --heads 4 --len 9 --form causal", -8, 0),
                               ("alibi --heads 4 --query-len 2 --key-len 9 --form causal", -8, 0),
                               ("alibi --heads 4 --query-len 9 --key-len 2", -1, 8)):
        root = svg(words + " --plot lines")
        lines = paths(root)[:4]
        x = np.arange(first, last + 1)
        assert [len(p) for p in lines] == [len(x)] * 4, [len(p) for p in lines]
        values = np.array([-abs(x) / 4 ** (h + 1) for h in range(4)]).ravel()
        y = np.concatenate([p[:, 1] for p in lines])
        assert np.abs(np.polyval(np.polyfit(y, values, 1), y) - values).max() < 1e-3
        assert [s for s, _, _ in texts(root)][-4:] == ["head 0", "head 1", "head 2", "head 3"]
    np.save("biases.npy", np.arange(64, dtype=np.float32).reshape(32, 2))
    for more, n in ("", 17), (" --causal", 9), (" --past 3", 17), (" --causal --past 3", 12):
        for plot, corners in ("lines", 1), ("steps", 2):
            lines = paths(svg(f"t5-bucket --table biases.npy --len 9 --plot {plot}" + more))
            assert [len(p) for p in lines[:2]] == [corners * n] * 2, (more, plot)
    assert not paths(svg("alibi --heads 1 --query-len 4 --key-len 2 --rows 0:2 --form causal --plot lines"))


def fits():
    """All texts lie in the picture, and none meets another of its line."""
    np.save("ones.npy", np.ones((3, 2, 2), np.float32))
    for words in ("sinusoid --len 11 --dim 1 --plot lines --start 9007199254740000",
                  "sinusoid --len 11 --dim 1 --plot lines --start 1000000",
                  "sinusoid --len 3 --dim 2 --plot cells --transpose --start 9007199254740000",
                  "sinusoid --len 9 --dim 40 --plot lines --dims 0:32",
                  "rope --apply ones.npy --along planes --start 1000000000000000",
                  "rope --apply ones.npy --along planes --start 1000000000000000 --plot cells",
                  "alibi --heads 64 --len 1", "alibi --heads 11 --len 2"):
        root = svg(words)
        width, height = (float(v) for v in root.get("viewBox").split()[2:])
        lines = {}
        for t in root.iter(SVG + "text"):
            if not t.get("transform"):
                w = 0.55 * len(t.text) * float(t.get("font-size"))
                left = float(t.get("x")) - w * {None: 0, "middle": 0.5, "end": 1}[t.get("text-anchor")]
                assert 0 <= left and left + w <= width and float(t.get("y")) < height, (words, t.text)
                lines.setdefault((t.get("y"), t.get("font-size")), []).append((left, left + w, t.text))
        if "cells" not in words:
            for line in lines.values():
                line.sort()
                assert all(a[1] < b[0] for a, b in zip(line, line[1:])), (words, line)
    # A letter that reaches back over the margin is cut off there
    assert png(["sinusoid", "--len", "2", "--dim", "2", "--scale", "8", "--title", "\u0488" + "m" * 60])[0].shape[0] > 900


def words():
    """Words that are too long to lie beside each other stand, and have room."""
    for how in ["--plot", "lines"], ["--transpose"]:
        for word in "a", "a-long-word-of-many":
            root = svg(["sinusoid", "--len", "12", "--dim", "1", "--words", (word + " ") * 12, *how])
            labels = [t for t in root.iter(SVG + "text") if t.text == word]
            assert len(labels) == 12
            up = [t.get("transform", "").startswith("rotate(-90") and t.get("text-anchor") == "end" for t in labels]
            assert all(up) if len(word) > 1 else not any(up)
            height = float(root.get("viewBox").split()[3])
            assert all(float(t.get("y")) + 0.5 * 24 * len(word) * u < height for t, u in zip(labels, up))
    # 27 letters of a word, or half as many wide ones
    for letter, n in ("a", 27), ("\u10ff", 27), ("\u1100", 13):
        assert letter * n + "\u2026" in [s for s, _, _ in texts(svg(["mask", "--len", "1", "--words", letter * 40]))]


def paints():
    """The colours of single numbers, of one sign on a map for both, and where the bounds are past all doubles."""
    np.save("up.npy", np.array([[0, 0.5, 1]], np.float32))
    np.save("down.npy", np.array([[-1, -0.5, 0]], np.float32))
    vik = (0, 18, 97), (236, 229, 224), (89, 0, 8)
    for words, want in (("relative --len 1", [(23, 100, 171)]), ("relative --len 1 --cmap viridis", [(33, 145, 140)]),
                        ("relative --len 1 --cmap vik", [vik[1]]), ("relative --len 1 --clip 0", [vik[1]]),
                        ("mask --len 1", [(23, 100, 171)]), ("mask --len 1 --cmap viridis", [(253, 231, 37)]),
                        ("t5-bucket --distances 0:1 --num-buckets 4 --max-distance 2 --cmap gray",
                         [(0, 0, 0), (255, 255, 255)]),
                        ("t5-bucket --distances -1:0 --causal --num-buckets 4", [(49, 104, 141), (68, 1, 84)]),
                        ("sinusoid --len 1 --dim 2 --range auto --cmap gray", [(0, 0, 0), (255, 255, 255)]),
                        ("embed --table up.npy --cmap vik", vik), ("embed --table down.npy --cmap vik", vik),
                        ("sinusoid --len 1 --dim 2 --amp 1e300 --amp-sqrt 2e16 --dtype f64 --cmap gray",
                         [(0, 0, 0), (255, 255, 255)])):
        (x, y, w, h), _ = next(images(svg(words)))
        n = len(want)
        got = png(words)[0][y + h // 2, x + w // (2 * n):x + w:w // n]
        assert (got == np.array(want)).all(), (words, got)


def steps():
    """A step of the staircase is as wide as the distances of its bucket."""
    root = svg("t5-bucket --distances -20:20 --plot steps")
    path, = root.iter(SVG + "path")
    t = table("t5-bucket --distances -20:20")[0]
    at = np.array([[float(v) for v in p.split()] for p in path.get("d")[1:].split("L")])
    assert at.shape == (82, 2)
    fit = np.polyfit(at[::2, 1], t, 1)
    assert np.abs(np.polyval(fit, at[::2, 1]) - t).max() < 1e-3 and (at[::2, 1] == at[1::2, 1]).all()
    both = svg("t5-bucket --len 21 --plot steps")
    other, = both.iter(SVG + "path")
    assert other.get("d") == path.get("d")
    assert "Key \u2212 query" in [s for s, _, _ in texts(both)]


def numbers():
    """Cells hold their numbers, in the ink that stands out."""
    words = "sinusoid --len 6 --dim 8 --plot cells"
    root = svg(words)
    t = table(words)
    inside = [(s, a, b) for s, a, b in texts(root) if re.match(r"\u2212?\d\.\d{3}$", s)]
    assert len(inside) == 48
    for (s, _, _), x in zip(inside, t.ravel()):
        assert abs(number(s) - x) <= 0.0005 + 1e-9
    ink = {e.text: e.get("fill") for e in root.iter(SVG + "text")}
    np.save("many.npy", np.linspace(0, 1, 1024).reshape(32, 32))
    for cmap in "viridis", "magma", "rdbu", "gray":
        root = svg(f"show many.npy --plot cells --cmap {cmap}")
        (x, y, w, h), colors_of = next(images(root))
        for t in root.iter(SVG + "text"):
            a, b = float(t.get("x")) - x, float(t.get("y")) - 8 - y
            if 0 < a < w and 0 < b < h:
                c = colors_of[int(b / h * len(colors_of)), int(a / w * len(colors_of[0]))] / 255
                light = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]
                assert ((light + 0.05) / 0.05 if t.get("fill") == "#000000" else 1.05 / (light + 0.05)) > 4.5
    assert ink["0.000"] == "#000000" and ink["1.000"] == "#ffffff" and ink["\u22120.990"] == "#ffffff"


def heads():
    """A panel each, one range for all, each with its name."""
    shutil.copy(HERE + "/golden/data/t5-bucket.hf_bias.01.table.npy", "table.npy")
    words = "t5-bucket --len 12 --table table.npy"
    root = svg(words)
    assert len(list(images(root))) == 5
    names = [s for s, _, _ in texts(root)]
    assert [n for n in names if n.startswith("head")] == [f"head {k}" for k in range(4)]
    t = table(words)
    top = np.abs(np.load("table.npy")).max()
    pixels, _ = png(words + " --cmap gray")
    for k, ((x, y, w, h), _) in enumerate(list(images(root))[:4]):
        middles = pixels[y + h // 24:y + h:h // 12, x + w // 24:x + w:w // 12, 0]
        assert np.abs(middles - (t[k] / top + 1) / 2 * 255).max() < 1.6


def reduced():
    """What large tables show is what the note says: means, or the first of each."""
    words = "sinusoid --len 5000 --dim 4 --cmap gray"
    root = svg(words)
    note = [s for s, _, _ in texts(root) if "values" in s]
    assert note == ["5000 \u00d7 4 values; each pixel is the mean of 3 \u00d7 1"], note
    (x, y, w, h), _ = next(images(root))
    assert h == 1667
    t = table("sinusoid --len 5000 --dim 4")
    means = np.array([t[k:k + 3].mean(0) for k in range(0, 5000, 3)])
    pixels, _ = png(words)
    got = pixels[y:y + h, x + w // 8:x + w:w // 4, 0]
    assert np.abs(got - (means + 1) / 2 * 255).max() < 1.3
    words = "sinusoid --len 3 --dim 5000 --cmap gray"
    (x, y, w, h), _ = next(images(svg(words)))
    t = table("sinusoid --len 3 --dim 5000")
    means = np.stack([t[:, at + k:at + 6:2].mean(1) for at in range(0, 5000, 6) for k in (0, 1)], 1)
    pixels, _ = png(words)
    got = pixels[y + h // 6:y + h:h // 3, x:x + w, 0]
    assert got.shape == means.shape and np.abs(got - (means + 1) / 2 * 255).max() < 1.3
    assert "even and odd columns separately" in " ".join(s for s, _, _ in texts(svg(words)))
    run("sinusoid --len 20000 --dim 64 --npy long.npy", "csv")
    assert "20000 \u00d7 20000 values; each pixel is the mean of 10 \u00d7 10" in [s for s, _, _ in texts(svg("similarity long.npy"))]
    t = np.cumsum(np.random.default_rng(1).normal(size=(2, 1001, 4)), 1)
    t /= np.abs(t).max()
    np.save("planes.npy", t)
    words = "show planes.npy --cmap gray --range -1:1"
    rows = int(re.search("the mean of ([0-9]+) ", " ".join(s for s, _, _ in texts(svg(words)))).group(1))
    assert 1001 % rows
    pixels, _ = png(words)
    for plane, ((x, y, w, h), _) in zip(t, images(svg(words))):
        means = np.array([plane[k:k + rows].mean(0) for k in range(0, 1001, rows)])
        got = pixels[y:y + h:h // len(means), x + w // 8:x + w:w // 4, 0]
        assert got.shape == means.shape and np.abs(got - (means + 1) / 2 * 255).max() < 1.3
    words = "t5-bucket --len 5000"
    assert any("each pixel is the first of 3 \u00d7 3" in s for s, _, _ in texts(svg(words)))


def again():
    """The command that a picture holds makes it again, to the byte."""
    tool = os.path.dirname(POSENC)
    for words in (["sinusoid", "--len", "20", "--dim", "6", "--theme", "dark", "--title", "a 'b' <c> & \u03b8 \u2212"],
                  ["t5-bucket", "--distances", "-20:20", "--plot", "steps", "--scale", "1"],
                  ["relative", "--len", "4", "--plot", "cells", "--words", "a b c d", "--transpose"],
                  ["sinusoid", "--len", "50", "--dim", "8", "--plot", "lines", "--dims", "2:4", "--range", "-0.5:0.25"],
                  ["sinusoid", "--len", "9", "--dim", "8", "--cmap", "puor", "--rows", "2:7", "--plain"]):
        for format in ("png", "svg")[:1 if "--plain" in words else 2]:
            first = run(words, format)
            if format == "png":
                command = dict(chunks(first))[b"tEXt"].split(b"\0")[1].decode("ascii")
            else:
                command = next(ElementTree.fromstring(first).iter(SVG + "metadata")).text
            assert command.startswith("posenc " + words[0])
            second = subprocess.run(["bash", "-c", f"{command} --{format} -"], capture_output=True,
                                    env={"PATH": f"{tool}:/usr/bin:/bin"})
            assert second.returncode == 0, second.stderr
            assert second.stdout == first, (command, format)


def text():
    """Titles are text, whatever they hold."""
    title = "A <b>bold</b> & \"quoted\" \u03b8\u2212\u03bb ]]> \u6f22"
    root = svg(["sinusoid", "--len", "3", "--dim", "2", "--title", title])
    assert title in [s for s, _, _ in texts(root)]
    assert next(root.iter(SVG + "title")).text == title
    made = run(["sinusoid", "--len", "3", "--dim", "2", "--title", b"\xff\x1b\x01"], "svg")
    assert [s for s, _, _ in texts(ElementTree.fromstring(made))][0] == r"\377\033\001"
    assert len(run("sinusoid --len 100 --dim 128", "svg")) <= 25000
    lines = [s for s, _, _ in texts(svg(["mask", "--len", "1", "--title", "word " * 400])) if s.startswith("word")]
    assert len(lines) == 4 and lines[3].endswith("\u2026")
    # The edges of letters have 16 shades, evenly spread
    words = ["mask", "--len", "2", "--title", "The quick brown fox jumps over the lazy dogs SO@g%&"]
    shades = np.unique(png(words)[0][:next(images(svg(words)))[0][1] - 8, :, 0])
    assert len(shades) == 16 and np.abs(np.diff(shades.astype(int)) - np.ptp(shades) / 15).max() < 2, shades
    assert dict(chunks(run("sinusoid --len 3 --dim 2", "png")))[b"pHYs"] == struct.pack(">IIB", 7560, 7560, 1)


def themes():
    """Colours are attributes; only --theme auto has rules, for the dark and for its own elements."""
    for words in "sinusoid --len 3 --dim 2", "sinusoid --len 9 --dim 8 --plot lines", "naive --kind binary --len 8 --plot cells", "mask --len 4 --values ninf":
        root = svg(words)
        assert root.get("role") == "img" and next(root.iter(SVG + "desc")).text.startswith("values of shape [")
        for theme in "light", "dark", "auto":
            made = svg(f"{words} --theme {theme}")
            for element in made.iter():
                kind = element.tag.removeprefix(SVG)
                if kind in ("rect", "text", "path"):
                    assert re.fullmatch("#[0-9a-f]{6}", element.get("stroke" if kind == "path" else "fill")), kind
                assert theme == "auto" or element is made or element.get("class") is None
            style = [e.text for e in made.iter(SVG + "style")]
            assert len(style) == (theme == "auto")
            if style:
                assert style[0].strip().startswith("@media (prefers-color-scheme:dark){")
                rules = re.sub(r"@media[^{]*{|{[^}]*}", ",", style[0]).replace("}", "")
                assert all(r.strip().startswith('[class="posenc"] ') for r in rules.split(",") if r.strip())
                named = {e.get("class") for e in made.iter() if e is not made} - {None}
                assert named <= set(re.findall(r"\.(i\d+)\{", style[0]))
        assert len(run(words + " --theme auto", "svg")) < 1.3 * len(run(words, "svg")) + 1000
        light = decode(run(words + " --theme auto", "png"))[0]
        assert (light == png(words)[0]).all()


KINDS = re.findall(r"^PLOT\((\w+)", open(os.path.join(HERE, "..", "src", "figure", "list.h")).read(), re.M)
INCHES = {"cm": 1 / 2.54, "mm": 1 / 25.4, "in": 1, "pt": 1 / 72, "px": 1 / 96}


def sizes():
    """--width is exact in each format; text has 8 to 9 points, lies in the figure and meets no other of its line."""
    np.save("rows.npy", np.cos(np.outer(np.arange(24), np.arange(6))))
    tables = {"bars": "alibi --heads 8", "vectors": "rope --len 5 --dim 4", "blocks": "embed --table rows.npy --len 4 --add sinusoid",
              "steps": "t5-bucket --len 30", "cells": "relative --len 4", "tiles": "similarity rows.npy --grid 4x6",
              "panels": "show rows.npy rows.npy", "maps": "grid --grid 4x6 --dim 16"}
    for plot, more in [(p, "") for p in KINDS] + [
            ("heatmap", m) for m in (" --theme dark", " --title " + "x" * 99, " --xlabel " + "long-" * 40, " --transpose",
                                     " --layout split --denom half-1 --start 100000", " --words " + ",".join(["word"] * 24))]:
        words = f"{tables.get(plot, 'sinusoid --len 24 --dim 32')} --plot {plot}{more}"
        words = [w.replace(",", " ") for w in words.split()]
        for width, dpi in ("8cm", None), ("84mm", 72), ("3.5in", 100), ("8.5cm", 600), ("300pt", 300), ("640px", 200):
            value, unit = float(width[:-2]), width[-2:]
            inches = value * INCHES[unit]
            pixels, found = png(words + ["--width", width] + (["--dpi", str(dpi)] if dpi else []))
            assert pixels.shape[1] == int(inches * (dpi or 300) + 0.5), (words, width, pixels.shape)
            dots = round((dpi or 300) / 0.0254)
            assert found[b"pHYs"] == struct.pack(">IIB", dots, dots, 1)
            root = svg(words + ["--width", width])
            w, h = (float(x) for x in root.get("viewBox").split()[2:])
            assert root.get("width") == f"{value:g}{unit}" and root.get("height").endswith(unit)
            high = float(root.get("height")[:-2])
            assert abs(high / value - h / w) < 1e-4 and 0.1 < h / w < 3, (words, width, w, h)
            page = objects(run(words + ["--width", width], "pdf"))[3][0]
            box = [float(x) for x in re.search(r"MediaBox\[0 0 (\S+) (\S+)\]", page).groups()]
            assert abs(box[0] - inches * 72) < 1e-3 and abs(box[1] - high * INCHES[unit] * 72) < 1e-2, (box, inches)
            for t in root.iter(SVG + "text"):
                least = 5.5 if plot == "blocks" else 7.999  # subscripts
                assert least <= float(t.get("font-size")) * inches * 72 / w <= 9.1, (words, width, t.attrib)
            inside(root, words)
    framed()


def framed():
    """--frame fixed: one size and one place of the panels, whatever the values and labels of a table are."""
    tables = [np.linspace(-1, 1, 64).reshape(8, 8), np.full((8, 8), np.nan), np.arange(64).reshape(8, 8) * 1e-5, np.arange(64.).reshape(8, 8),
              np.where(np.eye(8) > 0, [np.nan, np.inf, -np.inf, 0] * 2, 123456)]
    for k, t in enumerate(tables):
        np.save(f"frame{k}.npy", t.astype(np.float32))
    for more in "", " --plot cells", " --plot lines", " --width 20cm", " --width 20cm --plot lines", " --transpose --theme dark":
        for runs in ([f"show frame{k}.npy --title T" for k in range(len(tables))], [f"shift --dim 8 --by {by}" for by in (-31, 0.125, 1, 3, 1e6)],
                     [f"sinusoid --len 8 --dim 8 --start {at}" for at in (0, 9990, -50000)]):
            places = set()
            for words in runs:
                root = svg(f"{words} --frame fixed{more}")
                inside(root, words)
                name = next(t for t in root.iter(SVG + "text") if t.get("transform"))
                first = next(images(root))[0] if "lines" not in more else None
                places.add((root.get("width"), root.get("height"), first, name.get("x"), name.get("y")))
            assert len(places) == 1, (more, runs, places)


def inside(root, words):
    """Asserts that all texts lie in the picture, and that none meets another of its line."""
    width, height = (float(v) for v in root.get("viewBox").split()[2:])
    lines = {}
    for t in root.iter(SVG + "text"):
        if not t.get("transform"):
            w = 0.5 * len(t.text) * float(t.get("font-size"))
            left = float(t.get("x")) - w * {None: 0, "middle": 0.5, "end": 1}[t.get("text-anchor")]
            assert -1 <= left and left + w <= width + 1 and float(t.get("y")) < height, (words, t.text)
            lines.setdefault((t.get("y"), t.get("font-size")), []).append((left, left + w, t.text))
    for line in lines.values():
        line.sort()
        assert all(a[1] < b[0] for a, b in zip(line, line[1:])), (words, line)


FIGURES = {
    "heatmap": "sinusoid --len 12 --dim 16 --scale 1",
    "dark": "sinusoid --len 10 --dim 12 --layout split --theme dark --scale 1",
    "cells": "sinusoid --len 4 --dim 4 --plot cells",
    "lines": "sinusoid --len 60 --dim 20 --plot lines --dims 4:8 --scale 1",
    "bands": "sinusoid --len 3000 --dim 8 --plot lines --scale 1",
    "fan": "alibi --heads 4 --len 12 --plot lines --scale 1",
    "steps": "t5-bucket --distances -40:40 --plot steps --scale 1",
    "buckets": "t5-bucket --len 24 --scale 1",
    "labels": "relative --len 12 --clip 4 --scale 1",
}


def golden():
    """Pixels as they were looked at; text may differ by a shade between versions of FreeType."""
    for name, words in FIGURES.items():
        path = os.path.join(GOLDEN, name + ".png")
        made = run(words, "png")
        if os.environ.get("BLESS"):
            open(path, "wb").write(made)
        got, want = decode(made)[0], decode(open(path, "rb").read())[0]
        assert got.shape == want.shape, name
        assert (np.abs(got - want).max(2) > 40).mean() < 1e-4, name


def vectors():
    """rsvg-convert makes of the SVG what the PNG is, but for its smoothing."""
    np.save("long.npy", np.random.default_rng(1).normal(size=(5000, 2)).astype(np.float32))
    for words in ("sinusoid --len 20 --dim 24 --scale 1", "sinusoid --len 60 --dim 8 --plot lines --scale 1", "show long.npy --plot lines --scale 1",
                  "relative --len 5 --plot cells --scale 1 --theme dark", "sinusoid --len 9 --dim 8 --plot clocks --scale 1",
                  "sinusoid --len 9 --dim 8 --plot wavelengths --scale 1", "sinusoid --len 30 --dim 8 --plot pca --scale 1"):
        made = subprocess.run(["rsvg-convert"], input=run(words, "svg"), capture_output=True)
        assert made.returncode == 0, made.stderr
        got, want = decode(made.stdout)[0], png(words)[0]
        assert got.shape == want.shape, (words, got.shape, want.shape)
        assert np.abs(got - want).mean() < 3, (words, np.abs(got - want).mean())


def rendered():
    """Every kind of figure that posenc lists, as rsvg-convert draws it, is like the PNG."""
    made = subprocess.run([sys.executable, os.path.join(HERE, "render.py"), "rsvg"], capture_output=True, text=True,
                          env={**os.environ, "B": os.path.dirname(POSENC), "FEW": "1"})
    assert made.returncode == 0, [line for line in made.stdout.splitlines() if line.startswith("not")] + [made.stderr[-300:]]
    assert made.stdout.count("ok - rsvg: ") >= 5, made.stdout


def objects(data):
    """{number: (dictionary, stream)} of a PDF, found by its index, with streams decompressed."""
    assert data.startswith(b"%PDF-1.4\n") and data.endswith(b"\n%%EOF\n")
    begin = int(data.split()[-2])
    lines = data[begin:].split(b"\n")
    assert lines[0] == b"xref"
    count = int(lines[1].split()[1])
    assert re.search(rb"/Size (\d+)", data[begin:]).group(1) == b"%d" % count
    assert all(len(line) == 19 and line.endswith(b" 00000 n ") for line in lines[3:2 + count])
    places = [int(line[:10]) for line in lines[3:2 + count]]
    ends = dict(zip(sorted(places), sorted(places)[1:] + [begin]))
    found = {}
    for k, at in enumerate(places, 1):
        head = b"%d 0 obj\n" % k
        assert data[at:at + len(head)] == head
        found[k] = data[at + len(head):ends[at]]
        assert found[k].endswith(b"\nendobj\n")
    for k, rest in found.items():
        words = rest[:rest.index(b"endobj")]
        length = re.match(rb"<<[^\n]*/Length (\d+) 0 R[^\n]*>>\nstream\n", rest)
        stream = b""
        if length:
            words = length.group()
            n = int(found[int(length.group(1))].split()[0])
            assert rest[length.end() + n:].startswith(b"\nendstream\nendobj\n")
            stream = zlib.decompress(rest[length.end():length.end() + n])
        found[k] = words.decode("latin-1"), stream
    return found


def pictures(pdf):
    """The pixels of each image of a PDF."""
    for words, stream in pdf.values():
        if "/Subtype/Image" in words:
            w, h = (int(re.search(f"/{k} (\\d+)", words).group(1)) for k in ("Width", "Height"))
            palette = np.frombuffer(bytes.fromhex(re.search("<([0-9a-f]+)>]", words).group(1)), np.uint8).reshape(-1, 3)
            raw = np.frombuffer(stream, np.uint8).reshape(h, w + 1)
            rows = np.zeros((h + 1, w), np.uint8)
            for y, line in enumerate(raw):
                rows[y + 1] = unfilter(line[0], line[1:], rows[y], 1)
            yield palette[rows[1:]].astype(int)


def embedded_font(data):
    """The tables of a TrueType file, whose checksums are right."""
    tables = {}
    for k in range(struct.unpack(">H", data[4:6])[0]):
        tag, check, at, n = struct.unpack(">4sIII", data[12 + 16 * k:28 + 16 * k])
        body = data[at:at + n] + b"\0" * (-n % 4)
        assert sum(struct.unpack(f">{len(body) // 4}I", body)) % 2 ** 32 == check, tag
        tables[tag.decode()] = body[:n]
    assert list(tables) == sorted(tables)
    return tables


def characters(cmap):
    """The characters of glyphs by the CMap of a PDF, which has blocks of up to 100."""
    known = {}
    blocks = re.search("endcodespacerange\n(.*)endcmap", cmap, re.DOTALL)[1].split("endbfchar\n")
    assert not blocks.pop()
    for block in blocks:
        n, pairs = re.fullmatch(r"(\d+) beginbfchar\n((?:<[0-9a-f]{4}><[0-9a-f]+>\n)+)", block).groups()
        pairs = re.findall("<(.*)><(.*)>", pairs)
        assert len(pairs) == int(n) <= 100, n
        known |= {int(g, 16): bytes.fromhex(c).decode("utf-16-be") for g, c in pairs}
    return known


def pdfs():
    """A PDF has the texts, images and lines of the SVG, a subset of the font, and its command."""
    np.save("long.npy", np.random.default_rng(1).normal(size=(1300, 2)).astype(np.float32))
    for words in (["sinusoid", "--len", "100", "--dim", "128"], ["alibi", "--heads", "3", "--len", "12"],
                  ["sinusoid", "--len", "50", "--dim", "20", "--plot", "lines", "--dims", "0:9", "--theme", "dark"],
                  "sinusoid --len 7 --dim 3 --plot lines".split(), "show long.npy --plot lines --theme dark".split(),
                  ["relative", "--len", "4", "--plot", "cells", "--words", "a \u03b8 \U0001d6c2 d", "--title", "\U0001f600 (b)"],
                  ["relative", "--len", "3", "--title", b"\xff\x1b"],
                  ["sinusoid", "--len", "128", "--dim", "128", "--title", "".join(map(chr, range(0xc0, 0x100))), "--xlabel", "".join(map(chr, range(0x100, 0x180)))]):
        data = run(words, "pdf")
        assert data == run(words, "pdf") and len(data) <= 40000
        pdf, root = objects(data), ElementTree.fromstring(run(words, "svg"))
        made, drawn = list(pictures(pdf)), list(images(root))
        assert len(made) == len(drawn)
        for one, (_, other) in zip(made, drawn):
            assert (one == other).all()
        contents = next(s.decode() for w, s in pdf.values() if " cm 1 J 1 j" in s.decode("latin-1"))
        placed = [tuple(map(int, m)) for m in re.findall(r"^q (\d+) 0 0 -(\d+) (\d+) (\d+) cm/I\d+ Do Q$", contents, re.M)]
        assert [(x, y - h, w, h) for w, h, x, y in placed] == [box for box, _ in drawn]
        box = lambda r: " ".join(r.get(k, "0") for k in ("x", "y", "width", "height"))
        assert re.findall(r"^(.*) re f$", contents, re.M) == [box(r) for r in root.iter(SVG + "rect")]
        known = characters(next(s.decode() for w, s in pdf.values() if s.startswith(b"/CIDInit")))
        drawn = ["".join(known[int(t[k:k + 4], 16)] for k in range(0, len(t), 4)) for t in re.findall("Tm<([0-9a-f]*)>Tj", contents)]
        # Where the font has no glyph for a character, its mark of missing ones is drawn
        assert drawn == [re.sub("\U0001d6c2", "\ufffd", s) for s, _, _ in texts(root)], drawn
        area = r"q(/Faint gs)?\n((?:\S+ \S+ [ml]\n)+)f Q\n"
        drawn = [" ".join(re.findall("(.+) [ml]\n", corners)) for faint, corners in re.findall(area, contents) if faint]
        assert drawn == [p.get("points") for p in root.iter(SVG + "polygon")]
        lines = [" ".join(re.findall("([-0-9.]+ [-0-9.]+) [ml]", part)) for part in re.sub(area, "", contents).split("S\n")[:-1]]
        middle = lambda m: f"{m[1]} {m[2]} {float(m[1]) + 0.01:.2f} {m[2]} "
        assert lines == [re.sub(r"M(\S+) (\S+?)h.01", middle, p.get("d")).strip().lstrip("M").replace("L", " ") for p in root.iter(SVG + "path")]
        assert re.findall(r"^(\S+) w \[(.*)\]0 d$", contents, re.M) == [
            (p.get("stroke-width"), p.get("stroke-dasharray", "")) for p in root.iter(SVG + "path")]
        info = next(w for w, _ in pdf.values() if "/Producer" in w)
        title, command = (bytes.fromhex(t).decode("utf-16") for t in re.findall("<(feff[0-9a-f]*)>", info))
        assert title == next(root.iter(SVG + "title")).text and command == next(root.iter(SVG + "metadata")).text
        font = embedded_font(next(s for w, s in pdf.values() if "/Length1" in w))
        glyphs = struct.unpack(">H", font["maxp"][4:6])[0]
        assert glyphs == len(known) and len(font["hmtx"]) == 4 * glyphs and len(font["loca"]) == 4 * glyphs + 4
        assert struct.unpack(">I", font["loca"][-4:])[0] == len(font["glyf"])
        widths = [float(x) for x in re.search(r"/W\[0\[(.*?)\]\]", next(w for w, _ in pdf.values() if "/W[" in w)).group(1).split()]
        per_em = struct.unpack(">H", font["head"][18:20])[0]
        assert np.abs(np.array(struct.unpack(f">{2 * glyphs}H", font["hmtx"])[::2]) * 1000 / per_em - widths).max() < 0.05
        runs = re.findall(r"BT/\S+ (\d+) Tf (\S+ \S+ \S+ \S+) (\S+) (\S+) Tm<([0-9a-f]*)>Tj", contents)
        labels = list(root.iter(SVG + "text"))
        assert len(runs) == len(labels)
        for (size, matrix, x, y, letters), t in zip(runs, labels):
            before = sum(widths[int(letters[k:k + 4], 16)] for k in range(0, len(letters), 4)) * int(size) / 1000
            before *= {None: 0, "middle": 0.5, "end": 1}[t.get("text-anchor")]
            upward = t.get("transform") is not None
            at = (float(x), float(y) - before) if upward else (float(x) + before, float(y))
            assert size == t.get("font-size") and matrix == ("0 -1 -1 0" if upward else "1 0 0 -1")
            assert np.abs(np.subtract(at, (float(t.get("x")), float(t.get("y"))))).max() < 0.03, (t.text, at)


def printed():
    """pdftoppm makes of the PDF what the PNG is, but for its smoothing. At half the size."""
    np.save("long.npy", np.random.default_rng(1).normal(size=(5000, 2)).astype(np.float32))
    for words in ("sinusoid --len 20 --dim 24 --scale 2", "sinusoid --len 60 --dim 8 --plot lines --scale 2", "show long.npy --plot lines --scale 2",
                  "relative --len 5 --plot cells --scale 2 --theme dark"):
        made = subprocess.run(["pdftoppm", "-r", "96", "-"], input=run(words, "pdf"), capture_output=True)
        assert made.returncode == 0 and not made.stderr, made.stderr
        size = made.stdout.split(b"\n", 3)
        w, h = (int(x) for x in size[1].split())
        got, want = np.frombuffer(size[3], np.uint8).reshape(h, w, 3).astype(int), png(words)[0]
        high, wide = want.shape[0] // 2, want.shape[1] // 2
        want = want[:2 * high, :2 * wide].reshape(high, 2, wide, 2, 3).mean((1, 3))
        assert abs(h - high) <= 1 and abs(w - wide) <= 1, (words, got.shape, want.shape)
        high, wide = min(h, high), min(w, wide)
        assert np.abs(got[:high, :wide] - want[:high, :wide]).mean() < 4, (words, np.abs(got[:high, :wide] - want[:high, :wide]).mean())


CHECKS = (cells, axes, names, weights, bar, colors, plain, published, infinities, each, animated, gif, signs, lines, dashes, clocks, wavelengths, tiles, resized, maps, differences, pca, decay, panels, broken, fits, words, paints,
          steps, numbers, heads, reduced, again, text, themes, sizes, golden, vectors, rendered, pdfs, printed)
CHECKS += marked, bands, mixed, several, titled, logs, fan
LONG = plain, animated, sizes, vectors, rendered  # left out without FULL


def missing(check):
    """What a check needs and this machine lacks, or None."""
    if check is published and not importlib.util.find_spec("matplotlib"):
        return "matplotlib is not installed"
    if check in (vectors, rendered) and not shutil.which("rsvg-convert"):
        return "rsvg-convert is not installed"
    if check is printed and not shutil.which("pdftoppm"):
        return "pdftoppm is not installed"
    return None


def main(names, checks=CHECKS):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in checks:
            if check.__name__ not in names if names else check in LONG and "FULL" not in os.environ:
                continue
            name = f"{check.__name__}: {check.__doc__.splitlines()[0]}"
            if missing(check):
                print(f"ok - {name} # skip {missing(check)}")
                continue
            try:
                check()
                print(f"ok - {name}")
            except Exception as error:  # any failure is told, and the rest run
                failed += 1
                where = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == checks[0].__code__.co_filename]
                print(f"not ok - {name}: lines {where} {type(error).__name__} {error}")
        os.chdir(HERE)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
