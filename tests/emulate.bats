# sinusoid --emulate: the arithmetic of other programs.

bats_require_minimum_version 1.5.0
load common

@test "every way takes the steps that numpy takes, bit for bit" {
	"$python" tests/emulate.py
}

@test "single precision drifts, as the peers do" {
	# sin(4999 * 10000^(-100/512)), exactly and in single precision
	for way in exact=-0.843733 numpy64=-0.843733 torch-exp=-0.84371895 keras=-0.84375167; do
		[ "$("$posenc" sinusoid --positions 4999 --dim 512 --emulate "${way%=*}" | cut -d, -f101)" = "${way#*=}" ]
	done
}

@test "numpy64's sines are the nearest doubles" {
	[ "$("$posenc" sinusoid --positions 18,64,89,131,202 --dim 1 --emulate numpy64 --dtype f64 | paste -sd' ')" = \
		"-0.750987246771676 0.9200260381967906 0.8600694058124533 -0.8116033871367004 0.8064184068658303" ]
}

@test "layout, first, odd dims, padding, amplitude and shards are as ever" {
	local options="--len 7 --dim 7 --emulate torch-exp"
	# shellcheck disable=SC2086
	{
		[ "$("$posenc" sinusoid $options --layout split | cut -d, -f4)" = "$("$posenc" sinusoid $options | cut -d, -f7)" ]
		[ "$("$posenc" sinusoid $options --first cos | cut -d, -f2)" = "$("$posenc" sinusoid $options | cut -d, -f1)" ]
		[ "$("$posenc" sinusoid $options --zero-row 3 | sed -n 4p)" = 0,0,0,0,0,0,0 ]
		[ "$("$posenc" sinusoid $options)" = "$(for i in 0 2 4 6; do "$posenc" sinusoid $options --rows $i:$((i < 6 ? i + 2 : 7)); done)" ]
	}
	[ "$("$posenc" sinusoid --positions=-3 --dim 2 --emulate numpy64)" = "-0.14112,-0.9899925" ]
	[ "$("$posenc" sinusoid --positions 0 --dim 2 --emulate numpy64)" = "0,1" ]
	[ "$("$posenc" sinusoid --positions 0 --dim 2 --emulate fairseq --denom t2t)" = "0,1" ]
}
