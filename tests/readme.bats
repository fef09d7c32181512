# What the README and those of scripts and src say: their commands, numbers and names.

load common

setup() {
	top=$PWD
	PATH=$(dirname "$posenc"):$PATH
}

@test "the README is one page" {
	[ "$(wc -c <README.md)" -le 9000 ]
	[ "$(wc -l <README.md)" -le 200 ]
}

@test "its seven questions have these answers" {
	empty_folder
	"$python" - "$top/README.md" <<'PY'
import re, subprocess, sys
blocks = re.findall(r"(?:^    .*\n)+", open(sys.argv[1]).read(), re.M)
examples = [b for b in blocks if b.startswith("    $ ")]
assert len(examples) == 7
for block in examples:
    lines = [line[4:] for line in block.splitlines()]
    said = subprocess.run(lines[0][2:], shell=True, capture_output=True, text=True).stdout
    assert said.splitlines() == lines[1:], (lines[0], said)
PY
}

# commands FILE: its lines of posenc, also by scripts/run, which would build it first.
commands() {
	sed -n 's,^    \./scripts/run ,    posenc ,; s/^    posenc /posenc /p' "$1"
}

# model: the files of a model that commands name.
model() {
	"$python" - <<'PY'
import json, struct
header = json.dumps({"wpe.weight": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]}})
with open("model.safetensors", "wb") as out:
    out.write(struct.pack("<Q96s8f", 96, header.ljust(96).encode(), *range(8)))
open("config.json", "w").write('{"model_type": "llama", "head_dim": 64, "rope_theta": 500000}')
PY
}

@test "all other commands run, and make the README's pictures" {
	empty_folder
	model
	for file in README.md scripts/README.md src/README.md; do commands "$top/$file"; done >all
	# The page of explore is built by make web, if at all
	[ -e "$top/${B:-build}/web/explore.html" ] || sed -i '/^posenc explore /d' all
	[ "$(grep -c '^posenc' all)" -ge 16 ]
	while read -r command; do
		sh -c "$command" >output </dev/null || { echo "$command" >&2; return 1; }
	done <all
	eval "$(sed -n 's/^\*`\(posenc [^`]*\)`.*/\1/p' "$top/README.md")"
	[ -s alibi.pdf ]
	for picture in $(grep -o 'man/[a-z]*\.svg' "$top/README.md"); do
		cmp "$top/$picture" "${picture#man/}"
	done
}

@test "its table has a row for each command, in the order of posenc help" {
	diff <(posenc help | sed -n '/^Commands/,/^$/s/^  \([a-z0-9-]*\) .*/\1/p') \
		<(sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' README.md)
}

@test "each number of the README is the program's or the scripts'" {
	"$python" - README.md <<'PY'
import re, subprocess, sys
text = re.sub(r"^    .*\n|`[^`]*`|\]\([^)]*\)|<[^>]*>", " ", open(sys.argv[1]).read(), flags=re.M)
def said(*words):
    return subprocess.run(["posenc", *words], capture_output=True, text=True, check=False)
stated = {  # a phrase of the README, and what proves its numbers
    "sines and cosines of 100 positions": "--len 100 " in open(sys.argv[1]).read(),
    "up to 3 minutes": "1 to 3 minutes" in open("scripts/setup").read(),
    "building 30 s on two cores": "about 30 s with two processors" in open("scripts/setup").read(),
    "encoding of position 3 in": "--start 3 --len 1" in open(sys.argv[1]).read(),
    "begins at 91": said("t5-bucket", "--boundaries").stdout.split()[-1] == "91",
    "not at 128": "(default: 128)" in said("help", "t5-bucket").stdout,
    "at every position up to 2^53": "exceed 2^53" in said("sinusoid", "--dim", "2", "--len", "2", "--start", str(2**53)).stderr,
}
text = " ".join(text.split())
for phrase, proved in stated.items():
    assert proved and text.count(phrase) == 1, phrase
    text = text.replace(phrase, "")
left = re.findall(r"\S*(?<![A-Za-z\d])\d\S*", re.sub(r"\b\d-D\b", "", text))
assert not left, left
PY
}

@test "files, folders and targets of make that they name are there" {
	# What the steps of adding something begin
	will='spiral\|foo'
	for file in README.md scripts/README.md src/README.md; do
		for name in $(grep -o '](\([^)]*\))' "$file" | tr -d '](),'); do
			[ -e "$(dirname "$file")/$name" ] || { echo "$file: $name" >&2; return 1; }
		done
		for name in $(grep -o '`[a-z_]*/[a-z_/.]*`' "$file" | tr -d '`' | grep -v "$will\|^build/"); do
			[ -e "$name" ] || [ -e "$(dirname "$file")/$name" ] || { echo "$file: $name" >&2; return 1; }
		done
		for target in $(grep -o '\(^    \|`\)make [a-z-]*' "$file" | sed 's/.*make //'); do
			sed -n '/^\.PHONY/,/[^\\]$/p' Makefile | grep -qw -- "$target" ||
				{ echo "$file: make $target" >&2; return 1; }
		done
	done
	diff <(ls scripts | grep -v '\.d$\|README') \
		<(sed -n '/^| script/,/^$/s/^| \(`[^|]*\) |.*/\1/p' scripts/README.md | tr -d '`,' | tr ' ' '\n' |
			cat - <(echo setup) | sort)
}

@test "what the set-up says of its size stands in scripts/README.md" {
	size=$(grep -o 'up to [0-9]* MB' scripts/setup)
	grep -q "$size" scripts/README.md
}
