"""Fonts of a few letters, made here, so that tests need none of a system.

A glyph is an advance and its contours, lists of points (x, y, kind): kind 1 is
on the curve, 0 controls a parabola (TrueType), 3 a cubic curve (OpenType's CFF).
"""

import struct


def square(left, bottom, right, top):
    """A contour of four lines."""
    return [(left, bottom, 1), (left, top, 1), (right, top, 1), (right, bottom, 1)]


def round_off(left, bottom, right, top):
    """An ellipse of four cubic curves, the last of which ends at the first point."""
    x, y = (left + right) / 2, (bottom + top) / 2
    a, b = (right - left) / 2, (top - bottom) / 2
    k = 0.5523
    return [(round(x + a * p), round(y + b * q), kind) for p, q, kind in (
        (1, 0, 1), (1, k, 3), (k, 1, 3), (0, 1, 1), (-k, 1, 3), (-1, k, 3), (-1, 0, 1),
        (-1, -k, 3), (-k, -1, 3), (0, -1, 1), (k, -1, 3), (1, -k, 3))]


def box(contours):
    xs, ys = ([p[i] for c in contours for p in c] or [0] for i in (0, 1))
    return min(xs), min(ys), max(xs), max(ys)


def glyph_bytes(contours):
    """A glyph of glyf, without flags that repeat or shorten."""
    if not contours:
        return b""
    points = [p for c in contours for p in c]
    ends, n = [], 0
    for c in contours:
        n += len(c)
        ends.append(n - 1)
    out = struct.pack(">h4h", len(contours), *box(contours)) + struct.pack(f">{len(ends)}HH", *ends, 0)
    out += bytes(kind & 1 for _, _, kind in points)
    for i in (0, 1):
        last = 0
        for p in points:
            out += struct.pack(">h", p[i] - last)
            last = p[i]
    return out + b"\0" * (-len(out) % 4)


def index(items):
    """An INDEX of CFF."""
    if not items:
        return b"\0\0"
    at, offsets = 1, []
    for item in [b"", *items]:
        at += len(item)
        offsets.append(at)
    return struct.pack(">HB", len(items), 4) + struct.pack(f">{len(offsets)}I", *offsets) + b"".join(items)


def charstring(contours):
    """The outline for CFF: lines and cubic curves."""
    def number(x):
        return struct.pack(">Bh", 28, x)
    out, at = b"", (0, 0)

    def step(p):
        nonlocal at
        moved = number(p[0] - at[0]) + number(p[1] - at[1])
        at = p[:2]
        return moved
    for c in contours:
        out += step(c[0]) + bytes([21])
        i, closed = 1, c + c[:1]
        while i < len(closed):
            if closed[i][2] == 3:
                out += step(closed[i]) + step(closed[i + 1]) + step(closed[i + 2]) + bytes([8])
                i += 3
            else:
                out += step(closed[i]) + bytes([5])
                i += 1
    return out + bytes([14])


def cff(outlines):
    """The table of all glyphs."""
    names, strings = index([b"Test"]), index([]) + index([])
    programs = index([charstring(c) for c in outlines])

    def top(at, end):
        return index([struct.pack(">BiB", 29, at, 17) + struct.pack(">BBiB", 139, 29, end, 18)])
    begin = 4 + len(names) + len(top(0, 0)) + len(strings)
    return b"\1\0\4\1" + names + top(begin, begin + len(programs)) + strings + programs


def names(family):
    """The table of names: family and style."""
    texts = [(1, family), (2, "Regular"), (4, family), (6, family.replace(" ", ""))]
    out, data = struct.pack(">HHH", 0, len(texts), 6 + 12 * len(texts)), b""
    for key, text in texts:
        coded = text.encode("utf-16-be")
        out += struct.pack(">HHHHHH", 3, 1, 0x409, key, len(coded), len(data))
        data += coded
    return out + data


def font(glyphs, family="Test Letters", units=1000, symbol=False, cubic=False, revision=1.5, damage=None,
         missing=(square(50, 0, 450, 700),)):
    """The bytes of a font of {character: (advance, contours)}, and contours for missing ones; damage() changes its tables."""
    letters = sorted(glyphs)
    all_glyphs = [(500, list(missing))] + [glyphs[c] for c in letters]
    outlines = [c for _, c in all_glyphs]
    everything = box([c for contours in outlines for c in contours])
    groups = b"".join(struct.pack(">III", ord(c), ord(c), i) for i, c in enumerate(letters, 1))
    cmap = (struct.pack(">HHHHI", 0, 1, 3, 0 if symbol else 10, 12) +
            struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(letters)) + groups)
    tables = {
        "cmap": cmap,
        "head": struct.pack(">IIIIHHQQ4hHHhhh", 0x10000, int(revision * 65536), 0x12345678, 0x5f0f3cf5, 0, units,
                            0, 0, *everything, 0, 8, 2, 1, 0),
        "hhea": struct.pack(">IhhhHhhhhhh4hhH", 0x10000, 800, -200, 0, max(a for a, _ in all_glyphs),
                            0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, len(all_glyphs)),
        "hmtx": b"".join(struct.pack(">Hh", a, box(c)[0]) for a, c in all_glyphs),
        "name": names(family),
        "post": struct.pack(">IIhhIIIII", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    if cubic:
        tables["CFF "] = cff(outlines)
        tables["maxp"] = struct.pack(">IH", 0x5000, len(all_glyphs))
    else:
        bodies, loca = b"", [0]
        for contours in outlines:
            bodies += glyph_bytes(contours)
            loca.append(len(bodies))
        tables["glyf"], tables["loca"] = bodies, struct.pack(f">{len(loca)}I", *loca)
        tables["maxp"] = struct.pack(">IH13H", 0x10000, len(all_glyphs), 100, 10, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)
    if damage:
        damage(tables)
    at, head, body = 12 + 16 * len(tables), b"", b""
    for tag in sorted(tables):
        head += struct.pack(">4sIII", tag.encode(), 0, at + len(body), len(tables[tag]))
        body += tables[tag] + b"\0" * (-len(tables[tag]) % 4)
    return (b"OTTO" if cubic else b"\0\1\0\0") + struct.pack(">HHHH", len(tables), 128, 3, 0) + head + body
