"""confined.py FORBIDDEN[>SIZE],... COMMAND...: run it where the kernel refuses these calls.

As in a container, by seccomp: "landlock>8" refuses rulesets of more bytes than 8,
as kernels do that know no more. Status 77 where that cannot be had.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

ALLOW, ERRNO = 0x7fff0000, 0x00050000
LOAD, EQUAL, GREATER, RETURN = 0x20, 0x15, 0x25, 0x06
CALLS = {"x86_64": {"affinity": 204, "clone": 56, "clone3": 435, "landlock": 444, "seccomp": 317},
         "aarch64": {"affinity": 123, "clone": 220, "clone3": 435, "landlock": 444,
                     "seccomp": 277}}
ERRORS = {"affinity": errno.EINVAL, "clone": errno.EAGAIN, "clone3": errno.EAGAIN,
          "landlock": errno.E2BIG, "seccomp": errno.ENOSYS}


def refuse(call, numbers):
    """Instructions: system call NAME[>SIZE], SIZE being its second argument's limit."""
    name, _, size = call.partition(">")
    return [(LOAD, 0, 0, 0), (EQUAL, 0, 3, numbers[name]), (LOAD, 0, 0, 24),
            (GREATER, 0, 1, int(size)) if size else (EQUAL, 0, 0, 0),
            (RETURN, 0, 0, ERRNO | ERRORS[name])]


def main():
    numbers = CALLS.get(platform.machine())
    if not numbers or sys.platform != "linux":
        sys.exit(77)
    steps = sum((refuse(call, numbers) for call in sys.argv[1].split(",")), [])
    code = b"".join(struct.pack("=HBBI", *step) for step in [*steps, (RETURN, 0, 0, ALLOW)])
    room = ctypes.create_string_buffer(code)
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(room))
    prctl = ctypes.CDLL(None).prctl
    if prctl(38, 1, 0, 0, 0) or prctl(22, 2, program):
        sys.exit(77)
    os.execv(sys.argv[2], sys.argv[2:])


main()
