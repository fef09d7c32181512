"""Builds the wheel of posenc.py: a module of one file needs no other tool, nor a network."""

import base64
import hashlib
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def build_wheel(directory, config_settings=None, metadata_directory=None):
    module = (HERE / "posenc.py").read_bytes()
    version = re.search(rb'__version__ = "(.*)"', module)[1].decode()
    info = f"posenc-{version}.dist-info"
    files = {
        "posenc.py": module,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: posenc\nVersion: {version}\n"
                            "Summary: positional encodings as NumPy arrays\n"
                            "Requires-Python: >=3.8\nRequires-Dist: numpy\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: posenc\nRoot-Is-Purelib: true\n"
                         b"Tag: py3-none-any\n",
    }
    record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    name = f"posenc-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
