# Outputs: the same values in every format, by any number of threads; pipelines.

load common

setup() {
	root=$PWD
	empty_folder
}

@test "every output in one run, as its reader sees it" {
	"$posenc" sinusoid --len 5 --dim 6 --csv t.csv --json t.json --raw t.raw --npy t.npy --png t.png
	"$python" -c "
import json, numpy as np
t = np.load('t.npy')
assert t.shape == (5, 6) and t.dtype == np.float32
assert (np.loadtxt('t.csv', delimiter=',', dtype=np.float32) == t).all()
assert (np.fromfile('t.raw', '<f4').reshape(5, 6) == t).all()
j = json.load(open('t.json'))
assert (np.array(j['data'], np.float32) == t).all()
assert j['command'] == 'sinusoid' and j['shape'] == [5, 6] and j['dtype'] == 'float32'
assert j['options']['base'] == 10000 and j['options']['layout'] == 'interleaved'
assert j['options']['angle-scale'] == 1 and j['options']['positions'] is None
np.save('again.npy', t)"
	cmp t.npy again.npy
	[ "$(head -c 4 t.png | tail -c 3)" = PNG ]
}

@test "npy is numpy's own, for every dtype and shape" {
	for d in f64 f32 f16 i64 i32 i16 i8 u8; do
		"$posenc" relative --len 7 --clip 3 --dtype $d --npy $d.npy
	done
	"$posenc" t5-bucket --len 5 --table "$golden/t5-bucket.hf_bias.01.table.npy" --npy planes.npy
	"$posenc" sinusoid --len 1234567 --dim 1 --dtype f16 --npy tall.npy
	"$python" -c "
import glob, numpy as np
for name in glob.glob('*.npy'):
    np.save('again', np.load(name))
    assert open('again.npy', 'rb').read() == open(name, 'rb').read(), name
assert np.load('planes.npy').shape == (4, 5, 5)
assert np.load('u8.npy').dtype == np.uint8 and np.load('i64.npy')[6, 0] == 0"
}

@test "json: planes nest, and --rows takes rows of all of them" {
	"$posenc" t5-bucket --len 3 --table "$golden/t5-bucket.hf_bias.03.table.npy" --num-buckets 8 --max-distance 16 --json t.json --npy t.npy
	"$posenc" t5-bucket --len 3 --table "$golden/t5-bucket.hf_bias.03.table.npy" --num-buckets 8 --max-distance 16 --rows 2:5 --json part.json
	"$python" -c "
import json, numpy as np
j, t = json.load(open('t.json')), np.load('t.npy')
assert j['shape'] == [2, 3, 3] and (np.array(j['data'], np.float32) == t).all()
j = json.load(open('part.json'))
assert j['shape'] == [3, 3] and (np.array(j['data'], np.float32) == t.reshape(6, 3)[2:5]).all()"
}

@test "text is the shortest that reads back, in each dtype" {
	"$posenc" embed --vocab 3000 --dim 10 --csv f32.csv --npy f32.npy
	"$posenc" embed --vocab 3000 --dim 10 --dtype f64 --csv f64.csv --npy f64.npy
	"$posenc" embed --vocab 3000 --dim 10 --dtype f16 --csv f16.csv --npy f16.npy
	"$python" -c "
import numpy as np
for d in ('f64', 'f32', 'f16'):
    t = np.load(d + '.npy')
    words = open(d + '.csv').read().replace(',', ' ').split()
    assert (np.array(words, dtype=t.dtype) == t.ravel()).all()
    ours = [len(w.lstrip('-0.').split('e')[0].replace('.', '')) for w in words]
    theirs = [len(np.format_float_scientific(x, unique=True, trim='-').lstrip('-').split('e')[0]
              .replace('.', '')) for x in t.ravel()]
    assert all(a <= b for a, b in zip(ours, theirs))"
}

@test "pictures decode to the table" {
	"$posenc" sinusoid --len 60 --dim 40 --plain --png a.png
	"$posenc" t5-bucket --len 40 --plain --png b.png
	"$posenc" embed --vocab 1 --dim 1 --plain --png c.png
	"$posenc" sinusoid --len 60 --dim 40 --plain --png again.png
	cmp a.png again.png
	PYTHONPATH=$BATS_TEST_DIRNAME "$python" - "$posenc" <<'PY'
import io, struct, subprocess, sys, zlib
import numpy as np
from figures import chunks

def levels(path):
    parts = list(chunks(open(path, "rb").read()))
    found = dict(parts) | {b"IDAT": b"".join(data for kind, data in parts if kind == b"IDAT")}
    w, h, depth, color = struct.unpack(">IIBB", found[b"IHDR"][:10])
    assert (depth, color) == (8, 3) and len(found[b"PLTE"]) == 768
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(h, w + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:], found

def table(*command):
    out = subprocess.run([sys.argv[1], *command, "--npy", "-"], capture_output=True).stdout
    return np.load(io.BytesIO(out)).astype(float)

got, found = levels("a.png")
t = table("sinusoid", "--len", "60", "--dim", "40")
assert np.abs(got - (t + 1) / 2 * 252).max() <= 0.51
assert found[b"tEXt"] == b"posenc\0posenc sinusoid --len 60 --dim 40 --plain"
got, _ = levels("b.png")
t = table("t5-bucket", "--len", "40")
assert np.abs(got - t / 31 * 252).max() <= 0.51
got, _ = levels("c.png")
assert got.shape == (1, 1)
PY
}

@test "a pipe is made to hold several blocks, and never made smaller" {
	"$python" - "$posenc" <<-'END'
	import fcntl, os, subprocess, sys
	if not sys.platform.startswith("linux"):
	    sys.exit()
	SET, GET = 1031, 1032
	most = int(open("/proc/sys/fs/pipe-max-size").read())
	for size in (65536, most):
	    into, out = os.pipe()
	    before = fcntl.fcntl(out, SET, size)
	    subprocess.run([sys.argv[1], *"sinusoid --len 1 --dim 4 --raw -".split()], stdout=out, check=True)
	    assert fcntl.fcntl(out, GET) == max(before, min(most, 1 << 20)), size
	    assert len(os.read(into, 100)) == 16
	END
}

@test "files appear whole, with the rights and links they should have" {
	umask 027
	"$posenc" sinusoid --len 2 --dim 2 --csv new.csv
	[ "$(stat -c %a new.csv)" = 640 ]
	chmod 604 new.csv
	"$posenc" sinusoid --len 3 --dim 2 --csv new.csv
	[ "$(stat -c %a new.csv)" = 604 ]
	[ "$(wc -l <new.csv)" -eq 3 ]
	ln -s new.csv link.csv
	"$posenc" sinusoid --len 4 --dim 2 --csv link.csv
	[ -L link.csv ]
	[ "$(wc -l <new.csv)" -eq 4 ]
	ln -s made.csv dangling.csv
	"$posenc" sinusoid --len 4 --dim 2 --csv dangling.csv
	[ -f made.csv ]
	mkfifo pipe
	"$posenc" sinusoid --len 5 --dim 2 --csv pipe &
	[ "$(wc -l <pipe)" -eq 5 ]
	wait
	long=$(printf 'x%.0s' $(seq 255))
	"$posenc" sinusoid --len 2 --dim 2 --csv "$long"
	[ -f "$long" ]
	"$posenc" sinusoid --len 2 --dim 2 --csv ./-o.csv
	"$posenc" sinusoid --len 2 --dim 2 -o x.raw -o y.csv
	[ "$(wc -c <x.raw)" -eq 16 ]
	[ "$(ls -A | grep -c '^\.posenc')" -eq 0 ]
}

@test "files that are replaced and files that are read leave no descriptor open" {
	case ${B:-build} in *san* | *cover* | *mcdc*) skip "the build has files of its own" ;; esac
	for _ in 1 2; do
		(ulimit -n 16 && "$posenc" sinusoid --len 2 --dim 2 --animate step=1:40 --scale 1 --png 'f%d.png')
		[ -e rights ] || chmod 604 f*.png
		touch rights
	done
	# Where one is missing, those of the older file are lost
	[ "$(stat -c %a f*.png | sort -u)" = 604 ]
	files=(f*.png)
	[ ${#files[@]} -eq 40 ]
	"$python" - <<'PY'
import json, struct

for i in range(40):
    head = json.dumps({f"x{i}": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}}).encode()
    with open(f"{i}.safetensors", "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head + bytes(4))
with open("x.index.json", "w") as f:
    json.dump({"weight_map": {f"x{i}": f"{i}.safetensors" for i in range(40)}}, f)
PY
	(ulimit -n 16 && "$posenc" list x.index.json --json list.json && "$posenc" compare x.index.json x.index.json >said)
	grep -q x39 list.json
}

@test "memory does not grow with the table" {
	case ${B:-build} in *san*) skip "sanitizers have memory of their own" ;; esac
	for command in "sinusoid --len 300000 --dim 64" "t5-bucket --len 8000" "relative --len 8000" "embed --vocab 100000 --dim 64"; do
		"$bare_python" -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 16 * 1024" \
			"$posenc" $command --raw -
	done
}

@test "wide rows take no more memory with many threads" {
	takes_long
	case ${B:-build} in *san*) skip "sanitizers have memory of their own" ;; esac
	row=(mask --len 2000000 --rows 0:64 --raw)
	"$posenc" "${row[@]}" one.raw --threads 1
	"$bare_python" -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 300 * 1024" \
		"$posenc" "${row[@]}" many.raw --threads 64
	cmp one.raw many.raw
}

@test "rows of a million similarities need no gigabytes" {
	case ${B:-build} in *san*) skip "sanitizers have memory of their own" ;; esac
	"$python" -c "import numpy; numpy.save('long.npy', numpy.zeros((1000000, 1), 'i1'))"
	(ulimit -v 1000000 && "$posenc" similarity long.npy | head -c 20 | grep -x 0,0,0,0,0,0,0,0,0,0,)
}

@test "json keeps every digit of an option, and is UTF-8 whatever the name" {
	"$posenc" sinusoid --positions 0.30000000000000004,9007199254740991 --base 10000.000000000002 --dim 2 --json t.json
	cp "$golden/relative.shaw_lookup.01.table.npy" $'\xff\xc3\xa9.npy'
	"$posenc" embed --table $'\xff\xc3\xa9.npy' --json name.json
	"$python" -c "
import json
o = json.load(open('t.json'))['options']
assert o['positions'] == [0.30000000000000004, 9007199254740991] and o['base'] == 10000.000000000002
assert json.load(open('name.json', encoding='utf-8'))['options']['table'] == '\ufffd\u00e9.npy'"
}

@test "the same bytes on every instruction set and any number of threads" {
	takes_long
	# From 30576 on, a float is not told by the bounds of the vector loop
	for command in "sinusoid --len 3000 --dim 96" "sinusoid --len 900 --dim 31 --layout split --start 123456789" \
		"sinusoid --len 700 --dim 64 --base 1e300" "sinusoid --len 90 --dim 40 --dtype f64" \
		"sinusoid --start 30576 --len 64 --dim 512" \
		"sinusoid --start 30576 --len 64 --dim 512 --layout split" "embed --vocab 3000 --dim 40" \
		"embed --vocab 300 --dim 40 --init uniform" "t5-bucket --len 300"; do
		"$posenc" $command --threads 1 --csv a.csv --raw a.raw --json a.json --png a.png
		for without in "" -AVX512F -AVX512F,-AVX2 ; do
			for threads in 1 3; do
				GLIBC_TUNABLES=glibc.cpu.hwcaps=$without "$posenc" $command --threads $threads \
					--csv b.csv --raw b.raw --json b.json --png b.png
				for kind in csv raw json png; do
					cmp a.$kind b.$kind
				done
			done
		done
	done
}

@test "parts of a job array are removed when the joined file is complete and on disk" {
	local slurm="$root/scripts/shards/slurm" table='sinusoid --len 10 --dim 4' i
	mkdir bin
	ln -s "$posenc" bin/posenc
	PATH=$PWD/bin:$PATH
	for i in 0 1 2; do
		SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=3 "$slurm" -part 10 t.npy $table
	done
	# The disk fails, a part is missing
	printf '#!/bin/sh\nexit 1\n' >bin/sync
	chmod +x bin/sync
	run "$slurm" -join 3 t.npy $table
	[ "$status" -ne 0 ]
	rm bin/sync
	run "$slurm" -join 4 t.npy $table
	[ "$status" -ne 0 ]
	[ "$(ls)" = "bin
t.npy.0
t.npy.1
t.npy.2" ]
	"$slurm" -join 3 t.npy $table
	"$posenc" $table --npy whole.npy
	cmp t.npy whole.npy
	[ "$(ls)" = "bin
t.npy
whole.npy" ]
}

@test "a reader that leaves ends posenc quietly and at once" {
	run --separate-stderr bash -c "'$posenc' sinusoid --len 100000000 --dim 64 | head -1 | cut -c1-4; exit \${PIPESTATUS[0]}"
	[ "$output" = "0,1," ]
	[ -z "$stderr" ]
	[ "$status" -eq 141 ]
}
