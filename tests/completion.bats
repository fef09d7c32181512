# Completion, as each shell asks for it.

load common

setup() {
	export posenc work=$BATS_TEST_TMPDIR/work
	mkdir "$work"
	cd "$work"
	touch pe.csv pe.npy pe.png
}

# in_bash WORDS...: what is offered for the last of them.
in_bash() {
	bash -c '
		source <("$posenc" completion bash)
		compopt() { :; }
		COMP_WORDS=(posenc "$@") COMP_CWORD=$#
		_posenc
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}

@test "bash completes commands, options, values and files" {
	[ "$(in_bash sin)" = sinusoid ]
	[ "$(in_bash sinusoid --lay)" = --layout ]
	[ "$(in_bash sinusoid --layout '')" = $'interleaved\nsplit' ]
	[ "$(in_bash sinusoid --layout = s)" = split ]
	[ "$(in_bash sinusoid --denom sh)" = shift: ]
	[ "$(in_bash sinusoid --preset fair)" = fairseq ]
	[ "$(in_bash sinusoid --npy p)" = pe.npy ]
	[ "$(in_bash embed --table pe.n)" = pe.npy ]
	[ "$(in_bash help rel)" = relative ]
	[ "$(in_bash header rel)" = relative ]
	[ "$(in_bash completion f)" = fish ]
	for word in help presets header completion; do
		[ "$(in_bash "${word%?}")" = $word ]
	done
	[ -z "$(in_bash sinusoid --len '')" ]
	touch 'my table.npy' '*.npy'
	mkdir 'my folder'
	[ "$(in_bash show my | sort -u)" = $'my folder\nmy table.npy' ]
	[ "$(in_bash sinusoid --npy '*')" = '*.npy' ]
}

@test "fish completes commands, options and values" {
	command -v fish >/dev/null || skip "fish is not here"
	"$posenc" completion fish >posenc.fish
	in_fish() { fish --no-config -c "source posenc.fish; complete -C '$1'" | cut -f1; }
	[ "$(in_fish 'posenc sinu')" = sinusoid ]
	[ "$(in_fish 'posenc sinusoid --lay')" = --layout ]
	[ "$(in_fish 'posenc sinusoid --layout ' | sort)" = $'interleaved\nsplit' ]
	[ "$(in_fish 'posenc completion b')" = bash ]
	[ "$(in_fish 'posenc header rel')" = relative ]
	for word in help presets header completion; do
		[ "$(in_fish "posenc ${word%?}")" = $word ]
	done
}

@test "zsh completes commands, options and values" {
	command -v zsh >/dev/null || skip "zsh is not here"
	mkdir functions
	"$posenc" completion zsh >functions/_posenc
	cat >ask.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -U compinit; $2 compinit -u -D; $3 PROMPT= RPROMPT="
zpty -w shell "print rea''dy"
zpty -r shell reply '*ready*'
zpty -w -n shell "posenc $1"$'\t'
sleep 0.5
zpty -w shell $'\x01: \x05'
zpty -w shell "fc -ln -1 -1; print do''ne"
zpty -r shell reply '*done*'
print -r -- $reply | tr -d '\r'
END
	in_zsh() { zsh -f ask.zsh "$1" '' 'source functions/_posenc;'; }
	in_zsh 'sinu' | grep -qx ': posenc sinusoid'
	in_zsh 'compl' | grep -qx ': posenc completion'
	in_zsh 'sinusoid --layo' | grep -qx ': posenc sinusoid --layout'
	in_zsh 'sinusoid --layout=spl' | grep -qx ': posenc sinusoid --layout=split'
	# Installed, the script is loaded by the first completion
	zsh -f ask.zsh 'sinu' 'fpath=($PWD/functions $fpath);' | grep -qx ': posenc sinusoid'
}

@test "an unknown shell is an error" {
	run -2 "$posenc" completion tcsh
	[ "$output" = "posenc: completion: expected bash, zsh or fish, got 'tcsh'" ]
	run -2 "$posenc" completion
	[ "$output" = "posenc: completion: expected bash, zsh or fish" ]
}
