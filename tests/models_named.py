#!/usr/bin/env python3
"""How many model types of other projects posenc knows: those that have no row, by name.

The names are in tests/golden/models/names, a file for each project, of which the first line
says where they stand. posenc is asked by a file of each. TAP on standard output.
"""

import os
import subprocess
import sys

import gguf_file
from cases import case, main

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAMES = os.path.join(TOP, "tests", "golden", "models", "names")
POSENC = os.path.join(TOP, os.environ.get("B", "build"), "posenc")


def names(project):
    with open(os.path.join(NAMES, project + ".txt"), encoding="utf-8") as f:
        next(f)
        return f.read().split()


def is_known(path):
    said = subprocess.run([POSENC, "config", path], capture_output=True, text=True).stderr
    return "unknown model type" not in said and "unknown architecture" not in said


def write_json(name):
    with open("config.json", "w", encoding="utf-8") as f:
        f.write(f'{{"model_type": "{name}"}}')
    return "config.json"


def write_gguf(name):
    gguf_file.write("model.gguf", name, [])
    return "model.gguf"


def check(project, write, most):
    """At most so many names have no row; vLLM's are of the types that transformers has not."""
    unknown = [name for name in names(project) if not is_known(write(name))]
    print(f"# {project}: {len(unknown)} of {len(names(project))} without a row: "
          + " ".join(unknown))
    assert len(unknown) <= most, f"{len(unknown)} without a row, not {most}: {unknown}"


@case
def types_of_transformers():
    check("transformers", write_json, 17)


@case
def architectures_of_llama_cpp():
    check("llama.cpp", write_gguf, 4)


@case
def types_of_vllm():
    check("vllm", write_json, 31)


@case
def a_name_that_is_none_has_no_row():
    assert not is_known(write_json("nothing_of_the_kind"))
    assert not is_known(write_gguf("nothing-of-the-kind"))


if __name__ == "__main__":
    sys.exit(main())
