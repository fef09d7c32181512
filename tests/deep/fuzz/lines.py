#!/usr/bin/env python3
"""Which lines of each reader its fuzzer reaches, from what llvm-cov noted of each.

A reader's lines are those of the functions that it may call, by their names, in its own
files: those whose names begin with its name, and those that at most one other reader
needs. What more readers need is the row "shared", for which they count together.
Functions that write are not called by readers, and where a reader lets another one read,
the lines are the other's. A line that is reached only after an allocation has failed
counts, too: the target starved reaches it, and fed, which is the same but that none fails,
does not. Lines that no input of a target can reach are in missed, each with the reason: a
row names the reader, the function and the first of lines that follow one another.

Usage: lines.py FOLDER, with NAME.lcov of each target; called by tests/deep/fuzz/run --cover.
"""

import glob
import os
import re
import sys

LEAST = 99
FOLDERS = ("src/formats/*.c", "src/containers/*.c", "src/recipe/list.c")
WRITES = re.compile(r"\.(write|check|size|report)\s*=\s*\w+")
QUIET = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
FUNCTION = re.compile(r"^(static )?[a-z][^;={}]*?\b(\w+)\([^;{}]*\)\n\{\n.*?^\}", re.M | re.S)
OBJECT = re.compile(r"^(static |\})?(?!const struct format)[^\t\n][^\n]*?\b(\w+)"
                    r"(?:\[[^]\n]*\])*\)? = \{.*?\};", re.M | re.S)
FORMAT = re.compile(r"^const struct format \w+ = \{.*?^\};", re.M | re.S)


def blank(found):
    """Comments and strings name nothing; lines stay where they are."""
    return re.sub(r"[^\n]", " ", found.group())


class Source:
    """The functions and objects of a file: their text, where, and whether all see them."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.text = QUIET.sub(blank, file.read())
        self.parts = {}
        for found in FUNCTION.finditer(self.text):
            first = self.text.count("\n", 0, found.start()) + 1
            last = first + found.group().count("\n")
            self.parts[found.group(2)] = (found.group(), range(first, last + 1), not found.group(1))
        for found in OBJECT.finditer(self.text):
            self.parts.setdefault(found.group(2), (found.group(), range(0), not found.group(1)))

    def reads(self):
        """What the file's format can do, other than write."""
        return WRITES.sub("", "".join(FORMAT.findall(self.text)))


class Line:
    """A line of a reader: its function, and how often it was reached."""

    def __init__(self, function, times):
        self.function = function
        self.times = times


def reached_names(sources, source, text, others):
    """Functions that text, of a source or of none, names, and what these name; but not the
    others, which are other readers."""
    seen = set()
    todo = [(source, text)]
    shown = {name: one for one in sources for name, part in one.parts.items() if part[2]}
    while todo:
        source, text = todo.pop()
        for name in set(re.findall(r"\b[a-z]\w*", text)):
            where = source if source and name in source.parts else shown.get(name)
            if where and name not in others and (where, name) not in seen:
                seen.add((where, name))
                todo.append((where, where.parts[name][0]))
    return seen


def counts(path):
    """How often a target reached each line of each file."""
    lines = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("SF:"):
                of = lines.setdefault(os.path.relpath(line[3:].strip()), {})
            elif line.startswith("DA:"):
                at, n = map(int, line[3:].split(",")[:2])
                of[at] = max(n, of.get(at, 0))
    return lines


def line_of(path, line):
    """Its text."""
    with open(path, encoding="utf-8") as file:
        return file.readlines()[line - 1].strip()


def known(name, lines, missed, reasons):
    """Of the missed lines of a reader, those that there are reasons for; marks these."""
    out = set()
    before = False
    for key in sorted(lines):
        if key not in missed:
            before = False
            continue
        row = f"{name} {lines[key].function}(): {line_of(*key)}"
        if row in reasons:
            reasons[row] = before = True
        if before:
            out.add(key)
    return out


def main(folder):
    """Print a row for each reader, and each line that is missed."""
    with open("tests/deep/fuzz/missed", encoding="utf-8") as file:
        reasons = {line.split("  : ")[0]: False for line in file if line[0] != "#"}
    sources = [Source(path) for pattern in FOLDERS for path in sorted(glob.glob(pattern))]
    notes = {os.path.basename(path)[:-5]: counts(path) for path in glob.glob(folder + "/*.lcov")}
    starved, fed = notes.pop("starved"), notes.pop("fed")
    calls = {}
    for name in notes:
        others = {f"{other}_container" for other in notes if other != name}
        own = f"tests/deep/fuzz/{name}.c"  # what it calls, where it is not reader.c
        if os.path.exists(own):
            calls[name] = reached_names(sources, None, Source(own).text, others)
        else:
            source = next(one for one in sources if one.path.endswith(f"/{name}.c"))
            calls[name] = reached_names(sources, source, source.reads(), others)

    def owners(source):
        file = os.path.basename(source.path)
        users = [name for name in calls if any(one is source for one, _ in calls[name])]
        begun = [name for name in users if file.startswith(name.rstrip("s"))]
        return begun or (users if len(users) <= 2 else ["shared"])

    rows = {name: {} for name in sorted(notes)}
    rows["shared"] = {}
    for name, called in calls.items():
        for source, function in called:
            at = owners(source)
            to = name if name in at else "shared"
            for line in source.parts[function][1]:
                for other in notes if to == "shared" else [name]:
                    n = notes[other].get(source.path, {}).get(line)
                    if n is not None:
                        row = rows[to].setdefault((source.path, line), Line(function, 0))
                        row.times += n
    good = True
    for name, lines in rows.items():
        missed = {key for key, line in lines.items() if not line.times}
        poor = {(path, line) for path, line in missed
                if starved[path].get(line) and not fed[path].get(line)}
        missed -= poor
        never = known(name, lines, missed, reasons)
        missed -= never
        all_lines = len(lines) - len(never)
        percent = 100 * (1 - len(missed) / all_lines)
        good &= percent >= LEAST
        print(f"{name}: {percent:.1f}% of {all_lines} lines, {len(poor)} of them only where memory "
              f"is short; {len(never)} others cannot be reached")
        for path, line in sorted(missed):
            print(f"  {path}:{line}: {line_of(path, line)}")
    for row in sorted(row for row in reasons if not reasons[row]):
        print(f"tests/deep/fuzz/missed: {row}: reached, or gone")
        good = False
    return 0 if good else 1


sys.exit(main(sys.argv[1]))
