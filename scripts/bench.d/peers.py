"""The jobs of scripts/bench as typical Python programs."""

import sys

job, *arguments = sys.argv[1:]
path = arguments[-1]
sizes = [int(a) for a in arguments[:-1] if a.isdigit()]


def table(n, d, first=0, dtype="float32"):
    import numpy as np

    p = np.arange(first, first + n)[:, None]
    angle = p / np.power(10000, np.arange(0, d, 2) / d)
    pe = np.empty((n, d), dtype)
    pe[:, 0::2] = np.sin(angle)
    pe[:, 1::2] = np.cos(angle)
    return pe


def torch_table(n, d):
    import math
    import torch

    p = torch.arange(n).unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(p * div)
    pe[:, 1::2] = torch.cos(p * div)
    return pe


def t5(n):
    import math
    import torch

    r = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    bucket = (r > 0).long() * 16
    r = torch.abs(r)
    large = 8 + (torch.log(r.float() / 8) / math.log(128 / 8) * 8).long()
    large = torch.min(large, torch.full_like(large, 15))
    return (bucket + torch.where(r < 8, r, large)).to(torch.int32)


if job == "raw":
    table(*sizes).tofile(path)
elif job == "raw64":
    table(*sizes, dtype="float64").tofile(path)
elif job == "torch_raw":
    torch_table(*sizes).numpy().tofile(path)
elif job == "blocks":
    n, d = sizes
    with open(path, "wb") as out:
        for first in range(0, n, 256):
            table(256, d, first).tofile(out)
elif job == "gram":
    import numpy as np

    x = np.load(arguments[0])
    with open(path, "wb") as out:
        np.save(out, x @ x.T)
elif job == "made":
    import numpy as np

    print(np.array_equal(table(*sizes), np.load(path)))
elif job == "equal":
    import numpy as np

    print(np.array_equal(np.load(arguments[0]), np.load(path)))
elif job == "deviation":
    import numpy as np

    x = np.load(path)
    print(x.mean(), x.std())
elif job == "singular":
    import numpy as np

    x = np.load(path)
    part = x[:4096].astype("float64")
    print(x.mean(), x.std(), np.linalg.svd(part, compute_uv=False)[0],
          np.linalg.svd(part - part.mean(0), compute_uv=False)[0])
elif job == "attend":
    import os
    import numpy as np
    import torch

    torch.set_num_threads(len(os.sched_getaffinity(0)))
    x = torch.from_numpy(np.load(arguments[0])).reshape(4096, 8, 64).permute(1, 0, 2)
    z = torch.softmax(x @ x.transpose(1, 2) / 8, -1) @ x
    np.save(open(path, "wb"), z.permute(1, 0, 2).reshape(4096, 512).numpy())
elif job == "interpolate":
    # A grid of cells to another, and nothing but that: its time is printed.
    import os
    import time
    import numpy as np
    import torch

    n, m = map(int, arguments[1:])
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    x = torch.from_numpy(np.load(arguments[0])).reshape(1, n, n, -1).permute(0, 3, 1, 2)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        torch.nn.functional.interpolate(x, size=(m, m), mode="bicubic", align_corners=False)
        times.append(time.perf_counter() - start)
    print("alone", sorted(times)[2])
elif job == "json":
    import json

    json.dump(table(*sizes).tolist(), open(path, "w"))
elif job == "savetxt":
    import numpy as np

    np.savetxt(path, table(*sizes), fmt="%.9g", delimiter=",")
elif job == "pandas":
    import pandas

    pandas.DataFrame(table(*sizes)).to_csv(path, header=False, index=False)
elif job == "imsave":
    import matplotlib.pyplot as plt

    plt.imsave(path, table(*sizes), cmap="RdBu", format="png")
elif job == "imshow":
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.imshow(table(*sizes), cmap="RdBu")
    plt.colorbar()
    plt.savefig(path, format="png")
elif job == "t5":
    t5(sizes[0]).numpy().tofile(path)
elif job == "normal":
    import numpy as np

    np.random.default_rng(0).standard_normal(sizes, dtype=np.float32).tofile(path)
elif job == "torch_normal":
    import torch

    torch.manual_seed(0)
    torch.nn.init.normal_(torch.empty(*sizes)).numpy().tofile(path)
elif job in ("figure", "pdf"):
    # The figure that posenc draws: the same pixels, labels and colour bar.
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    n, d = sizes
    figure, axes = plt.subplots(figsize=(1342 / 192, 1259 / 192), dpi=192)
    image = axes.imshow(table(n, d), cmap="coolwarm", vmin=-1, vmax=1, interpolation="nearest")
    axes.set_title("Sinusoidal positional encoding")
    axes.set_xlabel("Dimension")
    axes.set_ylabel("Position")
    figure.colorbar(image)
    figure.savefig(path, format="pdf" if job == "pdf" else "png")
elif job == "animation":
    # The matrices of shifts by 0 to n - 1, an animated PNG of the size that posenc makes.
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib import animation

    n, d = sizes

    def shift(by):
        m = np.zeros((d, d))
        for k in range(d // 2):
            angle = by / 10000 ** (2 * k / d)
            m[2 * k:2 * k + 2, 2 * k:2 * k + 2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        return m

    figure, axes = plt.subplots(figsize=(1372 / 192, 1259 / 192), dpi=192)
    image = axes.imshow(shift(0), cmap="coolwarm", vmin=-1, vmax=1)
    figure.colorbar(image)
    animation.FuncAnimation(figure, lambda by: [image.set_data(shift(by))], frames=n).save(
        path, writer=animation.PillowWriter(fps=10))
elif job == "read_csv":
    import pandas as pd

    pd.read_csv(path, header=None).to_numpy()
elif job == "loadtxt":
    import numpy as np

    np.loadtxt(path, delimiter=",")
elif job == "json_load":
    import json

    with open(path, encoding="utf-8") as file:
        json.load(file)
