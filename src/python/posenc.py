"""Positional encodings as NumPy arrays: the program posenc, called from Python.

>>> import posenc
>>> posenc.table("sinusoid", len=512, dim=64).shape
(512, 64)
>>> cos, sin = posenc.table("rope", len=4096, dim=128, out=("cos", "sin"))
>>> posenc.identify(cos)["scheme"]["command"]
'posenc rope --len 4096 --dim 128 --out cos'

Options are those of the command line ('posenc help rope'): --angle-scale 2 is
angle_scale=2, an option without a value is True, and None or False leaves one
out. Lists and arrays of one axis are written with commas between their values;
other arrays are handed over as tables, and so is what numpy.asarray() takes,
such as a tensor of torch (on the CPU) or an array of jax.

In a notebook, figure() and show() are drawn below the cell.
"""

import io
import json
import os
import shutil
import struct
import subprocess
import tempfile
import warnings
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

__all__ = ["Error", "Figure", "Report", "compare", "config", "figure", "identify", "inspect",
           "report", "show", "table"]
__version__ = "0.1.0"

Path = Union[str, "os.PathLike[str]"]
Table = Any  # a path, or what numpy.asarray() takes

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4",
          "I16": "<i2", "I8": "i1", "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?"}


class Error(Exception):
    """What posenc says when it cannot do what it was asked: one sentence."""


@lru_cache(maxsize=None)
def _program(named: Optional[str], path: Optional[str]) -> str:
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "posenc")
    found = beside if os.access(beside, os.X_OK) else named or shutil.which("posenc", path=path)
    if not found:
        raise Error("there is no program posenc beside the module, in POSENC or in PATH")
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Error(f"{found} does not run: {error}") from None
    version = said.stdout.split()[1:2]
    if version != [__version__]:
        warnings.warn(f"{found} has version {' '.join(version)}, this module {__version__}",
                      stacklevel=4)
    return found


class _Call:
    """One run of the program: its words, and the files of the arrays among them."""

    def __init__(self, command: str, inputs: Tuple[Table, ...], options: Dict[str, Any]):
        self.files: List[Any] = []
        self.words = [command]
        for name, value in options.items():
            if value is not None and value is not False:
                self.words.append("--" + name.rstrip("_").replace("_", "-"))
                self.words += [] if value is True else [self._value(value)]
        self.words += [self._table(x) for x in inputs]

    def _table(self, x: Table) -> str:
        if isinstance(x, (str, os.PathLike)):
            return os.fspath(x)
        file = tempfile.TemporaryFile() if not hasattr(os, "memfd_create") else \
            os.fdopen(os.memfd_create("table"), "w+b")
        np.lib.format.write_array(file, np.asarray(x), allow_pickle=False)
        file.flush()
        self.files.append(file)
        return f"/dev/fd/{file.fileno()}"

    def _value(self, x: Any) -> str:
        if isinstance(x, (str, os.PathLike)):
            return os.fspath(x)
        if isinstance(x, (list, tuple)) and all(isinstance(i, str) for i in x):
            return ",".join(x)
        array = np.asarray(x)
        if array.ndim > 1:
            return self._table(array)
        return ",".join(repr(i) for i in np.atleast_1d(array).tolist())

    def begin(self, *more: str) -> "subprocess.Popen[bytes]":
        for file in self.files:
            file.seek(0)
        program = _program(os.environ.get("POSENC"), os.environ.get("PATH"))
        return subprocess.Popen([program, *self.words, *more], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                pass_fds=[file.fileno() for file in self.files])

    def output(self, *more: str, negative: bool = False) -> bytes:
        done = self.begin(*more)
        with done:
            out, said = done.communicate()
        self.end(done.returncode, said, negative)
        return out

    def end(self, status: int, said: bytes, negative: bool = False) -> None:
        text = said.decode(errors="replace").strip()
        if status and not (negative and status == 1):
            raise Error(text or f"posenc ended with status {status}")
        if text:  # a note
            warnings.warn(text, stacklevel=4)


def _read(file: io.BufferedIOBase) -> Dict[str, np.ndarray]:
    """The tensors of a stream of safetensors, in order, without a copy; none if it is empty."""
    size = file.read(8)
    if len(size) < 8:
        return {}
    header = json.loads(file.read(struct.unpack("<Q", size)[0]))
    return {name: _values(file, entry) for name, entry in header.items() if name != "__metadata__"}


def _values(file: io.BufferedIOBase, entry: Dict[str, Any]) -> np.ndarray:
    """The next tensor of the stream."""
    x = np.empty(entry["shape"], DTYPES[entry["dtype"]])
    if x.size:
        file.readinto(memoryview(x).cast("B"))
    if entry["dtype"] != "BF16":
        return x
    try:
        import ml_dtypes
        return x.view(ml_dtypes.bfloat16)
    except ImportError:
        return (x.astype("<u4") << 16).view("<f4")


def table(command: str, *inputs: Table, **options: Any) -> Union[np.ndarray, Tuple[np.ndarray, ...]]:
    """The table of a command, [rows, columns] or [planes, rows, columns], in its dtype.

    command: an encoding or a view ('posenc help' lists them); inputs: its tables.
    out may be a tuple: then the tables of each of its names are returned as a tuple.
    bfloat16 becomes the dtype of ml_dtypes, or float32 where that is not installed.

    >>> posenc.table("alibi", heads=8, out="slopes").ravel()[:3].tolist()
    [0.5, 0.25, 0.125]
    >>> posenc.table("sinusoid", len=-1, dim=4)
    Traceback (most recent call last):
        ...
    posenc.Error: posenc sinusoid: --len must be between 1 and 9007199254740992, got -1
    """
    out = options.get("out")
    if isinstance(out, (tuple, list)):
        options["out"] = list(dict.fromkeys(out))
    call = _Call(command, inputs, options)
    with call.begin("--safetensors", "-") as done:
        found = _read(done.stdout)
        said = done.stderr.read()
    call.end(done.returncode, said)
    if isinstance(out, (tuple, list)):
        return tuple(found[name] for name in out) if len(found) > 1 else tuple(found.values()) * len(out)
    (x,) = found.values()
    return x


class Report(Dict[str, Any]):
    """What a command found, as a dictionary; str() is the report for people."""

    def __init__(self, call: _Call):
        self._call = call
        super().__init__(json.loads(call.output("--json", "-", negative=True)))

    def __str__(self) -> str:
        return self._call.output(negative=True).decode().rstrip("\n")


def report(command: str, *inputs: Table, **options: Any) -> Report:
    """The report of a command, such as list: a dictionary as --json writes it."""
    return Report(_Call(command, inputs, options))


def identify(x: Table, **options: Any) -> Report:
    """Which command made the table x [rows, columns] or [planes, rows, columns].

    >>> found = posenc.identify(posenc.table("sinusoid", len=50, dim=16, layout="split"))
    >>> found["match"]["grade"], found["parameters"]["layout"]
    ('exact', 'split')
    """
    return report("identify", x, **options)


def compare(a: Table, b: Table, **options: Any) -> Report:
    """How the table b differs from a, and what explains it.

    >>> a = posenc.table("sinusoid", len=20, dim=8)
    >>> posenc.compare(a, a)["differences"]["differing"]
    0
    """
    return report("compare", a, b, **options)


def inspect(x: Table, **options: Any) -> Report:
    """Statistics and properties of the table x."""
    return report("inspect", x, **options)


def config(path: Path, **options: Any) -> Report:
    """What a model's config.json or GGUF file says about its positions."""
    return report("config", path, **options)


class Figure:
    """A figure that a notebook draws below its cell, and that save() writes."""

    def __init__(self, call: _Call):
        self._call = call

    def save(self, path: Path) -> None:
        """Write the figure in the format of the path's suffix: .png, .svg, .pdf, .html."""
        self._call.output("-o", os.fspath(path))

    def _repr_svg_(self) -> str:
        return self._call.output("--svg", "-").decode()

    def _repr_png_(self) -> bytes:
        return self._call.output("--png", "-")


def figure(command: str, *inputs: Table, **options: Any) -> Figure:
    """The figure of a command: plot, title, width and others as 'posenc help figures' says.

    >>> picture = posenc.figure("sinusoid", len=100, dim=128, title="Positions")
    >>> picture._repr_png_()[1:4]
    b'PNG'
    """
    return Figure(_Call(command, inputs, options))


def show(x: Table, **options: Any) -> Figure:
    """The figure of a table: a heat map, or lines with plot="lines"."""
    return figure("show", x, **options)
