# posenc explore and --html: what is written into the page, here a short one. What
# the page of make web does with it is tested by web.py and web_page.mjs.

load common

setup() {
	empty_folder
	mkdir -p bin share/posenc
	cp "$posenc" bin
	posenc=$PWD/bin/posenc
	printf '<!doctype html>\n<!-- posenc-data -->\n<p>end\n' >share/posenc/explore.html
}

# holds EXPRESSION PAGE: what Python makes of the data d of a page; values(i) are those
# of table i.
holds() {
	"$python" - "$@" <<-'END'
		import base64, json, re, sys
		import numpy as np
		page = open(sys.argv[2], encoding="ascii").read()
		text = re.fullmatch(r'<!doctype html>\n<script type="application/json" '
		                    r'id="posenc-data">\n([^<>&]*)\n</script>\n<p>end\n', page)[1]
		d = json.loads(text)
		def values(i):
		    t = d["tables"][i]
		    return np.frombuffer(base64.b64decode(t["values"], validate=True),
		                         t["dtype"]).reshape(t["planes"], t["rows"], t["cols"])
		print(eval(sys.argv[1]))
	END
}

@test "a page begins with the command of its encoding" {
	"$posenc" explore rope --dim 64 --len 8 --base 500000 -o page.html
	[ "$(holds 'd["version"], d["bare"], d["command"], d["tables"]' page.html)" = \
		"('0.1.0', False, ['rope', '--len', '8', '--dim', '64', '--base', '500000'], [])" ]
	"$posenc" rope --dim 64 --len 8 --base 500000 --html same.html
	cmp page.html same.html
	"$posenc" explore --scheme rope --dim 64 --len 8 --base 500000 --html - >same.html
	cmp page.html same.html
	"$posenc" explore --dim 64 --scheme=rope --len 8 --base 500000 | cmp - page.html
	"$posenc" explore --len 8 --scheme rope --dim 64 --base 500000 -- | cmp - page.html
	for words in '' rope --bare; do
		# shellcheck disable=SC2086 # words
		"$posenc" explore $words --help | cmp - <("$posenc" help explore)
	done
	"$posenc" explore --lang ko --len 8 >page.html
	[ "$(holds 'd["lang"], d["command"]' page.html)" = \
		"('ko', ['sinusoid', '--len', '8', '--dim', '128'])" ]
	"$posenc" explore --bare >page.html
	[ "$(holds 'd["bare"], d["command"]' page.html)" = \
		"(True, ['sinusoid', '--len', '128', '--dim', '128'])" ]
}

@test "what a table needs and was not typed has a value" {
	for words in '' --scheme=sinusoid sinusoid rope t5-bucket relative alibi naive grid mask \
		'sinusoid --dim 6' 'rope --positions 1,2' 't5-bucket --boundaries' \
		'relative --kind swin --window 2x2' 'alibi --out slopes' 'naive --kind binary' \
		'rope --preset mae-st --grid 2x2' 'sinusoid --preset fairseq' \
		'rope --preset flux --grid 2x2 --dim 128'; do
		# shellcheck disable=SC2086 # words
		"$posenc" explore $words >page.html || [[ $words == *mae-st* ]]
	done
	"$posenc" explore --dim 6 >page.html
	[ "$(holds 'd["command"]' page.html)" = "['sinusoid', '--len', '128', '--dim', '6']" ]
	"$posenc" explore rope --positions 1,2 >page.html
	[ "$(holds 'd["command"]' page.html)" = "['rope', '--positions', '1,2', '--dim', '128']" ]
}

@test "a model's configuration names the encoding" {
	echo '{"model_type": "llama", "head_dim": 8, "rope_theta": 500, "rope_scaling": {"rope_type": "linear", "factor": 4}}' >config.json
	for words in '--config config.json' 'rope --config=config.json' '--scheme rope --config config.json'; do
		# shellcheck disable=SC2086 # words
		"$posenc" explore $words >page.html
		[ "$(holds 'd["command"]' page.html)" = \
			"['rope', '--len', '128', '--dim', '8', '--base', '500', '--scaling', 'linear:4']" ]
	done
	"$posenc" explore --config config.json --len 9 >page.html
	[ "$(holds 'd["command"][:3]' page.html)" = "['rope', '--len', '9']" ]
	echo '{"model_type": "bloom", "n_head": 4, "hidden_size": 64}' >config.json
	"$posenc" explore --config config.json >page.html
	[ "$(holds 'd["command"]' page.html)" = "['alibi', '--len', '64', '--heads', '4']" ]
	declines "--config needs a value: FILE" explore --config
	rm page.html
	for config in '{"model_type": "gpt2"}' '{"model_type": "nonesuch"}' '{'; do
		echo "$config" >config.json
		run --separate-stderr "$posenc" explore --config config.json -o page.html
		[ "$status" -eq 2 ]
		[[ $stderr == "posenc: config.json:"* ]]
		[ ! -e page.html ]
	done
}

@test "tables are in the page with their values, names and commands" {
	"$posenc" embed --vocab 5 --dim 3 --npy 'a&<b>.npy' --csv b.csv
	"$posenc" explore 'a&<b>.npy' b.csv -o page.html
	[ "$(holds '[(t["name"], t["command"], t["planes"], t["rows"], t["cols"], t["dtype"])
		for t in d["tables"]], d["command"]' page.html)" = \
		"([('a&<b>.npy', \"posenc explore 'a&<b>.npy' b.csv\", 1, 5, 3, 'float32'), ('b.csv', 'posenc show b.csv', 1, 5, 3, 'float32')], [])" ]
	[ "$(holds 'all((values(i) == np.load("a&<b>.npy")).all() for i in (0, 1))' page.html)" = True ]
	"$posenc" sinusoid --len 5 --dim 3 --npy 'a&<b>.npy' --csv b.csv
	"$posenc" show b.csv --rows 1:3 --dtype f64 --html part.html
	[ "$(holds 'd["tables"][0]["command"], values(0).shape, values(0).dtype.name' part.html)" = \
		"('posenc show b.csv --dtype f64 --rows 1:3', (1, 2, 3), 'float64')" ]
	"$posenc" embed --vocab 5 --dim 3 --raw a.raw
	"$posenc" explore a.raw --dim 3 --dtype f32 >page.html
	[ "$(holds 'd["tables"][0]["command"], values(0).shape, d["command"]' page.html)" = \
		"('posenc explore a.raw --dim 3 --dtype float32', (1, 5, 3), [])" ]
	printf 'nan,inf,-inf,-0.0\n' >odd.csv
	"$posenc" explore - <odd.csv >page.html
	[ "$(holds 'values(0).tolist(), d["tables"][0]["name"]' page.html)" = \
		"([[[nan, inf, -inf, -0.0]]], 'Table')" ]
}

@test "a table is beside the encoding that makes it" {
	"$posenc" sinusoid --len 9 --dim 8 --base 500 --npy a.npy
	"$posenc" embed --vocab 9 --dim 8 --npy b.npy
	"$posenc" explore a.npy b.npy -o page.html
	[ "$(holds 'd["command"], [(t["name"], t["command"]) for t in d["tables"]]' page.html)" = \
		"(['sinusoid', '--len', '9', '--dim', '8', '--base', '500'], [('a.npy', 'posenc show a.npy'), ('b.npy', 'posenc show b.npy')])" ]
	"$posenc" show a.npy --dtype f16 --raw a.raw
	"$posenc" explore a.raw --dim 8 --dtype f16 >page.html
	[ "$(holds 'd["command"], values(0).dtype.name' page.html)" = \
		"(['sinusoid', '--len', '9', '--dim', '8', '--base', '500'], 'float16')" ]
	"$posenc" explore - <a.npy >page.html
	[ "$(holds 'd["command"][0]' page.html)" = sinusoid ]
	# What no page makes, another arrangement, and a part
	"$posenc" kerple --kind log --heads 1 --r1 1 --r2 2 --len 9 --npy k.npy
	"$posenc" explore k.npy >page.html
	[ "$(holds 'd["command"]' page.html)" = "[]" ]
	"$posenc" explore a.npy --rows 1:3 >page.html
	[ "$(holds 'd["command"], values(0).shape' page.html)" = "([], (1, 2, 8))" ]
}

@test "tables are beside the encoding that is named" {
	"$posenc" sinusoid --len 6 --dim 4 --npy a.npy
	"$posenc" alibi --heads 2 --len 9 --npy heads.npy
	"$posenc" sinusoid --len 9 --dim 16 --npy wide.npy
	for words in 'rope a.npy --base 500' '--base 500 a.npy --scheme rope' \
		'--scheme=rope --base 500 -- a.npy'; do
		# shellcheck disable=SC2086 # words
		"$posenc" explore $words >page.html
		[ "$(holds 'd["command"], [(t["name"], t["command"]) for t in d["tables"]], (values(0) == np.load("a.npy")).all().item()' page.html)" = \
			"(['rope', '--len', '6', '--dim', '4', '--base', '500'], [('a.npy', 'posenc show a.npy')], True)" ]
		rm page.html
	done
	while IFS='|' read -r words command; do
		# shellcheck disable=SC2086 # words
		"$posenc" explore $words -o page.html
		[ "$(holds '" ".join(d["command"]), len(d["tables"])' page.html)" = "$command" ]
	done <<-'END'
		sinusoid a.npy a.npy --select 1:4|('sinusoid --len 3 --dim 4', 2)
		t5-bucket a.npy --query-len 3 --key-len 2|('t5-bucket --query-len 3 --key-len 2', 1)
		alibi heads.npy|('alibi --len 9 --heads 2', 1)
		alibi a.npy|('alibi --len 6 --heads 8', 1)
		grid heads.npy --dim 8|('grid --grid 3x3 --dim 8', 1)
		grid heads.npy --select 0:4 --dim 8|('grid --grid 2x2 --dim 8', 1)
		grid wide.npy|('grid --grid 3x3 --dim 16', 1)
		grid a.npy|('grid --grid 12x12 --dim 4', 1)
		sinusoid a.npy --dtype f64|('', 2)
		a.npy --base 500|('sinusoid --len 6 --dim 4 --base 500', 1)
		--dim 4 a.npy --base 500|('sinusoid --len 6 --dim 4 --base 500', 1)
	END
	rm page.html
	declines "--dim must be even, got 3 (--rotary-dim R rotates only the first R)" \
		explore rope a.npy --dim 3 -o page.html
	declines "expected at most 7 TABLEs beside an encoding, got 8" \
		explore rope a.npy a.npy a.npy a.npy a.npy a.npy a.npy a.npy -o page.html
	declines "--select needs a TABLE argument" explore rope --select 1:2 -o page.html
	"$posenc" sinusoid --len 1536 --dim 1536 --dtype f64 --npy big.npy
	seq 3 >odd.csv
	declines "--html: expected at most 16777216 bytes of values, got 18874368, [1536, 1536] float64; --rows A:B takes a part" \
		explore rope --len 2 --dim 2 big.npy -o page.html
	declines "--html: expected at most 16777216 bytes of values, got 16781324 in 2 tables, the largest [4097, 1024] float32; --select A:B takes a part of each TABLE" \
		explore rope --len 4097 --dim 1024 odd.csv -o page.html
	declines "--html: expected at most 16777216 bytes of values, got 18874380 in 2 tables, the largest [1536, 1536] float64; --select A:B takes a part of each TABLE" \
		explore odd.csv big.npy -o page.html
	"$posenc" sinusoid --len 768 --dim 3072 --dtype f64 --npy wide.npy
	declines "--html: expected at most 16777216 bytes of values, got 37748736 in 2 tables, the largest [768, 3072] float64; --select A:B takes a part of each TABLE" \
		explore wide.npy big.npy -o page.html
	[ ! -e page.html ]
}

@test "what the page cannot compute is there as values" {
	"$posenc" alibi --heads 2 --len 3 --npy heads.npy
	"$posenc" embed --vocab 4 --dim 2 --html page.html
	[ "$(holds 'd["tables"][0]["command"], d["command"], values(0).shape' page.html)" = \
		"('posenc embed --vocab 4 --dim 2', [], (1, 4, 2))" ]
	for words in '--dtype f16' '--rows 1:2'; do
		# shellcheck disable=SC2086 # words
		"$posenc" explore sinusoid --len 4 --dim 4 $words -o page.html
		[ "$(holds 'd["command"]' page.html)" = "[]" ]
	done
	echo '1 2 3' >list
	"$posenc" explore rope --dim 4 --positions @list -o page.html
	[ "$(holds 'd["command"], values(0).shape' page.html)" = "([], (1, 3, 4))" ]
	"$posenc" explore rope --dim 4 --positions - -o page.html <list
	[ "$(holds 'd["command"], values(0).shape' page.html)" = "([], (1, 3, 4))" ]
	echo '1 1' | "$posenc" explore rope --dim 4 --len 3 \
		--scaling longrope:2,4,short=1:1,long=- -o page.html
	[ "$(holds 'd["command"], values(0).shape' page.html)" = "([], (1, 3, 4))" ]
	seq 64 | paste -d, - - >bias.csv
	"$posenc" t5-bucket --len 3 --table bias.csv --html page.html
	[ "$(holds 'd["command"], values(0).shape' page.html)" = "([], (2, 3, 3))" ]
}

@test "names inject nothing" {
	mkdir -p '</script><script>alert(1)<'
	name='</script><script>alert(1)</script>.csv'
	seq 3 >"$name"
	"$posenc" explore "$name" -o page.html
	[ "$(holds 'd["tables"][0]["name"]' page.html)" = "$name" ]
	name=$'\xe2\x80\xa8\xe2\x80\xae"\\\xf0\x9f\x98\x80\n\xff.csv'
	seq 3 >"$name"
	"$posenc" explore "$name" -o page.html
	[ "$(holds 'ascii(d["tables"][0]["name"])' page.html)" = \
		"'\\u2028\\u202e\"\\\\\\U0001f600\\n\\ufffd.csv'" ]
}

@test "what is no page is refused" {
	declines "expected a page, as in -o page.html, got --csv alone" explore rope --csv -
	"$posenc" sinusoid --len 2 --dim 2 --npy t.npy
	declines "expected a page, as in -o page.html, got --csv alone" explore t.npy --csv -
	declines "--bare needs --html" sinusoid --len 2 --dim 2 --bare
	declines "--scheme: unknown value 'rop' (did you mean 'rope'?); expected sinusoid, rope, t5-bucket, relative, alibi, naive, grid or mask" \
		explore --scheme rop
	declines "--scheme: unknown value ''; expected sinusoid, rope, t5-bucket, relative, alibi, naive, grid or mask" \
		explore --scheme
	declines "unknown option '--bogus'; 'posenc sinusoid --help' lists them" explore --bogus
	declines "--dim must be between 1 and 1048576, got 0" explore --dim 0 -o page.html
	declines "--html: expected at most 16777216 bytes of values, got 16781312, [4097, 1024] float32; --rows A:B takes a part" \
		sinusoid --len 4097 --dim 1024 --html page.html
	"$posenc" sinusoid --len 4097 --dim 1024 --rows :4096 --html page.html
	run --separate-stderr "$posenc" explore -- --scheme rope
	[ "$stderr" = "posenc: --scheme: No such file or directory" ]
	run --separate-stderr "$posenc" explore none.npy
	[ "$stderr" = "posenc: none.npy: No such file or directory" ]
	seq 4 >t.csv
	declines "--html cannot hold a report; use --json FILE" inspect t.csv --html p.html
}

@test "without the page of make web, explore says what is missing" {
	rm share/posenc/explore.html
	declines "--html: the page is not installed: 'make web' builds it, with clang, and 'make install' installs it (expected $PWD/bin/../share/posenc/explore.html)" \
		explore rope -o page.html
	echo none >share/posenc/explore.html
	run --separate-stderr "$posenc" explore rope -o page.html
	[ "$status" -eq 2 ]
	[ "$stderr" = "posenc: $PWD/bin/../share/posenc/explore.html: expected a page with <!-- posenc-data -->" ]
	[ ! -e page.html ]
	chmod 000 share/posenc/explore.html
	mkdir -p bin/web
	mkdir bin/web/explore.html
	run --separate-stderr "$posenc" explore rope -o page.html
	[ "$stderr" = "posenc: $PWD/bin/web/explore.html: Is a directory" ]
}

@test "a page that memory or the disk does not suffice for is not there" {
	needs_faults
	seq 9 >a.csv
	seq 2 >b.csv
	for words in 'rope --dim 4' '--scheme alibi' 'a.csv b.csv' 'rope --dim 2 a.csv b.csv'; do
		# shellcheck disable=SC2086 # words
		env LD_PRELOAD="$preload" FAULT_CALLS=alloc FAULT_AT=0 FAULT_LOG=log \
			"$posenc" explore $words -o page.html
		rm page.html
		read -r made _ <log
		for ((k = 1; k <= made; k++)); do
			# shellcheck disable=SC2086
			run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=alloc FAULT_AT=$k \
				FAULT_ERRNO=12 "$posenc" explore $words -o page.html
			[ "$status" -eq 2 ] || [ -e page.html ]
			[ "$status" -eq 0 ] || [ ! -e page.html ]
			rm -f page.html
		done
	done
	run --separate-stderr env LD_PRELOAD="$preload" FAULT_CALLS=readlink FAULT_AT=1 \
		"$posenc" explore -o page.html
	[ -e page.html ] || [ "$status" -eq 2 ]
	run --separate-stderr "$posenc" explore --html /dev/full
	[ "$stderr" = "posenc: /dev/full: No space left on device" ]
}

@test "a head is in the page as values, and a terminal reads what to do with the page" {
	"$posenc" alibi --heads 4 --len 3 --head 1 --html page.html
	[ "$(holds 'd["command"], [t["command"] for t in d["tables"]], values(0).tolist()' page.html)" = \
		"([], ['posenc alibi --len 3 --heads 4 --head 1'], [[[0.0, -0.0625, -0.125], [-0.0625, 0.0, -0.0625], [-0.125, -0.0625, 0.0]]])" ]
	script -qc true /dev/null </dev/null >/dev/null 2>&1 || skip "no terminal can be had here"
	[ "$(script -qec "'$posenc' explore rope -o page.html" /dev/null </dev/null | tr -d '\r')" = \
		"posenc explore: wrote page.html (open it in a browser)" ]
}
