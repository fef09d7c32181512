"""A program that uses libposenc through ctypes; tests/install.bats runs it."""

import ctypes
import locale
import sys

locale.setlocale(locale.LC_ALL, "")
posenc = ctypes.CDLL(sys.argv[1])
posenc.pe_open.restype = ctypes.c_void_p
posenc.pe_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
posenc.pe_rows.restype = posenc.pe_cols.restype = ctypes.c_size_t
posenc.pe_rows.argtypes = posenc.pe_cols.argtypes = posenc.pe_close.argtypes = [ctypes.c_void_p]
posenc.pe_fill.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]

why = ctypes.create_string_buffer(480)
table = posenc.pe_open(b"sinusoid", b"len=3 dim=4 base=1e4 amp=0.5", why, len(why))
if not table:
    sys.exit(why.value.decode())
rows, cols = posenc.pe_rows(table), posenc.pe_cols(table)
x = (ctypes.c_float * cols * rows)()
if posenc.pe_fill(table, 0, rows, x) != 0:
    sys.exit("out of memory")
posenc.pe_close(table)
print(*x[1])
