"""Compares drawn tables with those of torch and NumPy.

drawn.py stored       with numbers kept in drawn.npy, made by torch 1.13.1
                      (AVX2) and NumPy 1.24.2
drawn.py numpy|torch  with the package itself, many more of them
drawn.py keep         makes drawn.npy anew
"""

import io
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
POSENC = os.path.join(os.environ.get("B", "build"), "posenc")

# below 16 numbers torch draws one by one; past a multiple of 16 the last 16 anew
SHAPES = [(1, 1), (5, 3), (4, 4), (17, 1), (7, 9), (2048, 8)]
SEEDS = [0, 42, 4294967295]
INITS = ["normal", "normal:0.02", "uniform", "uniform:-0.1,0.3"]


def numbers(init):
    return [float(x) for x in init.partition(":")[2].split(",") if x]


def torch_table(seed, shape, init):
    import torch

    torch.manual_seed(seed)
    if init == "normal":
        return torch.nn.Embedding(*shape).weight.detach().numpy()
    table = torch.empty(*shape)
    if init.startswith("normal"):
        return torch.nn.init.normal_(table, 0, *numbers(init)).numpy()
    return torch.nn.init.uniform_(table, *numbers(init)).numpy()


def numpy_table(seed, shape, init):
    rng = np.random.default_rng(seed)
    return (rng.normal(0, *numbers(init) or [1], shape) if init.startswith("normal")
            else rng.uniform(*numbers(init) or [0, 1], shape))


def legacy_table(seed, shape, init):
    rng = np.random.RandomState(seed)
    return (rng.normal(0, *numbers(init) or [1], shape) if init.startswith("normal")
            else rng.uniform(*numbers(init) or [0, 1], shape))


PEERS = {"torch": torch_table, "numpy": numpy_table, "numpy-legacy": legacy_table}


def cases(rngs, seeds, shapes):
    return [(rng, seed, shape, init) for rng in rngs for seed in seeds
            for shape in shapes for init in INITS]


def name(case):
    rng, seed, shape, init = case
    return f"{rng} {seed} {shape[0]}x{shape[1]} {init}"


def ours(case, *more):
    rng, seed, shape, init = case
    command = [POSENC, "embed", "--rng", rng, "--seed", str(seed), "--vocab", str(shape[0]),
               "--dim", str(shape[1]), "--init", init, *more, "--npy", "-"]
    return np.load(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout))


def stored():
    """The cases that are kept, one after another, as float32; not the large ones."""
    return cases(PEERS, SEEDS, SHAPES[:-1])


def differs(case, theirs):
    """float32 to the last bit; doubles, for which NumPy asks libm, within 3 ulp."""
    if (ours(case) != theirs.astype(np.float32)).any():
        return True
    if theirs.dtype == np.float32:
        return False
    off = np.abs(ours(case, "--dtype", "f64") - theirs)
    return (off > 3 * np.spacing(np.abs(theirs))).any()


def main(what):
    kept = os.path.join(HERE, "drawn.npy")
    if what == "keep":
        np.save(kept, np.concatenate([PEERS[c[0]](*c[1:]).astype(np.float32).ravel()
                                      for c in stored()]))
        return False
    if what == "stored":
        sizes = [rows * cols for _, _, (rows, cols), _ in stored()]
        tables = np.split(np.load(kept), np.cumsum(sizes)[:-1])
        bad = [name(c) for c, t in zip(stored(), tables) if differs(c, t.reshape(c[2]))]
    elif what == "torch":
        bad = [name(c) for c in cases(["torch"], [3, 2 ** 33 + 5], SHAPES + [(50000, 20)])
               if differs(c, torch_table(*c[1:]))]
    else:
        bad = [name(c) for c in cases(["numpy", "numpy-legacy"], [3, 77], [(3, 3), (5000, 40)])
               if differs(c, PEERS[c[0]](*c[1:]))]
        big = ("numpy", 2 ** 40 + 12345, (100, 3), "normal")
        bad += [name(big)] if differs(big, numpy_table(*big[1:])) else []
    print("\n".join(bad))
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
