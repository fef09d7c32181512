# The walk from lost word order to RoPE: its commands run, its figures are there.

bats_require_minimum_version 1.5.0

@test "scripts/walk draws a dozen figures and tells of each" {
	run --separate-stderr scripts/walk
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	cd "${B:-build}/gallery/walk"
	figures=$(grep -o 'src="[^"]*' index.html | cut -d'"' -f2)
	[ "$(wc -l <<<"$figures")" -ge 12 ]
	for figure in $figures; do
		tail -n 1 "$figure" | grep -q '</svg>$'
	done
}
