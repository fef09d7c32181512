# Tables that are read: from any file, pipe or part of one; reads that fail, wait or bring little.

load common

setup() {
	unset MALLOC_PERTURB_  # it touches memory that is not used, which some tests measure
	good="$PWD/tests/good"
	bad="$PWD/tests/bad"
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

@test "a checkpoint larger than the memory opens at once, and in little memory" {
	"$python" - <<'PY'
import json, os, struct
size = max(5 << 30, 2 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
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
			run --separate-stderr timeout 20 "$posenc" embed --table $file --dim 4 --dtype f32
			[ "$status" -eq 2 ]
			[ "${#stderr_lines[@]}" -eq 1 ]
		done
	done
	run --separate-stderr timeout 20 "$posenc" sinusoid --dim 2 --positions @/dev/zero
	[ "$status" -eq 2 ]
}

@test "a line or word without an end is refused before memory is full" {
	case ${B:-build} in *san*) skip "sanitizers have memory of their own" ;; esac
	refused() {
		run -2 --separate-stderr bash -c "$1 | '$bare_python' -c '
import resource, subprocess, sys
result = subprocess.run(sys.argv[2:])
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < int(sys.argv[1]) << 10
sys.exit(result.returncode)' $2 '$posenc' inspect -"
		[ "$stderr" = "posenc: standard input:$3" ]
	}
	refused "cat /dev/zero" 20 "1:1: expected text, got a NUL byte; raw values need --dim N and --dtype TYPE"
	refused "{ printf '1,2\n'; tr '\0' 1 </dev/zero; }" 800 \
		"2:1: a line must have at most 256 MB, got a longer one"
	refused "{ printf '[1'; tr '\0' 1 </dev/zero; }" 400 \
		"1:2: a string or number must have at most 128 MB, got a longer one"
	refused "{ printf '{\"'; tr '\0' 1 </dev/zero; }" 400 \
		"1:2: a string or number must have at most 128 MB, got a longer one"
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
	"$bare_python" - "$posenc" <<'PY'
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
		"$bare_python" -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 20 * 1024" \
			"$posenc" embed --table -
}

@test "values that show copies stay in their file, whatever their dtype" {
	for d in f64 f32 f16 bf16 i32 i16 i8 u8; do
		case $d in
		*f*) dim=64; "$posenc" embed --vocab 40000 --dim 64 --dtype $d --safetensors t.safetensors ;;
		*) dim=3000; "$posenc" t5-bucket --len 3000 --dtype $d --safetensors t.safetensors ;;
		esac
		"$posenc" show t.safetensors --raw t.raw
		"$bare_python" - "$posenc" $d $dim <<'PY'
import resource, subprocess, sys
posenc, d, dim = sys.argv[1:]
small = []
for words in (["show", "t.safetensors", "--safetensors", "same.safetensors"],
              ["show", "t.raw", "--dim", dim, "--dtype", d, "--raw", "same.raw"]):
    subprocess.run([posenc, *words], check=True)
    small.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
assert posenc.find("san") >= 0 or max(small) < 16 << 10, (d, small)
subprocess.run([posenc, "compare", "t.safetensors", "same.safetensors"], check=True)
small = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert posenc.find("san") >= 0 or small < 26 << 10, (d, small)
PY
		cmp t.raw same.raw
	done
}

@test "compare explains tables in their files as it does tables in memory" {
	"$python" - <<'PY'
import numpy as np

r = np.random.default_rng(1)
# More than the cache holds, in rows that are shorter and longer than its blocks
for name, rows, cols in ("tall", 20000, 100), ("wide", 100, 20000):
    a = r.standard_normal((rows, cols)).astype("f4")
    near = a.copy()
    near[-1, 3] = 9
    for kind, b in ("a", a), ("transposed", a.T), ("reversed", a[::-1]), ("near", near), \
            ("permuted", a[r.permutation(rows)]), ("part", a[7:]):
        np.save(f"{name}-{kind}.npy", b)
PY
	explains() {
		"$posenc" compare "$@" | grep -v '^  [AB] '
	}
	for name in tall wide; do
		for kind in a transposed reversed near permuted part; do
			explains $name-a.npy $name-$kind.npy >want
			cat $name-a.npy | explains - $name-$kind.npy | cmp - want
			cat $name-$kind.npy | explains $name-a.npy - | cmp - want
		done
	done
}

@test "identify reads the rows of a large table when it needs them" {
	"$posenc" rope --len 20000 --dim 128 --dtype f64 --out cis --npy rope.npy
	"$posenc" embed --vocab 20000 --dim 128 --dtype f64 --npy learned.npy
	for name in rope learned; do
		"$bare_python" - "$posenc" $name.npy >want <<'PY'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "identify", sys.argv[2], "--seconds", "60"])
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert sys.argv[1].find("san") >= 0 or most < 32 << 10, most
PY
		cat $name.npy | { "$posenc" identify - --seconds 60 || true; } | cmp - want
	done
}

@test "identify ends when its time is over, whatever the shape of a large table" {
	"$python" - <<'PY'
import struct
def put(name, rows, cols, values):
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, cols)
    head = head.ljust(117) + b"\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head)
        file.truncate(10 + len(head) + 4 * rows * cols)
        for row, column, value in values:
            file.seek(10 + len(head) + 4 * (row * cols + column))
            file.write(struct.pack("<f", value))
put("zeros.npy", 256, 65536, [])
put("wide.npy", 256, 65536, [(5, 7, 1), (200, 60000, 3)])
# What Sandwich with --dim 1048560 would have at distance 0, and at no other
put("tall.npy", 1 << 16, 64, [((1 << 16) - 1, 3, 65535), (5, 7, 2)])
PY
	for name in zeros wide tall; do
		run -1 --separate-stderr bash -c \
			'ulimit -t "$1"; shift; "$@"' - 60 "$posenc" identify $name.npy --seconds 1
		[ "$stderr" = "" ]
		[[ "$output" == "no match found: "* || "$output" == "all values are 0: "* ]]
	done
}

@test "rows of one column that are equal are found where they are far apart" {
	"$python" - <<'PY'
import numpy
x = numpy.random.default_rng(1).standard_normal(300000).astype("f4")
x[200000:] = x[:100000]
numpy.save("t.npy", x[:, None])
numpy.save("three.npy", numpy.stack([x, -x, 0 * x], 1))
PY
	equal=$("$python" -c "
import numpy
x = numpy.load('t.npy'); print(len(x) - len(numpy.unique(x)))")
	for name in t three; do
		"$posenc" inspect $name.npy --json - >got
		[ "$(grep repeated_rows got | tr -dc 0-9)" = "$equal" ]
		"$posenc" inspect - <$name.npy --json - | tail -n +4 | cmp - <(tail -n +4 got)
	done
}

@test "rows made to have one hash are compared as fast as others" {
	"$python" - <<'PY'
import numpy
# A hash that multiplies 64 bits, and mixes in what it shifts right by 29, is the
# same for two values and for those with bit 63 flipped, and bit 34 of the second
n, pairs = numpy.arange(1 << 17), 17
x = numpy.random.default_rng(1).standard_normal(2 * pairs).view("u8")
x = numpy.repeat(x[None], len(n), 0)
for k in range(pairs):
    flip = (n >> k & 1).astype("u8")
    x[:, 2 * k] ^= flip << numpy.uint64(63)
    x[:, 2 * k + 1] ^= flip << numpy.uint64(63) ^ flip << numpy.uint64(34)
x = x.view("f8")
numpy.save("t.npy", numpy.concatenate([x, x[:3]]))
PY
	run -0 bash -c 'ulimit -t 60; "$1" inspect t.npy --max-rows 100' - "$posenc"
	[[ "$output" == *'repeated rows '*' 3'* ]]
}

@test "rows of NaN are compared with none" {
	"$python" -c "
import numpy
numpy.save('t.npy', numpy.full((1000000, 4), numpy.nan, 'f4'))"
	run -0 bash -c 'ulimit -t 60; "$1" inspect t.npy --json -' - "$posenc"
	[[ "$output" == *'"repeated_rows":	0,'*'"unusual_rows":	1000000,'* ]]
}

@test "identify lacks memory for the first column of a large table" {
	needs_preload
	# 2^24 values or more stay in their file
	"$posenc" embed --vocab 1100 --dim 16000 --npy learned.npy
	for k in {1..40}; do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=alloc FAULT_AT=$k \
			"$posenc" identify learned.npy --seconds 0
		[[ "$stderr" == *'(for 1100 times 8 bytes)' ]] && break
	done
	[ "$stderr" = 'posenc identify: out of memory (for 1100 times 8 bytes)' ]
	[ "$status" -eq 2 ]
	[ -z "$output" ]
}

@test "a value of a file that cannot be read is an error of compare" {
	needs_preload
	"$posenc" naive --len 100000 --dtype f32 --npy t.npy
	for k in 1 2 20 50; do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=pread FAULT_AT=$k \
			FAULT_ERRNO=5 "$posenc" compare t.npy t.npy
		[ "$stderr" = "posenc: t.npy: Input/output error" ]
		[ "$status" -eq 2 ]
		[ -z "$output" ]
	done
}

@test "a value is read again where a signal came" {
	needs_preload
	"$posenc" naive --len 100000 --dtype f32 --npy t.npy
	LD_PRELOAD="$preload" FAULT_CALLS=pread FAULT_AT=2 FAULT_ERRNO=4 "$posenc" compare t.npy t.npy >out
	"$posenc" compare t.npy t.npy | cmp - out
}

@test "values that can no more be read are an error of identify" {
	needs_preload
	# Of 2^24 values or more, which stay in their file
	"$posenc" embed --vocab 530000 --dim 32 --dtype f16 --npy t.npy
	for k in 20 400; do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=pread FAULT_AT=$k \
			FAULT_EVER=1 FAULT_ERRNO=5 "$posenc" identify t.npy --seconds 1
		[ "$stderr" = "posenc: t.npy: Input/output error" ]
		[ "$status" -eq 2 ]
		[ -z "$output" ]
	done
}

@test "a file that ends or changes while its values are read is an error" {
	"$posenc" naive --len 1000000 --dtype f32 --npy t.npy
	for change in 'truncate -s 3999999 t.npy' 'touch -d @1 t.npy' 'echo >>t.npy'; do
		cp t.npy whole.npy
		{ "$posenc" show t.npy --csv - 2>said || echo $? >status; } | {
			read -r first
			sleep 0.01
			eval "$change"
			cat >/dev/null
		}
		[ "$(cat status)" -eq 2 ]
		[ "$(cat said)" = "posenc: t.npy: has changed while it was read" ]
		mv whole.npy t.npy
	done
}

@test "rows are no more written once a file has ended" {
	"$posenc" naive --len 1000000 --dtype f32 --npy t.npy
	{ "$posenc" show t.npy --csv - 2>said || echo $? >status; } | {
		read -r first
		: >t.npy
		wc -l >lines
	}
	[ "$(cat status)" -eq 2 ]
	[ "$(cat lines)" -lt 900000 ]
}

@test "a table that does not leave a quarter of the memory is refused" {
	case ${B:-build} in *asan*) skip "sanitizers have memory of their own" ;; esac
	free=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) || skip "there is no /proc/meminfo"
	# Holes take no disk: nearly all of it, and 72 MB
	truncate -s "$((free / 256 * 31))K" much.raw
	truncate -s 9000000 some.raw
	refuses "posenc: much.raw: too many values for the memory of this machine" \
		attend much.raw --dim 4 --dtype u8
	[ "$("$posenc" embed --table some.raw --dim 4 --dtype u8 --ids 9)" = 0,0,0,0 ]
	run -2 --separate-stderr bash -c "'$posenc' similarity - --dim 1 --dtype u8 </dev/zero"
	[ "$stderr" = "posenc: standard input: input is larger than 64 MB" ]
	# Of what is available little may be free
	sed 's/^MemFree:.*/MemFree: 1 kB/' /proc/meminfo >meminfo
	if unshare -m mount --bind meminfo /proc/meminfo 2>/dev/null; then
		[ "$(unshare -m sh -c "mount --bind meminfo /proc/meminfo
			'$posenc' embed --table some.raw --dim 4 --dtype u8 --ids 9")" = 0,0,0,0 ]
	fi
	[ -e "$preload" ] || return 0
	for k in {0..9}; do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=open FAULT_AT=$k FAULT_ERRNO=24 \
			"$posenc" embed --table some.raw --dim 4 --dtype u8 --ids 9
		[ "$output" = 0,0,0,0 ] || [[ "$stderr" == "posenc: some.raw: Too many open files" ]]
	done
}

# needs_preload: without it, and where a sanitizer has taken its place, skip.
needs_preload() {
	[ -e "$preload" ] || skip "it takes Linux and glibc"
	case ${B:-build} in *san*) skip "the sanitizer has calls of its own" ;; esac
}

# read_fails K ERRNO TABLE: the K-th read of it fails.
read_fails() {
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read \
		FAULT_AT="$1" FAULT_ERRNO="$2" "$posenc" embed --table "$3" --ids 0
}

# tells FILE: what its second read fails for.
tells() {
	read_fails 2 5 "$1"
	[ "$stderr" = "posenc: $1: Input/output error" ] || echo "said: $stderr" >&2
	[ "$stderr" = "posenc: $1: Input/output error" ]
	[ "$status" -eq 2 ]
	[ -z "$output" ]
}

@test "a read that fails is told, wherever in a file" {
	needs_preload
	cp "$bad"/{cut-string.json,value-cut.json,header-past.npy,length-past.safetensors} .
	printf '[1,0.%080d' 1 >number.json
	printf '[1]%99s' '' >blanks.json
	cp "$good"/{crlf.csv,numbers.raw} .
	for file in *.json *.npy *.safetensors *.csv; do
		tells "$file"
	done
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=1 \
		FAULT_ERRNO=5 "$posenc" similarity numbers.raw --dim 3 --dtype f32
	[ "$stderr" = "posenc: numbers.raw: Input/output error" ]
	head -c 1048576 /dev/zero >long.raw
	for k in 1 2 3 4 5; do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=$k \
			FAULT_ERRNO=5 "$posenc" attend long.raw --dim 1024 --dtype f32
		[ "$stderr" = "posenc: long.raw: Input/output error" ]
		[ "$status" -eq 2 ]
	done
	echo '{"head_dim": 2}' >config.json
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=1 \
		FAULT_ERRNO=5 "$posenc" rope --config config.json --len 1
	[ "$stderr" = "posenc: config.json: Input/output error" ]
	# Nor what kind of file it is
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=fstat FAULT_AT=1 \
		FAULT_ERRNO=5 "$posenc" embed --table "$good/index.csv" --ids 0
	[ "$stderr" = "posenc: $good/index.csv: Input/output error" ]
}

@test "reads that are interrupted or find nothing yet are tried again" {
	needs_preload
	printf '1,2\n3,4\n' >t.csv
	for errno in 4 11; do
		for k in 1 2; do
			read_fails $k $errno t.csv
			[ "$status" -eq 0 ]
			[ "$output" = "1,2" ]
		done
	done
}

# 400,000 bytes of zero before the tensor x.
far() {
	head='{"a":{"dtype":"U8","shape":[400000],"data_offsets":[0,400000]},
"x":{"dtype":"U8","shape":[2],"data_offsets":[400000,400002]}}'
	printf "\\x$(printf %x ${#head})\0\0\0\0\0\0\0%s" "$head"
	head -c 400000 /dev/zero
	printf '\7\10'
}

@test "a tensor far behind in a pipe, whole, cut or not to be read" {
	needs_preload
	mkfifo far.safetensors
	far >far.safetensors &
	[ "$("$posenc" embed --table far.safetensors:x --ids 0)" = "7,8" ]
	far | head -c 300000 >far.safetensors &
	run --separate-stderr "$posenc" embed --table far.safetensors:x --ids 0
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: far.safetensors: expected values up to byte 300002, got the end at byte 300000" ]
	far >far.safetensors &
	read_fails 3 5 far.safetensors:x
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: far.safetensors: Input/output error" ]
}

@test "a tensor far behind in a file, and where that place is not to be had" {
	needs_preload
	far >far.safetensors
	[ "$("$posenc" embed --table far.safetensors:x --ids 0)" = "7,8" ]
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=lseek FAULT_AT=2 \
		FAULT_ERRNO=75 "$posenc" embed --table far.safetensors:x --ids 0
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: far.safetensors: Value too large for defined data type" ]
}

@test "a pipe that does not wait is waited for, by tables and lists" {
	for reads in 'embed --table -' 'naive --kind integer --positions -'; do
		run "$python" - "$posenc" $reads <<-'PY'
			import os, subprocess, sys, time
			theirs, ours = os.pipe()
			os.set_blocking(theirs, False)
			run = subprocess.Popen(sys.argv[1:], stdin=theirs)
			for part in b"1\n2", b"3\n":
			    time.sleep(0.1)
			    os.write(ours, part)
			os.close(ours)
			sys.exit(run.wait())
		PY
		[ "$status" -eq 0 ]
		[ "$output" = $'1\n23' ]
	done
}

# changing FILE TABLE: read it while the time of FILE changes by a nanosecond.
changing() {
	touch -d @0 "$1"
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=9 FAULT_ERRNO=0 \
		FAULT_TOUCH="$1" FAULT_UNBOUND=1 "$posenc" embed --table "$2" --ids 0
}

@test "a file that changes while it is read is an error, and so is one that it names" {
	needs_preload
	"$posenc" embed --vocab 20000 --dim 64 --csv t.csv
	changing t.csv t.csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: t.csv: has changed while it was read" ]
	"$posenc" embed --vocab 20000 --dim 64 --safetensors t.safetensors
	echo '{"weight_map": {"embed": "t.safetensors"}}' >t.index.json
	changing t.safetensors t.index.json
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: t.safetensors: has changed while it was read" ]
}

@test "a pipe that fails is told, wherever in a file of tensors" {
	needs_preload
	local k n=0
	for ((k = 1; k < 40; k++)); do
		run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=read FAULT_AT=$k FAULT_ERRNO=5 \
			"$posenc" embed --table -:x --ids 0 --csv out.csv < <(cat "$good/far.safetensors")
		[ "$status" -ne 0 ] || break
		[ "$stderr" = "posenc: standard input: Input/output error" ]
		[ ! -e out.csv ]
		n=$k
	done
	[ "$n" -ge 2 ]
	[ -e out.csv ]
}
