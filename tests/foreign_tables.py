"""Tables as other programs make them, by formulas of their own, for foreign.py.

A family is a function of a random generator that returns a table, or a table and a
dict: noise (standard deviation of what was added), columns (which of the table follow
the law, if not all), says (words that a report without a match may use).
"""

import numpy as np

PLAIN, NOISY, LOW, ARRANGED, FOIL = {}, {}, {}, {}, {}


def family(group):
    def add(make):
        group[make.__name__] = make
        return make
    return add


# Parts that families share

def pick(r, *choices):
    return choices[r.integers(len(choices))]


def frequencies(half, base, denominator=None):
    return base ** (-np.arange(half) / (denominator or half))


def weave(a, b):
    """Columns of a and b in turn."""
    return np.stack([a, b], -1).reshape(len(a), -1)


def usual_base(r):
    return pick(r, 10000.0, 10000.0, 500000.0, 1e6, 1000.0, 100.0, 20000.0)


def angles(r, n=None, half=None, base=None, start=0):
    n = n or int(r.integers(6, 130))
    half = half or int(pick(r, 4, 8, 12, 16, 32, 64))
    return np.outer(np.arange(n) + start, frequencies(half, base or usual_base(r)))


def sinusoid_of(a, r=None):
    """Angles as sines and cosines, in a random layout if r is given."""
    s, c = np.sin(a), np.cos(a)
    if r is not None and r.random() < 0.3:
        s, c = c, s
    return np.hstack([s, c]) if r is not None and r.random() < 0.4 else weave(s, c)


def single(x):
    return np.asarray(x, np.float32)


# Tables that a command makes

@family(PLAIN)
def vaswani(r):
    return single(sinusoid_of(angles(r)))


@family(PLAIN)
def tensor2tensor(r):
    n, half = int(r.integers(6, 130)), int(pick(r, 4, 8, 32, 64))
    a = np.outer(np.arange(n), frequencies(half, 10000.0, half - 1))
    return single(np.hstack([np.sin(a), np.cos(a)]))


@family(PLAIN)
def fairseq(r):
    n, half, pad = int(r.integers(8, 130)), int(pick(r, 8, 16, 64)), int(r.integers(0, 3))
    a = np.outer(np.arange(n), frequencies(half, 10000.0, half - 1))
    x = np.hstack([np.sin(a), np.cos(a)])
    x[pad] = 0
    return single(x)


@family(PLAIN)
def timesteps(r):
    half = int(pick(r, 16, 32, 64))
    a = np.outer(np.sort(r.choice(1000, 20, False)), frequencies(half, 10000.0))
    return single(np.hstack([np.cos(a), np.sin(a)]))


@family(PLAIN)
def shifted_start(r):
    return single(sinusoid_of(angles(r, start=int(r.integers(1, 4000))), r))


@family(PLAIN)
def every_second_row(r):
    return np.ascontiguousarray(single(sinusoid_of(angles(r, n=int(r.integers(16, 130))), r))[::2])


@family(PLAIN)
def rows_reversed(r):
    return np.ascontiguousarray(single(sinusoid_of(angles(r), r))[::-1])


@family(PLAIN)
def squared_positions(r):
    n, half = int(r.integers(16, 90)), int(r.integers(4, 30))
    a = np.outer(np.arange(n) ** 2, frequencies(half, 10000.0))
    return single(sinusoid_of(a, r))


@family(PLAIN)
def interpolated(r):
    return single(sinusoid_of(angles(r) / pick(r, 2, 4, 8, 10), r))


@family(PLAIN)
def scaled(r):
    a = angles(r)
    return single(sinusoid_of(a, r) * pick(r, np.sqrt(2 * a.shape[1]), 0.5, 0.1,
                                           1 / np.sqrt(a.shape[1])))


@family(PLAIN)
def odd_columns(r):
    n, d = int(r.integers(8, 90)), 2 * int(pick(r, 4, 8, 16)) + 1
    column = np.arange(d)
    a = np.outer(np.arange(n), 10000.0 ** (-2 * (column // 2) / d))
    return single(np.where(column % 2, np.cos(a), np.sin(a)))


@family(PLAIN)
def printed(r):
    return np.round(sinusoid_of(angles(r), r), int(pick(r, 4, 5, 6)))


@family(PLAIN)
def half_precision(r):
    return sinusoid_of(angles(r), r).astype(np.float16)


@family(PLAIN)
def brain_precision(r):
    return bfloat16(sinusoid_of(angles(r, base=10000.0), r))


@family(PLAIN)
def rope_cos(r):
    return single(np.cos(angles(r)))


@family(PLAIN)
def rope_sin(r):
    return single(np.sin(angles(r)))


@family(PLAIN)
def rope_full_halves(r):
    return single(np.tile(pick(r, np.cos, np.sin)(angles(r)), (1, 2)))


@family(PLAIN)
def rope_full_repeated(r):
    return single(np.repeat(pick(r, np.cos, np.sin)(angles(r)), 2, axis=1))


@family(PLAIN)
def rope_angles(r):
    return single(angles(r))


def scaled_rope(r, scale):
    """The cosines of frequencies that a function of frequencies scales."""
    n, half = int(r.integers(16, 200)), int(pick(r, 16, 32, 64))
    base = pick(r, 10000.0, 500000.0)
    return single(np.cos(np.outer(np.arange(n), scale(frequencies(half, base), base, half))))


@family(PLAIN)
def rope_linear(r):
    s = pick(r, 2, 4, 8)
    return scaled_rope(r, lambda w, base, half: w / s)


@family(PLAIN)
def rope_ntk(r):
    s = pick(r, 2, 4, 8)
    return scaled_rope(r, lambda w, base, half: frequencies(
        half, base * s ** (half / (half - 1))))


@family(PLAIN)
def rope_llama3(r):
    def scale(w, base, half):
        smooth = np.clip((8192 * w / (2 * np.pi) - 1) / 3, 0, 1)
        return (1 - smooth) * w / 8 + smooth * w
    return scaled_rope(r, scale)


@family(PLAIN)
def rope_yarn(r):
    s, trained = pick(r, 4, 16), pick(r, 2048, 4096, 32768)

    def scale(w, base, half):
        def pair(turns):
            return half * np.log(trained / (turns * 2 * np.pi)) / np.log(base)
        low, high = max(np.floor(pair(32)), 0), min(np.ceil(pair(1)), 2 * half - 1)
        keep = 1 - np.clip((np.arange(half) - low) / max(high - low, 0.001), 0, 1)
        return w / s * (1 - keep) + w * keep
    return scaled_rope(r, scale) * single(0.1 * np.log(s) + 1)


@family(PLAIN)
def alibi_bias(r):
    n, heads = int(r.integers(3, 40)), 2 ** int(r.integers(1, 6))
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    distance = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    return single(-slopes[:, None, None] * distance)


def bucket(distance, buckets, largest):
    near = buckets // 2
    with np.errstate(divide="ignore"):
        far = near + np.floor(np.log(distance / near) / np.log(largest / near)
                              * (buckets - near) + 1e-9)
    return np.where(distance < near, distance, np.minimum(far, buckets - 1))


@family(PLAIN)
def t5_both(r):
    n = int(r.integers(20, 200))
    d = np.subtract.outer(np.arange(n), np.arange(n)).T
    return (bucket(np.abs(d), 16, 128) + 16 * (d > 0)).astype(np.int32)


@family(PLAIN)
def t5_causal(r):
    n = int(r.integers(40, 200))
    d = np.subtract.outer(np.arange(n), np.arange(n))
    return bucket(np.maximum(d, 0), 32, 128).astype(np.int32)


@family(PLAIN)
def shaw(r):
    n, k = int(r.integers(8, 60)), int(r.integers(2, 7))
    d = np.subtract.outer(np.arange(n), np.arange(n)).T
    return (np.clip(d, -k, k) + k).astype(np.int64)


@family(PLAIN)
def swin(r):
    h, w = int(r.integers(2, 8)), int(r.integers(2, 8))
    y, x = np.divmod(np.arange(h * w), w)
    dy, dx = np.subtract.outer(y, y) + h - 1, np.subtract.outer(x, x) + w - 1
    return (dy * (2 * w - 1) + dx).astype(np.int64)


@family(PLAIN)
def mae(r):
    h, w, d = int(r.integers(3, 15)), int(r.integers(3, 15)), int(pick(r, 16, 32, 64))
    y, x = np.divmod(np.arange(h * w), w)
    omega = frequencies(d // 4, 10000.0)
    return single(np.hstack([f(np.outer(p, omega)) for p in (x, y) for f in (np.sin, np.cos)]))


@family(PLAIN)
def detr(r):
    h, w, d = int(r.integers(3, 15)), int(r.integers(3, 15)), int(pick(r, 16, 32, 64))
    y, x = np.divmod(np.arange(h * w), w)
    omega = frequencies(d // 4, 10000.0)
    return single(np.hstack([sinusoid_of(np.outer(p + 1, omega)) for p in (y, x)]))


@family(PLAIN)
def onehot(r):
    return np.eye(int(r.integers(4, 40)), dtype=np.float32)


@family(PLAIN)
def counting(r):
    bits = int(r.integers(3, 9))
    return (np.arange(2 ** bits)[:, None] >> np.arange(bits)[::-1] & 1).astype(np.int32)


@family(PLAIN)
def causal(r):
    n = int(r.integers(4, 60))
    return pick(r, np.tril(np.ones((n, n), np.int32)),
                single(np.triu(np.full((n, n), -np.inf), 1)))


@family(PLAIN)
def additive_mask(r):
    n = int(r.integers(4, 60))
    low = pick(r, -1e9, -1e4, float(np.finfo(np.float32).min), -65504.0)
    return single(np.triu(np.full((n, n), low), 1))


@family(PLAIN)
def window(r):
    n, w = int(r.integers(10, 60)), int(r.integers(2, 9))
    d = np.subtract.outer(np.arange(n), np.arange(n))
    return ((d >= 0) & (d < w)).astype(np.int32)


@family(PLAIN)
def shift_matrix(r):
    w, by = frequencies(int(pick(r, 4, 8, 16)), 10000.0), int(r.integers(1, 50))
    x = np.zeros((2 * len(w), 2 * len(w)))
    for k, a in enumerate(w * by):
        x[2 * k:2 * k + 2, 2 * k:2 * k + 2] = [[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]
    return single(x)


@family(PLAIN)
def float32_arithmetic(r):
    n, d = int(r.integers(50, 500)), int(pick(r, 16, 64, 128))
    w = np.exp(np.arange(0, d, 2, dtype=np.float32) * np.float32(-np.log(10000.0) / d))
    a = np.arange(n, dtype=np.float32)[:, None] * w
    return weave(np.sin(a), np.cos(a)), {"noise": 1e-5}


# Tables beside which numbers were added

def noisy(r, x):
    """x with Gaussian noise of up to 1e-3 of its amplitude."""
    sigma = 10 ** r.uniform(-7, -3) * np.abs(x).max()
    return single(x + sigma * r.normal(size=x.shape)), {"noise": sigma}


@family(NOISY)
def noisy_sinusoid(r):
    return noisy(r, sinusoid_of(angles(r), r))


@family(NOISY)
def noisy_rope(r):
    return noisy(r, pick(r, np.cos, np.sin)(angles(r)))


@family(NOISY)
def noisy_rope_full(r):
    return noisy(r, np.tile(np.cos(angles(r)), (1, 2)))


@family(NOISY)
def noisy_rope_scaled(r):
    return noisy(r, rope_llama3(r).astype(float))


@family(NOISY)
def noisy_angles(r):
    return noisy(r, angles(r))


@family(NOISY)
def noisy_start(r):
    return noisy(r, sinusoid_of(angles(r, start=int(r.integers(1, 100))), r))


@family(NOISY)
def noisy_alibi(r):
    return noisy(r, alibi_bias(r).astype(float))


@family(NOISY)
def noisy_grid(r):
    return noisy(r, mae(r).astype(float))


@family(NOISY)
def quantised(r):
    return single(np.round(sinusoid_of(angles(r), r) * 127) / 127), {"noise": 0.29 / 127}


@family(NOISY)
def quantised_rope(r):
    return single(np.round(pick(r, rope_llama3, vaswani)(r) * 127) / 127), {"noise": 0.29 / 127}


@family(NOISY)
def quantised_integers(r):
    # Fewer values are not worth the digits of an amplitude beside a base.
    n, half = int(r.integers(24, 130)), int(pick(r, 12, 16, 32, 64))
    return np.round(127 * sinusoid_of(angles(r, n, half), r)).astype(np.int8), {"noise": 0.29}


@family(NOISY)
def fine_tuned(r):
    x = sinusoid_of(angles(r), r)
    move = np.zeros_like(x)
    rows = r.choice(len(x), max(2, len(x) // 4), False)
    move[rows] = 1e-3 * r.normal(size=(len(rows), x.shape[1]))
    return single(x + move), {"noise": float(move.std())}


# Tables of arithmetic that was too short

def bfloat16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    bits = bits + np.uint32(0x7fff) + (bits >> np.uint32(16) & np.uint32(1))
    return (bits & np.uint32(0xffff0000)).view(np.float32)


def low(r, position, frequency, angle, result):
    n, half = int(r.integers(280, 600)), int(pick(r, 16, 32, 64))
    w = frequency(single(frequencies(half, pick(r, 10000.0, 500000.0))))
    a = angle(position(single(np.arange(n)))[:, None] * w)
    return result(single(pick(r, np.cos, np.sin)(a.astype(np.float64))))


def same(x):
    return x


@family(LOW)
def bf16_frequencies(r):
    return low(r, same, bfloat16, lambda a: a.astype(np.float64), same)


@family(LOW)
def fp16_frequencies(r):
    return low(r, same, lambda w: single(w.astype(np.float16)), same, same), {"noise": 1e-4}


@family(LOW)
def bf16_positions(r):
    return low(r, bfloat16, same, same, same), {"noise": 1e-4}


@family(LOW)
def bf16_angles(r):
    return low(r, same, same, bfloat16, same), {"noise": 1e-4}


@family(LOW)
def bf16_all(r):
    return low(r, bfloat16, bfloat16, bfloat16, bfloat16), {"noise": 2e-3}


@family(LOW)
def bf16_sinusoid(r):
    n, half = int(r.integers(280, 600)), int(pick(r, 16, 32, 64))
    a = bfloat16(single(np.arange(n)))[:, None] * single(frequencies(half, 10000.0))
    return single(sinusoid_of(a.astype(np.float64), r)), {"noise": 1e-4}


# Tables in another arrangement

@family(ARRANGED)
def transposed(r):
    return np.ascontiguousarray(single(sinusoid_of(angles(r), r)).T)


@family(ARRANGED)
def flattened(r):
    return single(sinusoid_of(angles(r), r)).reshape(1, -1)


@family(ARRANGED)
def scaled_and_shifted(r):
    return single(r.uniform(0.1, 20) * sinusoid_of(angles(r), r) + r.normal(0, 3))

@family(ARRANGED)
def standardized(r):
    x, by = sinusoid_of(angles(r, n=int(r.integers(32, 130))), r), pick(r, None, 0, 1)
    return single((x - x.mean(by, keepdims=True)) / (x.std(by, keepdims=True) + 1e-6)), {"noise": 1e-3}

@family(ARRANGED)
def centred(r):
    x = sinusoid_of(angles(r, n=int(r.integers(32, 130))), r)
    return single(x - x.mean(pick(r, 0, 1), keepdims=True))

@family(ARRANGED)
def amplitude_per_pair(r):
    a = angles(r, n=int(r.integers(32, 130)))
    return single(sinusoid_of(a) * np.repeat(r.uniform(0.1, 2, a.shape[1]), 2))

@family(ARRANGED)
def dropped_out(r):
    x, p = sinusoid_of(angles(r, n=int(r.integers(32, 130))), r), pick(r, 0.1, 0.3, 0.5)
    return single(x * (r.random(x.shape) >= p) / (1 - p))

@family(ARRANGED)
def bytes_with_zero_point(r):
    x = sinusoid_of(angles(r, n=int(r.integers(32, 130))), r)
    return np.clip(np.round(x * 127.5 + 127), 0, 255).astype(np.uint8), {"noise": 0.3}

@family(ARRANGED)
def below_token_embeddings(r):
    x, by = sinusoid_of(angles(r, n=int(r.integers(64, 130)), half=64), r), r.uniform(0.05, 1)
    return single(x + r.normal(0, by, x.shape)), {"noise": by}

@family(ARRANGED)
def permuted(r):
    x = single(sinusoid_of(angles(r, n=int(r.integers(32, 130)))))
    return x[:, r.permutation(x.shape[1])]


@family(ARRANGED)
def permuted_rope(r):
    x = single(np.cos(angles(r, n=int(r.integers(32, 130)))))
    return x[:, r.permutation(x.shape[1])]


@family(ARRANGED)
def permuted_half_precision(r):
    x = sinusoid_of(angles(r, n=int(r.integers(32, 130)))).astype(np.float16)
    return x[:, r.permutation(x.shape[1])]


@family(ARRANGED)
def signs_flipped(r):
    x = single(sinusoid_of(angles(r, n=int(r.integers(32, 130)))))
    return x * single(r.choice([-1, 1], x.shape[1]))


@family(ARRANGED)
def part(r):
    x = single(sinusoid_of(angles(r, half=64, n=int(r.integers(32, 130)))))
    first = 2 * int(r.integers(0, 24))
    return np.ascontiguousarray(x[:, first:first + 2 * int(r.integers(8, 40))])


@family(ARRANGED)
def joined_with_learned(r):
    x = single(sinusoid_of(angles(r, half=16, n=int(r.integers(32, 130)))))
    y = single(0.02 * r.normal(size=(len(x), 32)))
    return np.hstack([x, y]), {"columns": slice(0, 32)}


@family(ARRANGED)
def joined(r):
    n = int(r.integers(32, 130))
    return np.hstack([single(sinusoid_of(angles(r, n=n, half=16, base=b)))
                      for b in (10000.0, 500.0)])


@family(ARRANGED)
def class_token(r):
    x = single(sinusoid_of(angles(r, n=int(r.integers(32, 130)))))
    return np.vstack([single(0.02 * r.normal(size=(1, x.shape[1]))), x]), {"rows": slice(1, None)}


# Tables without a law, or with one that no command has

def shape(r, least=8):
    return int(r.integers(least, 100)), int(r.integers(least, 80))


@family(FOIL)
def normal(r):
    return single(pick(r, 0.02, 1, 0.3) * r.normal(size=shape(r))), {"says": ["normal"]}


@family(FOIL)
def uniform(r):
    a = pick(r, 0.05, 1, 0.3)
    return single(r.uniform(-a, a, shape(r))), {"says": ["uniform"]}


@family(FOIL)
def clipped(r):
    return single(np.clip(r.normal(size=shape(r, 16)), -0.8, 0.8))


@family(FOIL)
def bimodal(r):
    n = shape(r, 16)
    return single(r.choice([-1, 1], n) + 0.3 * r.normal(size=n))


@family(FOIL)
def heavy_tails(r):
    return single(r.standard_t(3, size=shape(r, 16)))


@family(FOIL)
def low_rank(r):
    n, d = shape(r, 16)
    return single(r.normal(size=(n, 3)) @ r.normal(size=(3, d)))


@family(FOIL)
def cosine_transform(r):
    n = int(r.integers(8, 64))
    k = np.arange(n)
    return single(np.cos(np.pi / n * np.outer(k + 0.5, k)))


@family(FOIL)
def hadamard(r):
    x = np.ones((1, 1))
    for _ in range(int(r.integers(3, 6))):
        x = np.block([[x, x], [x, -x]])
    return single(x)


@family(FOIL)
def legendre(r):
    n, d = shape(r)
    return single(np.polynomial.legendre.legvander(np.linspace(-1, 1, n), min(d, 24)))


@family(FOIL)
def orthogonal(r):
    return single(np.linalg.qr(r.normal(size=(32, 32)))[0])


@family(FOIL)
def haar(r):
    x = np.ones((1, 1))
    for _ in range(int(r.integers(3, 6))):
        x = np.vstack([np.kron(x, [1, 1]), np.kron(np.eye(len(x)), [1, -1])])
    return single(x)


@family(FOIL)
def random_walk(r):
    return single(np.cumsum(0.1 * r.normal(size=shape(r)), axis=0))


@family(FOIL)
def smooth(r):
    n, d = shape(r, 24)
    kernel = np.exp(-0.5 * (np.arange(-9, 10) / 3) ** 2)
    x = r.normal(size=(n + 18, d))
    return single(np.stack([np.convolve(c, kernel, "valid") for c in x.T], 1))


@family(FOIL)
def helix(r):
    n, d = shape(r, 24)
    t = np.arange(n) * 2 * np.pi / n
    turn = np.stack([np.cos(t), np.sin(t), np.cos(2 * t), np.sin(2 * t), t], 1)
    return single(turn @ r.normal(size=(5, d)) + 0.1 * r.normal(size=(n, d)))


@family(FOIL)
def random_fourier(r):
    n, d = shape(r)
    return single(np.cos(np.outer(np.linspace(0, 1, n), r.normal(0, 10, d)) + r.uniform(0, 6, d)))


@family(FOIL)
def alien_frequencies(r):
    half = int(r.integers(6, 40))
    w = np.sort(np.exp(r.uniform(-6, 0.5, half)))[::-1]
    a = np.outer(np.arange(int(r.integers(16, 100))), w)
    return single(sinusoid_of(a, r)), {"says": ["sines and cosines", "rope"]}


@family(FOIL)
def random_angles(r):
    a = r.uniform(0, 2 * np.pi, (int(r.integers(1, 9)), int(r.integers(2, 17))))
    return single(sinusoid_of(a, r)), {"says": ["sines and cosines"]}


@family(FOIL)
def random_angles_far(r):
    a = r.uniform(0, 1e4, (int(r.integers(2, 6)), int(r.integers(1, 6))))
    return single(sinusoid_of(a, r)), {"says": ["sines and cosines"]}


@family(FOIL)
def tiny(r):
    x = r.normal(size=(int(r.integers(1, 5)), int(r.integers(1, 5))))
    return pick(r, single(x), x, x.astype(np.float16), np.round(x, 2))


@family(FOIL)
def tiny_uniform(r):
    return single(r.uniform(-1, 1, (int(r.integers(1, 5)), int(r.integers(2, 7)))))


@family(FOIL)
def random_bits(r):
    return r.integers(0, 2, (int(r.integers(3, 30)), int(r.integers(5, 30)))).astype(np.int32)


@family(FOIL)
def random_integers(r):
    return r.integers(-9, 10, shape(r)).astype(np.int64), {"says": ["uniform"]}


@family(FOIL)
def one_row(r):
    return single(r.normal(size=(1, int(r.integers(2, 300)))))


@family(FOIL)
def one_column(r):
    return single(r.normal(size=(int(r.integers(3, 300)), 1)))


@family(FOIL)
def lines(r):
    n, d = shape(r)
    return single(np.outer(np.arange(n), r.normal(size=d)) + r.normal(size=d))


@family(FOIL)
def same_rows(r):
    n, d = shape(r)
    return single(np.tile(r.uniform(-1, 1, d), (n, 1)))


@family(FOIL)
def permuted_values(r):
    x = sinusoid_of(angles(r, n=24, half=12)).ravel()
    return single(r.permutation(x).reshape(24, 24))


@family(FOIL)
def positive_decay(r):
    n, d = shape(r)
    return single(np.exp(-np.outer(np.arange(n), r.uniform(0.01, 1, d))))


@family(FOIL)
def chebyshev(r):
    n, d = shape(r, 12)
    return single(np.polynomial.chebyshev.chebvander(np.linspace(-1, 1, n), min(d, 24)))


@family(FOIL)
def discrete_fourier(r):
    n = 2 * int(r.integers(6, 30))
    a = 2 * np.pi * np.outer(np.arange(n), np.arange(1, n // 2)) / n
    return single(sinusoid_of(a, r)), {"says": ["sines and cosines", "rope"]}


@family(FOIL)
def triangle_waves(r):
    a = angles(r, n=int(r.integers(24, 100))) / (2 * np.pi)
    return single(4 * np.abs(a - np.round(a)) - 1)


@family(FOIL)
def decaying_waves(r):
    a = angles(r, n=int(r.integers(24, 100)))
    fade = r.uniform(0.9, 0.99, a.shape[1]) ** np.arange(len(a))[:, None]
    return single(np.hstack([np.sin(a) * fade, np.cos(a) * fade]))


@family(FOIL)
def drifting_base(r):
    n, half = int(r.integers(24, 100)), int(pick(r, 8, 16, 32))
    base = 10000 * np.exp(r.normal(0, 0.3, half))
    return single(sinusoid_of(np.outer(np.arange(n), base ** (-np.arange(half) / half)), r)), {
        "says": ["sines and cosines", "rope"]}


@family(FOIL)
def shuffled_blocks(r):
    x = r.normal(size=(int(r.integers(6, 20)), 24))
    return single(x[r.integers(0, len(x), 80)])


@family(FOIL)
def sparse(r):
    n = shape(r, 16)
    return single(r.normal(size=n) * (r.random(n) < 0.2))


@family(FOIL)
def rows_of_other_scales(r):
    n, d = shape(r, 16)
    return single(r.normal(size=(n, d)) * np.exp(r.normal(size=(n, 1))))


@family(FOIL)
def padded_normal(r):
    x = 0.02 * r.normal(size=shape(r, 16))
    x[0] = 0
    return single(x), {"says": ["normal"]}


@family(FOIL)
def geometric_columns(r):
    n, d = shape(r)
    return single(np.outer(r.normal(size=n), 2.0 ** -np.arange(d)))
