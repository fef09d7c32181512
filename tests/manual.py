"""The manual's examples: each is run, and prints what its page says.

Usage: manual.py POSENC PAGE...; TAP. A page's commands run one after another
in a folder of their own. "..." stands for what is left out.
"""

import os
import re
import subprocess
import sys
import tempfile


def blocks(page):
    """The literal blocks under EXAMPLES, as one reads them."""
    text = open(page, encoding="utf-8").read()
    shown = re.search(r"^\.Sh EXAMPLES\n(.*?)(?=^\.Sh |\Z)", text, re.S | re.M).group(1)
    shown = re.sub(r"(?:^\.Dl .*\n)+", lambda lines: f".Bd -literal\n{lines[0]}.Ed\n", shown, flags=re.M)
    shown = re.sub(r'^\.Dl (?:"(.*)"|(.*))$', r"\1\2", shown, flags=re.M)
    for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", shown, re.S | re.M):
        yield re.sub(r"^\\&", "", block, flags=re.M).replace(r"\(aq", "'").replace(r"\(dq", '"').replace(r"\e", "\\")


def examples(page):
    """Commands with what they print."""
    for block in blocks(page):
        for example in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, said = [], example.splitlines()
            while said and (not command or not complete("\n".join(command))):
                command.append(said.pop(0))
            yield "\n".join(command), "".join(line + "\n" for line in said)


def complete(command):
    """Whether the shell waits for no more lines."""
    here = re.search(r"<<'(\w+)'", command)
    if here:
        return command.endswith("\n" + here.group(1))
    return not command.endswith(("\\", "|"))


def matches(said, printed):
    return re.fullmatch(re.escape(said).replace(re.escape("..."), ".*"), printed, re.S)


def wrong(command, said, folder):
    """What is wrong with an example, or None."""
    run = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        return f"{command}\nends with {run.returncode}: {run.stderr}"
    if said and not matches(said, run.stdout):
        return f"{command}\nprints\n{run.stdout}"
    return None


def check(page):
    """How many examples there are, and what is wrong with one."""
    found = list(examples(page))
    with tempfile.TemporaryDirectory() as folder:
        for command, said in found:
            reason = wrong(command, said, folder)
            if reason:
                return len(found), reason
    return len(found), None if found else "no examples"


def main(posenc, *pages):
    os.environ["PATH"] = os.path.dirname(os.path.abspath(posenc)) + ":" + os.environ["PATH"]
    failed = 0
    for page in pages:
        count, reason = check(page)
        if reason:
            print("# " + reason.rstrip().replace("\n", "\n# "))
        print(f"{'not ok' if reason else 'ok'} - {page}: {count} examples do as it says")
        failed += bool(reason)
    return failed > 0


sys.exit(main(*sys.argv[1:]))
