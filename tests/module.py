"""The Python module beside the program: arrays both ways, errors, figures. TAP on standard output."""

import contextlib
import doctest
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import warnings
import xml.dom.minidom

import numpy as np

from cases import case, main

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.abspath(os.path.join(os.environ.get("B", "build"), "posenc"))
os.environ["POSENC"] = PROGRAM
sys.path.insert(0, os.path.join(ROOT, "src", "python"))
sys.dont_write_bytecode = True
import posenc  # noqa: E402


def npy(*words):
    done = subprocess.run([PROGRAM, *words, "--npy", "-"], capture_output=True, check=True)
    return np.load(io.BytesIO(done.stdout))


def refused(function, *words, **options):
    try:
        function(*words, **options)
    except posenc.Error as error:
        return str(error)
    raise AssertionError("not refused")


@case
def what_the_docstrings_show():
    failed, tried = doctest.testmod(posenc, extraglobs={"posenc": posenc})
    assert tried > 8 and not failed, (failed, tried)


@case
def the_version_is_the_programs():
    with open(os.path.join(ROOT, "src", "version.h")) as file:
        assert re.search(r'"(.*)"', file.read())[1] == posenc.__version__


@case
def arrays_are_those_of_npy_files():
    for words in ("sinusoid --len 9 --dim 6", "sinusoid --len 9 --dim 6 --dtype f64",
                  "sinusoid --len 9 --dim 6 --dtype f16", "relative --len 5",
                  "alibi --heads 4 --len 6", "sinusoid --len 9 --dim 6 --layout split"):
        command, *options = words.split()
        given = {options[i][2:]: options[i + 1] for i in range(0, len(options), 2)}
        x, y = posenc.table(command, **given), npy(*words.split())
        assert x.dtype == y.dtype and x.shape == y.shape and np.array_equal(x, y), words
        assert x.flags.writeable
    assert posenc.table("t5-bucket", len=4, dtype="u8").dtype == np.uint8


@case
def bfloat16_keeps_its_values():
    x = posenc.table("sinusoid", len=9, dim=6, dtype="bf16")
    y = npy(*"sinusoid --len 9 --dim 6".split())
    assert x.shape == y.shape and np.max(np.abs(x.astype("f4") - y)) < 2 ** -8


@case
def several_outputs_are_a_tuple():
    cos, sin = posenc.table("rope", len=9, dim=8, out=("cos", "sin"))
    assert np.array_equal(cos, posenc.table("rope", len=9, dim=8, out="cos"))
    assert np.array_equal(sin, posenc.table("rope", len=9, dim=8, out="sin"))
    assert [x.shape for x in posenc.table("rope", len=3, dim=4, out=("freqs", "cos", "freqs"))] == [
        (1, 2), (3, 2), (1, 2)]
    assert [x.shape for x in posenc.table("rope", len=3, dim=4, out=["sin", "sin"])] == [(3, 2)] * 2
    assert [len(x) for x in posenc.table("rope", len=3, dim=4, out=("sin",))] == [3]
    part = posenc.table("rope", len=9, dim=8, out=("cos", "sin"), rows="2:4")
    assert np.array_equal(part, [cos[2:4], sin[2:4]])
    assert np.allclose(cos ** 2 + sin ** 2, 1)


@case
def arrays_are_given_as_tables_and_lists():
    x = np.random.default_rng(5).standard_normal((7, 8)).astype("f4")
    assert np.array_equal(posenc.table("show", x), x)
    assert np.array_equal(posenc.table("show", x.T), x.T)  # in Fortran's order
    assert np.array_equal(posenc.table("show", x[::2]), x[::2])
    assert np.array_equal(posenc.table("embed", table=x, ids=[3, 5, 3]), x[[3, 5, 3]])
    assert np.array_equal(posenc.table("embed", table=x, ids=np.array([6])), x[[6]])
    assert np.array_equal(posenc.table("show", [[1, 2], [3, 4]]), [[1, 2], [3, 4]])
    assert posenc.table("rope", len=7, dim=8, apply=x).shape == x.shape
    np.save("x.npy", x)
    assert np.array_equal(posenc.table("show", "x.npy"), x)
    some = posenc.table("enformer", len=4, dim=12, functions=["gamma", "central-mask"])
    assert np.array_equal(some, posenc.table("enformer", len=4, dim=12, functions="gamma,central-mask"))


@case
def reports_are_dictionaries_and_texts():
    x = posenc.table("sinusoid", len=50, dim=16)
    found = posenc.identify(x)
    assert found["scheme"]["command"] == "posenc sinusoid --len 50 --dim 16"
    assert str(found).startswith("sinusoid: ") and json.loads(json.dumps(found)) == found
    assert posenc.compare(x, x)["differences"]["differing"] == 0
    other = posenc.compare(x, x + 1)
    assert other["differences"]["differing"] == 800 and "B is A plus 1" in str(other)
    assert posenc.inspect(x)["values"]["shape"] == [50, 16]
    with open("config.json", "w") as file:
        json.dump({"model_type": "llama", "head_dim": 64, "rope_theta": 500000}, file)
    assert "500000" in str(posenc.config("config.json"))
    np.savez("both.npz", a=x, b=x)
    assert posenc.report("list", "both.npz")["model"]["tensors"] == 2


@case
def errors_are_the_programs_sentences():
    assert refused(posenc.table, "sinusoid", lenn=4) == \
        "posenc sinusoid: unknown option '--lenn' (did you mean '--len'?)"
    assert "unknown command 'sinusoidd'" in refused(posenc.table, "sinusoidd")
    assert "--safetensors" in refused(posenc.table, "inspect", np.eye(3))
    assert "none.npy" in refused(posenc.identify, "none.npy")
    assert "none/x.png" in refused(posenc.figure("sinusoid", len=4, dim=4).save, "none/x.png")


@case
def programs_that_are_missing_or_of_another_version_are_named():
    try:
        os.environ["POSENC"] = os.path.abspath("absent")
        assert "absent" in refused(posenc.table, "relative", len=2)
        with open("other", "w") as file:
            file.write(f"#!/bin/sh\n[ $1 = --version ] && echo posenc 9.9 || exec '{PROGRAM}' \"$@\"\n")
        os.chmod("other", 0o755)
        os.environ["POSENC"] = os.path.abspath("other")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            assert posenc.table("relative", len=2).shape == (2, 2)
        assert len(said) == 1 and "version 9.9" in str(said[0].message)
        del os.environ["POSENC"]
        path, os.environ["PATH"] = os.environ["PATH"], os.path.abspath("empty")
        try:
            assert "in POSENC or in PATH" in refused(posenc.table, "relative", len=2)
        finally:
            os.environ["PATH"] = path
    finally:
        os.environ["POSENC"] = PROGRAM


@case
def figures_are_drawn_and_saved():
    figure = posenc.figure("sinusoid", len=20, dim=16, title="위치")
    assert "위치" in xml.dom.minidom.parseString(figure._repr_svg_()).toxml()
    figure.save("x.png")
    with open("x.png", "rb") as file:
        assert file.read() == figure._repr_png_()
    lines = posenc.show(np.eye(8), plot="lines")
    assert lines._repr_svg_() == lines._repr_svg_()  # an array can be read again


def cells(name):
    with open(os.path.join(ROOT, "man", name)) as file:
        book = json.load(file)
    for cell in book["cells"]:
        assert cell.get("outputs", []) == [], "a notebook is kept without outputs"
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]


@case
def the_notebook_runs():
    names = {}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for source in cells("posenc.ipynb"):
            exec(source, names)
    assert "--layout split --denom half-1' makes exactly this table" in said.getvalue()


@case
def the_notebook_runs_where_notebooks_do():
    book = os.path.join(ROOT, "man", "posenc.ipynb")
    if not (importlib.util.find_spec("nbconvert") and importlib.util.find_spec("ipykernel")):
        return "nbconvert or ipykernel is not installed"
    env = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "src", "python"), "HOME": os.getcwd()}
    subprocess.run([sys.executable, "-m", "nbconvert", "--to", "html", "--execute", book,
                    "--output-dir", os.getcwd()], env=env, check=True, capture_output=True)
    with open("posenc.html") as file:
        assert file.read().count("<svg") >= 3
    return None


@case
def pip_installs_it_without_a_network():
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True).returncode:
        return "pip is not installed"
    done = subprocess.run([*pip, "install", "--no-index", "--no-deps", "--target", "there",
                           os.path.join(ROOT, "src", "python")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir("there"))[-1].startswith("posenc") or "posenc.py" in os.listdir("there")
    return None


sys.exit(main())
