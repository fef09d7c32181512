# Tables that are read: from any file, pipe or part of one.

bats_require_minimum_version 1.5.0
load common

setup() {
	empty_folder
}

# same A B: two tables are equal.
same() { "$posenc" compare "$@" --quiet >/dev/null; }

@test "a table is the same from every format, file, pipe and standard input" {
	"$posenc" sinusoid --len 9 --dim 6 --csv t.csv --json t.json --npy t.npy --raw t.raw --safetensors t.safetensors
	"$posenc" sinusoid --len 9 --dim 6 --header --csv header.csv
	for file in t.csv t.json t.safetensors t.safetensors:sin* header.csv; do
		same t.npy "$file"
	done
	same t.npy t.raw --dim 6 --dtype f32
	for kind in csv json npy safetensors; do
		same t.npy - <t.$kind
		cat t.$kind | same t.npy -
		same t.npy <(cat t.$kind)
		mkfifo pipe.$kind
		cat t.$kind >pipe.$kind &
		same t.npy pipe.$kind
	done
	cat t.raw | same t.npy - --dim 6 --dtype f32
	for d in f64 f16 bf16 i64 i32 i16 i8 u8; do
		"$posenc" t5-bucket --len 40 --dtype $d --json t.json --csv t.csv --raw t.raw --safetensors t.safetensors
		"$posenc" sinusoid --len 9 --dim 6 --dtype ${d/#[iu]*/f32} --json s.json --safetensors s.safetensors
		same t.json t.safetensors
		same t.csv t.raw --dim 40 --dtype $d
		same s.json s.safetensors
	done
}

@test "NumPy's arrays of every kind, order and version" {
	"$python" - <<'PY'
import itertools, numpy as np
rng = np.random.default_rng(0)
x = rng.integers(0, 2, (37, 41))
for i, (d, order) in enumerate(itertools.product(
        ["?", "u1", "i1", "<u2", ">i2", "<i4", ">u4", "<i8", ">u8", "<f2", ">f2", "<f4", ">f4", ">f8"], "CF")):
    y = x.astype(d) if d[-2:-1] in "?ui" else rng.standard_normal((37, 41)).astype(d)
    np.save(f"{i}.npy", np.asarray(y, order=order))
    np.save(f"{i}.f8.npy", y.astype("<f8"))
for version in ((1, 0), (2, 0), (3, 0)):
    with open(f"v{version[0]}.npy", "wb") as f:
        np.lib.format.write_array(f, x, version=version)
np.save("v.npy", x)
PY
	for i in $(seq 0 27); do
		same $i.npy $i.f8.npy
	done
	for i in 1 2 3; do
		same v.npy v$i.npy
	done
}

@test "safetensors: what is written is what the format's own rules read" {
	"$posenc" t5-bucket --len 3 --dtype i16 --rows 1:3 --safetensors a.safetensors
	"$posenc" t5-bucket --len 3 --dtype i16 --rows 1:3 --safetensors b.safetensors
	cmp a.safetensors b.safetensors
	"$posenc" sinusoid --len 5 --dim 4 --dtype bf16 --safetensors c.safetensors --raw c.raw
	"$posenc" relative --len 2 --table <(printf '1,2\n3,4\n5,6\n') --safetensors d.safetensors
	"$python" - <<'PY'
import json, struct
def read(name):
    data = open(name, "rb").read()
    n = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + n])
    meta = head.pop("__metadata__")
    assert n % 8 == 0 and all(type(v) is str for v in meta.values())
    (name, t), = head.items()
    assert t["data_offsets"] == [0, len(data) - 8 - n]
    return name, t, meta, data[8 + n:]
name, t, meta, data = read("a.safetensors")
assert name == "t5-bucket" and t["dtype"] == "I16" and t["shape"] == [2, 3]
assert struct.unpack("<6h", data) == (1, 0, 17, 2, 1, 0)
assert meta["command"] == "posenc t5-bucket --len 3 --dtype i16 --rows 1:3" and meta["num-buckets"] == "32"
name, t, meta, data = read("c.safetensors")
assert t["dtype"] == "BF16" and data == open("c.raw", "rb").read()
name, t, meta, data = read("d.safetensors")
assert t["shape"] == [2, 2, 2] and struct.unpack("<8f", data) == (3, 4, 5, 6, 1, 2, 3, 4)
PY
}

@test "raw files are read as --dim and --dtype say, in either order" {
	"$posenc" sinusoid --len 4 --dim 6 --raw t.raw
	[ "$("$posenc" embed --table t.raw --dim 6 --dtype f32)" = "$("$posenc" sinusoid --len 4 --dim 6)" ]
	[ "$("$posenc" embed --dim 6 --dtype f32 --table t.raw)" = "$("$posenc" sinusoid --len 4 --dim 6)" ]
}

@test "a checkpoint of 5 GB opens at once, and in little memory" {
	"$python" - <<'PY'
import json, struct
size = 5 << 30
head = {"big": {"dtype": "F32", "shape": [size // 4096, 1024], "data_offsets": [0, size]},
        "wpe": {"dtype": "F32", "shape": [2, 2], "data_offsets": [size, size + 16]}}
text = json.dumps(head).encode()
with open("model.safetensors", "wb") as f:
    f.write(struct.pack("<Q", len(text)) + text)
    f.seek(size, 1)
    f.write(struct.pack("<4f", 1, 2, 3, 4))
PY
	[ "$(timeout 2 "$posenc" similarity 'model.safetensors:w*')" = "5,11
11,25" ]
}

@test "devices without an end are refused soon, in a sentence" {
	for kind in csv json npy safetensors raw; do
		ln -s /dev/zero zero.$kind
		ln -s /dev/urandom random.$kind
		for file in zero.$kind random.$kind; do
			run --separate-stderr timeout 5 "$posenc" embed --table $file --dim 4 --dtype f32
			[ "$status" -eq 2 ]
			[ "${#stderr_lines[@]}" -eq 1 ]
		done
	done
	run --separate-stderr timeout 5 "$posenc" sinusoid --dim 2 --positions @/dev/zero
	[ "$status" -eq 2 ]
}

@test "rows and lists past what is made at once are refused" {
	[ "${LONG:-}" ] || skip "it takes ten seconds and two gigabytes (LONG=1)"
	"$python" - <<'PY'
head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (1, 134217729), }".ljust(117) + b"\n"
with open("row.npy", "wb") as file:
    file.write(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head)
    file.truncate(10 + len(head) + 134217729)
PY
	run -2 --separate-stderr "$posenc" embed --table row.npy --ids 0
	[[ "$stderr" == "posenc: row.npy: "*134217728*134217729* ]]
	yes 1 | head -n 100000001 >list
	run -2 --separate-stderr "$posenc" sinusoid --dim 2 --positions @list
	[[ "$stderr" == "posenc sinusoid: --positions "*100000000* ]]
}

@test "memory follows what a file holds, not what it claims" {
	case ${B:-build} in *asan*) skip "sanitizers have memory of their own" ;; esac
	"$python" - "$posenc" <<'PY'
import resource, struct, subprocess, sys
def peak(data, *words):
    subprocess.run([sys.argv[1], "embed", "--table", "-", *words], input=data, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 2), }"
npy = b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + bytes(1000)
st = b'{"x":{"dtype":"F64","shape":[1000000000,2],"data_offsets":[0,16000000000]}}'
st = struct.pack("<Q", len(st)) + st + bytes(1000)
deep = b"[" * 1000000
long = b"1" * 1000000
for data in (npy, st, struct.pack("<Q", 99999999) + b'{"x":1', deep, long, b'{"' + long):
    assert peak(data) < 20 * 1024, (data[:20], peak(data))
PY
	# Comments hold no numbers
	yes '# nothing' | head -c 40000000 | cat - <(echo 1) |
		"$python" -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 20 * 1024" \
			"$posenc" embed --table -
}
