"""Attention beside PyTorch's, in double precision: within 1e-12.

attend.py stored POSENC    the program beside the tables of tests/golden/attend
attend.py torch POSENC     the same beside torch, for inputs drawn anew
attend.py make             makes those tables, with torch
"""

import io
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

POSENC = sys.argv[-1]
STORED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "attend")
TOLERANCE = 1e-12
HEADS = 2

PROJECTED = "x.npy --wq wq.npy --wk wk.npy --wv wv.npy"
SEPARATE = "--q q.npy --k k.npy --v v.npy"
SHAW = "--scheme relative --table-k table-k.npy --table-v table-v.npy"
CASES = {
    "plain": (PROJECTED, ""),
    "causal": (PROJECTED, "--mask causal"),
    "window": (PROJECTED, "--mask window:3"),
    "prefix": (PROJECTED, "--mask prefix:2"),
    "segments": (PROJECTED, "--mask segments --segments 0,0,1,1,1,2"),
    "packed": (PROJECTED, "--mask causal --segments 0,0,1,1,1,2"),
    "cross": (SEPARATE, ""),
    "cached": (SEPARATE, "--mask causal"),
    "sinusoid": (PROJECTED, "--scheme sinusoid"),
    "relative": (PROJECTED, SHAW),
    "relative-cached": (SEPARATE, SHAW + " --mask causal"),
    "t5": (PROJECTED, "--scheme t5 --table t5.npy --unscaled"),
    "t5-causal": (PROJECTED, "--scheme t5 --table t5.npy --mask causal --causal"),
    "alibi": (PROJECTED, "--scheme alibi --mask causal"),
    "rope-half": (PROJECTED, "--scheme rope"),
    "rope-interleaved": (PROJECTED, "--scheme rope --pairs interleaved --base 500"),
    "rope-cached": (SEPARATE, "--scheme rope --mask causal"),
}


def drawn(seed, n=6, m=3, d=12, inner=8, clip=2):
    r = np.random.default_rng(seed)
    shapes = {"x": (n, d), "wq": (d, inner), "wk": (d, inner), "wv": (d, inner), "wo": (inner, 5),
              "q": (m, inner), "k": (n, inner), "v": (n, inner),
              "table-k": (2 * clip + 1, inner // HEADS), "table-v": (2 * clip + 1, inner // HEADS),
              "t5": (32, HEADS)}
    return {name: r.standard_normal(shape) for name, shape in shapes.items()}


def expected(name, inputs):
    """Logits, weights and values, as PyTorch computes them, nothing clever."""
    import torch

    t = {k: torch.from_numpy(v) for k, v in inputs.items()}
    source, options = CASES[name]
    option = dict(zip(options.split()[::2], options.split()[1::2]))
    scheme = option.get("--scheme", "none")
    x = t["x"]
    if scheme == "sinusoid":
        angle = torch.arange(len(x)).double()[:, None] * torch.exp(
            torch.arange(0, x.shape[1], 2).double() * (-math.log(10000.0) / x.shape[1]))
        x = x + torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
    if source == PROJECTED:
        q, k, v = x @ t["wq"], x @ t["wk"], x @ t["wv"]
    else:
        q, k, v = t["q"], t["k"], t["v"]
    q, k, v = (y.unflatten(1, (HEADS, -1)).transpose(0, 1) for y in (q, k, v))
    i = torch.arange(k.shape[1] - q.shape[1], k.shape[1])[:, None]
    j = torch.arange(k.shape[1])[None]
    if scheme == "rope":
        q = rotated(q, i[:, 0], option)
        k = rotated(k, j[0], option)
    logits = torch.einsum("hid,hjd->hij", q, k)
    if scheme == "relative":
        clip = len(t["table-k"]) // 2
        label = (j - i).clamp(-clip, clip) + clip
        logits = torch.einsum("hid,hijd->hij", q, k[:, None] + t["table-k"][label])
    if "--unscaled" not in options:
        logits = logits / math.sqrt(q.shape[-1])
    if scheme == "t5":
        logits = logits + t["t5"][bucket(j - i, "--causal" not in options)].permute(2, 0, 1)
    if scheme == "alibi":
        slopes = 2.0 ** (-8.0 * torch.arange(1, HEADS + 1).double() / HEADS)
        logits = logits - slopes[:, None, None] * (j - i).abs()
    logits = logits.masked_fill(~seen(i, j, option), -math.inf)
    weights = torch.softmax(logits, -1)
    values = weights @ v
    if scheme == "relative":
        values = torch.einsum("hij,hijd->hid", weights, v[:, None] + t["table-v"][label])
    values = values.transpose(0, 1).flatten(1) @ t["wo"]
    return {"logits": logits.numpy(), "weights": weights.numpy(), "values": values.numpy()}


def seen(i, j, option):
    import torch

    kind, _, n = option.get("--mask", "full").partition(":")
    rule = {"full": j >= 0, "causal": j <= i, "segments": j >= 0}.get(kind)
    if kind == "window":
        rule = (j <= i) & (j > i - int(n))
    if kind == "prefix":
        rule = (j <= i) | (j < int(n))
    if "--segments" in option:
        segment = torch.tensor([int(s) for s in option["--segments"].split(",")])
        rule = rule & (segment[i] == segment[j])
    return rule.expand(len(i), j.shape[1])


def rotated(x, position, option):
    """RoFormer's complex product, or rotate_half()."""
    import torch

    half = x.shape[-1] // 2
    base = float(option.get("--base", 10000))
    angle = position.double()[:, None] * base ** (-torch.arange(half).double() / half)
    if option.get("--pairs") == "interleaved":
        turn = torch.polar(torch.ones_like(angle), angle)
        z = torch.view_as_complex(x.contiguous().unflatten(-1, (half, 2)))
        return torch.view_as_real(z * turn).flatten(-2)
    angle = torch.cat([angle, angle], -1)
    return x * angle.cos() + torch.cat([-x[..., half:], x[..., :half]], -1) * angle.sin()


def bucket(distance, bidirectional):
    import torch

    n, first = (16, (distance > 0).long() * 16) if bidirectional else (32, 0)
    distance = distance.abs() if bidirectional else (-distance).clamp(min=0)
    exact = n // 2
    far = exact + (torch.log(distance.clamp(min=1) / exact) / math.log(128 / exact)
                   * (n - exact)).long().clamp(max=n - exact - 1)
    return first + torch.where(distance < exact, distance, far)


def made(source, options, out):
    words = [*source.split(), *options.split(), "--heads", str(HEADS), "--out", out]
    if out == "values":
        words += ["--wo", "wo.npy"]
    run = subprocess.run([POSENC, "attend", *words, "--dtype", "f64", "--npy", "-"], capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    return np.load(io.BytesIO(run.stdout))


def compare(name, theirs):
    """The largest difference of finite numbers; those that are not must be the same."""
    worst = 0
    for out, want in theirs.items():
        ours = made(*CASES[name], out)
        assert ours.shape == want.shape, (name, out, ours.shape, want.shape)
        finite = np.isfinite(want)
        assert (ours[~finite] == want[~finite]).all(), (name, out)
        worst = max(worst, np.abs(ours[finite] - want[finite]).max())
        if out == "weights":
            assert np.abs(ours.sum(-1) - 1).max() < 1e-15, (name, "sums")
    assert worst < TOLERANCE, (name, worst)
    return worst


def main(how):
    worst = 0
    if how == "make":
        inputs = drawn(2018)
        os.makedirs(STORED, exist_ok=True)
        np.savez(os.path.join(STORED, "inputs.npz"), **inputs)
        for name in CASES:
            np.savez(os.path.join(STORED, name + ".npz"), **expected(name, inputs))
        return
    for seed in [0] if how == "stored" else range(4):
        inputs = (np.load(os.path.join(STORED, "inputs.npz")) if how == "stored"
                  else drawn(seed, n=6, m=1 + seed, inner=8 + 4 * seed, clip=1 + seed))
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for name in inputs:
                np.save(name + ".npy", inputs[name])
            for name in CASES:
                theirs = (np.load(os.path.join(STORED, name + ".npz")) if how == "stored"
                          else expected(name, inputs))
                worst = max(worst, compare(name, dict(theirs)))
            os.chdir("/")
    print(f"{len(CASES)} cases, {worst:.2g} apart at most")


if __name__ == "__main__":
    main(sys.argv[1])
