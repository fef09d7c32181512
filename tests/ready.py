#!/usr/bin/env python3
"""A Python that has imported NumPy already, for tests that start one a hundred times.

Usage: ready.py FOLDER: writes FOLDER/python, a program that takes the arguments of
python3 (-c CODE, -m MODULE, - or FILE) and runs them in a fork of this process, with its
own standard streams, folder, environment and umask. Limits are those of this process.
"""

import gc
import importlib
import os
import runpy
import signal
import socket
import sys
import traceback
import types

importlib.import_module("numpy")  # what is ready in every fork

CLIENT = """#!{python} -ISE
import _socket, os, sys
s = _socket.socket(_socket.AF_UNIX)
s.connect({path!r})
here = os.open(".", os.O_RDONLY)
umask = os.umask(0)
os.umask(umask)
words = [b"%d" % umask, b"%d" % (len(sys.argv) - 1), *map(os.fsencode, sys.argv[1:])]
words += [name + b"=" + value for name, value in os.environb.items()]
s.sendmsg([b"\\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, b"".join(
    fd.to_bytes(4, sys.byteorder) for fd in (0, 1, 2, here)))])
s.sendall(b"\\0".join(words))
s.shutdown(_socket.SHUT_WR)
status = int(s.recv(16) or b"1")
if status < 0:
    os.kill(os.getpid(), -status)
os._exit(status)
"""


def received(client):
    """What a client sends: its descriptors, then umask, arguments and environment."""
    _, fds, _, _ = socket.recv_fds(client, 1, 4)
    umask, count, *words = b"".join(iter(lambda: client.recv(1 << 16), b"")).split(b"\0")
    return fds, int(umask), words[:int(count)], words[int(count):]


def become(fds, umask, arguments, environment):
    """Take over the client's streams, folder and environment."""
    for i, fd in enumerate(fds[:3]):
        os.dup2(fd, i)
    os.fchdir(fds[3])
    for fd in fds:
        os.close(fd)
    os.umask(umask)
    os.environb.clear()
    os.environb.update(word.split(b"=", 1) for word in environment)
    sys.argv = [os.fsdecode(word) for word in arguments]
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(":"))
    # Opened for those that were there when the server started
    sys.stdin, sys.stdout = open(0), open(1, "w")
    sys.stderr = open(2, "w", errors="backslashreplace")
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def program():
    """Run what sys.argv says, as python3 does."""
    word = sys.argv[0]
    if word == "-m":
        sys.argv, sys.path[0] = sys.argv[1:], ""
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    name, sys.path[0] = "<string>", ""
    if word == "-c":
        code = sys.argv.pop(1)
    elif word == "-":
        code = sys.stdin.read()
    else:
        code, name, sys.path[0] = open(word, "rb").read(), word, os.path.dirname(word)
    sys.modules["__main__"] = main = types.ModuleType("__main__")
    main.__file__ = name
    exec(compile(code, name, "exec"), main.__dict__)


def ended():
    """Run the program: its status. Python's own end, which frees all, takes 60 ms."""
    try:
        program()
        status = 0
    except SystemExit as end:
        status = end.code or 0
        if not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.modules["__main__"].__dict__.clear()  # closes files that it holds
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        status = status or 120
    return status


def status_of(client):
    """Run the client's program in a process of its own: its status, or minus its signal."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    request = received(client)
    client.close()
    become(*request)
    os._exit(ended())


def main(folder):
    path = os.path.join(folder, "socket")
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(64)
    name = os.path.join(folder, "python")
    with open(name + ".new", "w") as out:
        out.write(CLIENT.format(python=sys.executable, path=path))
    os.chmod(name + ".new", 0o755)
    os.rename(name + ".new", name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    while True:
        client, _ = server.accept()
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            server.close()
            client.sendall(b"%d" % status_of(client))
            os._exit(0)
        client.close()


if __name__ == "__main__":
    main(sys.argv[1])
