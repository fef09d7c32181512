"""What posenc itself says that it can do, so that no test needs a list."""

import os
import re
import shlex
import subprocess

# Formats that a command does not write
REFUSED = "cannot hold a report|expected a page|holds no figure|an output is missing"


def ask(posenc, *words, **more):
    return subprocess.run([posenc, *words], capture_output=True, text=True, **more)


def formats(posenc):
    """The names of all formats that take a table."""
    names = re.findall(r"^  --(\w+) FILE", ask(posenc, "help").stdout, re.M)
    table = ["sinusoid", "--len", "2", "--dim", "2"]
    return [name for name in names if not ask(posenc, *table, "--" + name, "/dev/null").returncode]


def readable(posenc):
    """The suffixes of files that hold tables; .tsv, another name of CSV, is none."""
    said = ask(posenc, "embed", "--table", "x.none").stderr
    suffixes = re.findall(r"\.([\w.]+)", re.search(r"the suffixes (.*)", said)[1])
    return [suffix for suffix in suffixes if suffix != "tsv"]


def examples(posenc, folder):
    """Every command's example without its outputs; files it reads are made."""
    flags = ["-o"] + ["--" + name for name in formats(posenc)]
    commands = ask(posenc, "help").stdout.split("\nCommands:\n")[1].split("\n\n")[0]
    for command in re.findall(r"^  ([a-z0-9-]+)", commands, re.M):
        if command == "explore" and "--html" not in flags:
            continue  # its page was not built
        text = ask(posenc, command, "--help").stdout
        words = shlex.split(re.search(r"^Example: posenc (.*)", text, re.M)[1])
        for at, word in enumerate(words):
            if words[at - 1] in flags:
                words[at - 1:at + 1] = ["", ""]
            elif word.split(".")[-1] in readable(posenc) and not os.path.exists(
                    os.path.join(folder, word)):
                ask(posenc, "sinusoid", "--len", "16", "--dim", "8", "-o", word, cwd=folder)
        yield [word for word in words if word]
