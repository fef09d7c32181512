# An option that would change nothing is refused, not passed over.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	table="$PWD/tests/golden/data/embed.torch_embedding.01.table.npy"
	empty_folder
}

@test "rope: what --xpos, --sections and --apply bring into play" {
	declines "--center needs --xpos" rope --len 2 --dim 4 --center none
	declines "--downscale needs --xpos" rope --len 2 --dim 4 --downscale
	declines "--mrope needs --sections" rope --len 2 --dim 4 --mrope interleaved
	declines "--along needs --apply" rope --len 2 --dim 4 --along planes
	"$posenc" rope --len 2 --dim 4 --xpos 512 --center none --downscale
}

@test "embed: a normalization, and how a table is drawn" {
	declines "--eps needs --layernorm" embed --vocab 2 --dim 2 --eps 1e-5
	declines "--beta needs --layernorm" embed --vocab 2 --dim 2 --beta "$table"
	for words in "--seed 1" "--rng torch" "--init zeros" "--init normal:2"; do
		# shellcheck disable=SC2086  # two words
		declines "--init, --seed and --rng say how a table is drawn; --table has one" embed --table "$table" $words
	done
}

@test "t5-bucket and relative: one row of distances, or queries and keys" {
	for words in "--len 4" "--query-len 4" "--key-len 4" "--past 4"; do
		# shellcheck disable=SC2086
		declines "--distances is in place of --len, --query-len, --key-len and --past" t5-bucket --distances -2:2 $words
	done
	declines "--boundaries is in place of --len, --query-len, --key-len and --past" t5-bucket --boundaries --len 4
	declines "--sign is not for --distances, which are given as they are" relative --distances -2:2 --clip 1 --sign query-key
	declines "--align is not for --distances, which are given as they are" relative --distances -2:2 --clip 1 --align start
}

@test "alibi: a form of no biases" {
	declines "--form causal is for --out bias, which needs --len N" alibi --heads 2 --form causal
	declines "--form row is for --out bias, which needs --len N" alibi --heads 2 --form row
}

@test "how outputs look that are not asked for" {
	made="sinusoid --len 2 --dim 2"
	for words in "--cmap gray" "--plot lines" "--title T" "--scale 1" \
	    "--theme dark" "--transpose" "--cell 4" "--range sym"; do
		# shellcheck disable=SC2086
		declines "${words%% *} needs --png or --svg" $made $words
	done
	# shellcheck disable=SC2086
	declines "--plain needs --png" $made --plain --csv -
	for words in "--title T" "--plot lines" "--scale 1" "--theme dark" "--cell 4" --transpose "--words a"; do
		# shellcheck disable=SC2086
		declines "--plain draws numbers and nothing else; ${words%% *} is for figures" $made --plain $words --png x.png
	done
	# shellcheck disable=SC2086
	declines "--header needs --csv" $made --header --npy x.npy
	# shellcheck disable=SC2086
	declines "--precision needs --csv or --json" $made --precision 3 --raw x.raw
	for words in "--cmap gray" "--precision 2" --header --preview "--dtype f16" --plain; do
		# shellcheck disable=SC2086
		declines "${words%% *} is for tables, not for a report" inspect "$table" $words
	done
	"$posenc" inspect "$table" --threads 1 --quiet
	# shellcheck disable=SC2086
	"$posenc" $made --cmap gray --precision 3 --header --csv x.csv -o x.png
}
