"""A program that uses libposenc through ctypes; tests/install.bats runs it."""

import ctypes
import locale
import sys

locale.setlocale(locale.LC_ALL, "")
posenc = ctypes.CDLL(sys.argv[1])
posenc.pe_open.restype = ctypes.c_void_p
posenc.pe_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p]
posenc.pe_fill.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
posenc.pe_close.argtypes = [ctypes.c_void_p]

rows = (ctypes.c_float * 4 * 3)()
table = posenc.pe_open(b"sinusoid", b"len=3 dim=4 base=1e4 amp=0.5", None)
posenc.pe_fill(table, 0, 3, rows)
posenc.pe_close(table)
print(*rows[1])
