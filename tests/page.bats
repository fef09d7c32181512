# The page of posenc explore: its modules in node, and what a reader sees in Chromium.
# shellcheck shell=bash disable=SC2154

load common

# unit SUBJECT: laws of a module of src/explore (tests/page/units.mjs).
unit() {
	command -v node >/dev/null || skip "node is not installed"
	POSENC=$posenc WORK=$BATS_TEST_TMPDIR node tests/page/units.mjs "$1"
}

# in_browser SUBJECT: of tests/page/page.mjs.
in_browser() {
	local browser page=$folder/web/explore.html

	command -v node >/dev/null || skip "node is not installed"
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
		skip "Chromium is not installed"
	[ -e "$page" ] || skip "the page was not built (make web)"
	BROWSER=$browser PAGE=$page POSENC=$posenc WORK=$BATS_TEST_TMPDIR \
		timeout 120 node tests/page/page.mjs "$1"
}

@test "commands are split and quoted as a shell does, also in links" {
	unit words
}

@test "parameters: defaults are left out, presets and later options" {
	unit state
}

@test "numbers and ticks of axes" {
	unit numbers
}

@test "values of every dtype are read as posenc wrote them" {
	unit dtypes
}

@test "lines have gaps where values are NaN or infinite, also where rows outnumber pixels" {
	unit curves
}

@test "similarity is that of posenc similarity" {
	unit cosines
}

@test "a formula is shown where it holds for the whole column" {
	unit formulas
}

@test "colours span what figures' colours do; NaN and infinities have their own" {
	unit colors
}

@test "pairs of columns" {
	unit pairs
}

@test "the page has the command's values, bytes and CSV" {
	in_browser values
}

@test "a link keeps the parameters" {
	in_browser link
}

@test "controls change the command; what is refused is said beside them" {
	in_browser controls
}

@test "hands of clocks move by themselves while they are seen" {
	in_browser clocks
}

@test "attention over words has the values of both commands" {
	in_browser attention
}

@test "a page in Korean has no English sentence, and its reader can change the language" {
	in_browser language
}

@test "pointer and keys move the cursor of every view" {
	in_browser cursor
}

@test "tables beside the encoding show what they hold and inject nothing" {
	[ -e "$folder/web/explore.html" ] || skip "the page was not built (make web)"
	empty_folder
	mkdir '<'
	"$posenc" sinusoid --len 16 --dim 8 --csv '</script><img src=x onerror=alert(1)>.csv'
	printf 'nan,inf,-inf\n1e308,-1e308,0\n' >hostile.csv
	"$posenc" explore '</script><img src=x onerror=alert(1)>.csv' hostile.csv -o ../tables.html
	cd "$OLDPWD"
	in_browser tables
}

@test "biases of heads are beside those of a table" {
	[ -e "$folder/web/explore.html" ] || skip "the page was not built (make web)"
	"$posenc" alibi --heads 2 --len 9 --npy "$BATS_TEST_TMPDIR/heads.npy"
	"$posenc" explore --scheme alibi "$BATS_TEST_TMPDIR/heads.npy" -o "$BATS_TEST_TMPDIR/planes.html"
	in_browser planes
}

@test "saved figures stand alone and name their command" {
	in_browser figures
}
