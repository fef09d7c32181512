# What threads share is read and written under its lock, as ThreadSanitizer sees it.

load common

# build_races: posenc whose files with locks are compiled for it, and are watched. It may
# not give up what ThreadSanitizer needs.
build_races() {
	make -s B="${B:-build}" -f Makefile -f - "${B:-build}/races" <<-'END'
		LOCKS := $(shell grep -l pthread_mutex src/*/*.c) src/cli/sandbox.c
		$(B)/races: private override CFLAGS += -fsanitize=thread
		OTHERS = $(filter-out $(LOCKS:%.c=$(B)/%.o),$(call objects,$(CLI) $(TOOL)))
		$(B)/races: $(LOCKS) $(OTHERS) $(B)/parts.a; \
			$(COMPILE) $(USE) -pie -o $@ $^ $(LDFLAGS) $(LINK)
	END
}

setup() {
	case ${B:-build} in *san* | *cover | *mcdc) skip "built with other instruments" ;; esac
	echo 'int main(void) { return 0; }' >"$BATS_TEST_TMPDIR/main.c"
	"${CC:-cc}" -fsanitize=thread -o "$BATS_TEST_TMPDIR/main" "$BATS_TEST_TMPDIR/main.c" ||
		skip "this compiler has no ThreadSanitizer"
	build_races
	posenc=$folder/races
	empty_folder
}

# watched STATUS WORDS...: by three threads. ThreadSanitizer's own status is 66.
watched() {
	run "$posenc" "${@:2}" --threads 3
	case $output in *'unexpected memory mapping'*) skip "the kernel places memory elsewhere" ;; esac
	[ "$status" -eq "$1" ] || echo "$output" >&2
	[ "$status" -eq "$1" ]
}

@test "blocks of rows that threads write, all of them or some" {
	for words in 'sinusoid --len 70000 --dim 64 --raw' 'sinusoid --len 20000 --dim 64 --csv' \
		'naive --kind onehot --len 4500 --plain --png'; do
		# shellcheck disable=SC2086  # options
		watched 0 $words /dev/null
	done
	watched 2 sinusoid --len 70000 --dim 64 --raw /dev/full
}

@test "parts of CSV that threads read, all of them or up to one that is wrong" {
	"$posenc" embed --vocab 3000 --dim 64 --csv good.csv
	sed '2900s/.*/1,2/' good.csv >bad.csv
	watched 0 show good.csv --raw /dev/null
	watched 2 show bad.csv --raw /dev/null
}
