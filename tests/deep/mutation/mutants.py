"""The changes that mutate makes to the sources, and those that are known to change nothing."""

import functools
import glob
import itertools
import os
import random
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SURVIVORS = "tests/deep/mutation/survivors"

# The smaller or greater of two that are equal is either, more room is no mistake, no
# sentence about an error has one letter, and no file that is opened is 0, as the program
# opens what is closed; a path may say 0, /dev/fd/0
EITHER = re.compile(r"(\S[^=]*) < (.+) \? (\1 : \2|\2 : \1)[,;)]")
ROOM = re.compile(r"alloc\(|^\t+(?!return)(struct )?\w+ \w+\[[^=]*\];$")
SENTENCE = re.compile(r"\b(err|why)(->|\.)text\[1\]")
OPENED, NEITHER = re.compile(r"\bfd (<|>=) 0"), re.compile(r"\bfd (<=|>) 0|\bfd (<|>=) 1")
SWAPS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
         (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "),
         (r" \* ", " / "), (r"(?<=[( ])!(?=[a-z(])", ""), (r"\breturn true;", "return false;"),
         (r"\breturn false;", "return true;"), (r"\bbreak;", "continue;"), (r"\b0\b", "1"),
         (r"\b1\b", "2"), (r"^(\t+)[a-z][\w>.\[\]-]* [-+|]?= .*;$", r"\1;"),
         (r"^(\t+)[a-z_]+\(.*\);$", r"\1;")]


@functools.lru_cache
def lines_of(path):
    return open(os.path.join(TOP, path)).read().split("\n")


def mutants(path):
    """(path, line number, line, new line) of every change to a file's functions."""
    inside = comment = False
    for number, line in enumerate(lines_of(path)):
        inside = line == "{" or (inside and line != "}")
        comment = comment or line.strip().startswith("/*")
        if inside and not comment and not line.strip().startswith("case"):
            code = line.split("/*")[0].rstrip()
            for pattern, to in SWAPS:
                for found in re.finditer(pattern, code):
                    new = code[:found.start()] + found.expand(to) + code[found.end():]
                    quotes = code[:found.start()].count('"') % 2
                    same = (pattern == " < " and EITHER.search(code) or
                            pattern in (r"\b0\b", r"\b1\b") and ROOM.search(code) or
                            SENTENCE.search(new) and not SENTENCE.search(code) or
                            OPENED.search(code) and NEITHER.search(new) and
                            path != "src/files/path.c")
                    if new != code and not quotes and not same:
                        yield path, number, code, new
        comment = comment and "*/" not in line


def function(path, number):
    """The name of the function that a line is in."""
    lines = lines_of(path)[:number]
    body = len(lines) - 1 - lines[::-1].index("{")
    head = next(line for line in reversed(lines[:body]) if re.match(r"\w.*\(", line))
    return re.search(r"(\w+)\)?\(", head)[1]


def shown(mutant):
    """What was changed, and where; a jump stands behind the line that leads to it."""
    path, number, old, new = mutant
    before = ""
    if re.match(r"\s*(return (true|false|NULL)|break);", old):
        before = lines_of(path)[number - 1].strip() + " "
    return f"{path} {function(path, number)}(): {before}{old.strip()}  ->  {new.strip()}"


def known():
    """{change: line number in tests/deep/mutation/survivors}; a reason stands behind each change."""
    rows = enumerate(open(os.path.join(TOP, SURVIVORS)), 1)
    return {found[1]: number for number, row in rows
            if (found := re.match(r"(src/.*?  ->  .*?)  : \S", row))}


def folder(path):
    return path.split("/")[1] if path.count("/") > 1 else "src"


def draw(words, number, seed):
    """So many mutants of each folder at random, or all; of files and folders named, if any."""
    queues = {}
    paths = sorted(glob.glob("src/*.c", root_dir=TOP) + glob.glob("src/*/*.c", root_dir=TOP))
    every = [m for path in paths if not words or path in words or folder(path) in words
             for m in mutants(path)]
    for m in random.Random(seed).sample(every, len(every)):
        queues.setdefault(folder(m[0]), []).append(m)
    drawn = [of[:number] if number else of for of in queues.values()]
    return [m for turn in itertools.zip_longest(*drawn) for m in turn if m], len(every)


def stale():
    """Messages about rows of tests/deep/mutation/survivors that are not mutants of the present sources."""
    listed = known()
    paths = {change.split(" ")[0] for change in listed}
    possible = {shown(m) for path in paths if os.path.exists(os.path.join(TOP, path))
                for m in mutants(path)}
    rows = open(os.path.join(TOP, SURVIVORS)).read().rstrip("\n").split("\n")
    # After the first paragraph, every line is a row
    numbers = set(range(rows.index("") + 2, len(rows) + 1)) - set(listed.values())
    numbers |= {number for change, number in listed.items() if change not in possible}
    return [f"{SURVIVORS}:{n}: no mutant of the sources, or listed twice: {rows[n - 1]}"
            for n in sorted(numbers)]
