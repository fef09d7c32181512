# Who may read and write what is made or replaced.

load common

setup() {
	empty_folder
}

# faulty CALLS K ERRNO WORDS...: the K-th of these calls fails.
faulty() {
	env LD_PRELOAD="$preload" FAULT_CALLS="$1" FAULT_AT="$2" FAULT_ERRNO="$3" \
		"$posenc" "${@:4}"
}

# acl NAME FILE: give it an ACL for user 1234 alone, or "default" for its files.
acl() {
	"$python" - "$1" "$2" <<'PY' || skip "no ACLs here"
import os, struct, sys
nobody = 0xffffffff
entries = [(1, 6, nobody), (2, 6, 1234), (4, 0, nobody), (16, 6, nobody), (32, 0, nobody)]
os.setxattr(sys.argv[2], "system.posix_acl_" + sys.argv[1],
            struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries))
PY
}

same_acl() {
	"$python" -c "import os, sys
a, b = (os.getxattr(name, 'system.posix_acl_access') for name in sys.argv[1:])
sys.exit(a != b)" "$1" "$2"
}

@test "a new file has the rights that umask leaves" {
	for mask in 022 077 002; do
		(umask $mask && touch touched && "$posenc" relative --len 1 --csv new.csv)
		[ "$(stat -c %a touched)" = "$(stat -c %a new.csv)" ]
		rm touched new.csv
	done
}

@test "a file replaced keeps its mode, owner and group" {
	"$posenc" relative --len 1 --csv a.csv
	chmod 640 a.csv
	if [ "$(id -u)" -eq 0 ]; then
		chown 1000:1001 a.csv
	fi
	owner=$(stat -c %u:%g a.csv)
	"$posenc" relative --len 1 --csv a.csv
	[ "$(stat -c %a a.csv)" = 640 ]
	[ "$(stat -c %u:%g a.csv)" = "$owner" ]
}

@test "other content does not run with an owner's or a group's rights" {
	for mode in 4755:755 2755:755 6750:750 1644:644; do
		echo old >a.csv
		chmod ${mode%:*} a.csv
		"$posenc" relative --len 1 --csv a.csv
		[ "$(cat a.csv)" = 0 ]
		[ "$(stat -c %a a.csv)" = ${mode#*:} ]
	done
}

@test "a group that can't be kept leaves its rights to nobody" {
	needs_faults
	for mode in 660:600 664:644 604:600 646:644 777:777; do
		echo old >a.csv
		chmod ${mode%:*} a.csv
		# Neither owner and group nor the group alone
		faulty fchown 1,2 1 relative --len 1 --csv a.csv
		[ "$(cat a.csv)" = 0 ]
		[ "$(stat -c %a a.csv)" = ${mode#*:} ]
		rm a.csv
	done
	echo old >a.csv
	chmod 660 a.csv
	# The group alone can be kept
	faulty fchown 1 1 relative --len 1 --csv a.csv
	[ "$(stat -c %a a.csv)" = 660 ]
	# An owner that a container does not know
	faulty fchown 1 22 relative --len 1 --csv a.csv
	[ "$(stat -c %a a.csv)" = 660 ]
	# No ACLs there, and some that can't be read
	faulty getxattr 1 95 relative --len 1 --csv a.csv
	[ "$(stat -c %a a.csv)" = 660 ]
	faulty getxattr 1 5 relative --len 1 --csv a.csv
	[ "$(stat -c %a a.csv)" = 600 ]
	run faulty fchown 1 5 relative --len 1 --csv a.csv
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: a.csv: fchown: Input/output error" ]
}

# swapped K WORDS...: "one" and "two" swap names before the K-th of these calls.
swapped() {
	env LD_PRELOAD="$preload" FAULT_AT="$1" FAULT_SWAP="one two" \
		FAULT_CALLS=stat,lstat,access,open,readlink,fstat,fchown,fchmod,getxattr,fsync,link,rename \
		"$posenc" "${@:2}"
}

@test "whenever names are swapped, no file gets the rights of another" {
	takes_long
	needs_faults
	for ((k = 1; k <= 30; k++)); do
		echo old | tee one >secret
		ln -s secret two
		chmod 600 secret
		chmod 666 one
		run swapped $k relative --len 1 --csv one
		[ "$status" -eq 0 ]
		[ "$(stat -c %a secret)" = 600 ]
		for name in secret one two; do
			[[ "$(cat $name)" == old || "$(cat $name)" == 0 ]]
		done
		rm one two
	done
}

@test "a link that becomes a file while it is read is refused" {
	needs_faults
	echo old | tee one >secret
	ln -s secret two
	run swapped 5 relative --len 1 --csv two
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: two: readlink: Invalid argument" ]
	[ "$(cat one secret)" = "old
old" ]
}

@test "a link in a directory that can't be looked at is refused" {
	needs_faults
	echo old >one
	ln -s one two
	run faulty fstat 1 5 relative --len 1 --csv two
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: two: Input/output error" ]
	[ "$(cat one)" = old ]
	run faulty fstat 1 5 relative --len 1 --csv /dev/null
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: /dev/null: Input/output error" ]
}

@test "a pipe that becomes a file while it is opened is not written to" {
	needs_faults
	mkfifo one
	echo old >two
	exec 8<>one
	run swapped 2 relative --len 1 --csv one
	exec 8>&-
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: one: became a regular file while it was opened: Device or resource busy" ]
	[ "$(cat one)" = old ]
}

@test "somebody else's link in a sticky directory is not followed" {
	[ "$(id -u)" -eq 0 ] || skip "only root makes links of others"
	echo old >secret
	mkdir shared
	ln -s "$PWD/secret" shared/link
	for mode in 1777 777; do
		chmod $mode shared
		"$posenc" relative --len 1 --csv shared/link
		[ "$(cat secret)" = 0 ]
	done
	echo old >secret
	chown -h 1234 shared/link
	chmod 1777 shared
	refuses "posenc: shared/link: not followed, as it is somebody else's symbolic link in a sticky directory: Permission denied" \
		relative --len 1 --csv shared/link
	[ "$(cat secret)" = old ]
	# Not in a directory of one's own, nor where it is the directory's owner's
	chmod 1755 shared
	"$posenc" relative --len 1 --csv shared/link
	chmod 1777 shared
	chown 1234 shared
	"$posenc" relative --len 2 --csv shared/link
	[ "$(wc -l <secret)" -eq 2 ]
	# One's own
	chown -h "$(id -u)" shared/link
	"$posenc" relative --len 3 --csv shared/link
	[ "$(wc -l <secret)" -eq 3 ]
}

@test "somebody else's link to a directory is followed as far as the kernel follows it" {
	[ "$(id -u)" -eq 0 ] || skip "only root makes links of others"
	mkdir -p own/inner shared
	chmod 1777 shared
	ln -s ../own shared/link
	chown -h 1234 shared/link
	"$posenc" relative --len 1 --csv shared/link/inner/a.csv
	[ "$(cat own/inner/a.csv)" = 0 ]
	# fs.protected_symlinks is for the last name of a path, here that of the directory
	if [ -d shared/link/ ]; then
		"$posenc" relative --len 1 --csv shared/link/a.csv
		[ "$(cat own/a.csv)" = 0 ]
	else
		refuses "posenc: shared/link/a.csv: Permission denied" \
			relative --len 1 --csv shared/link/a.csv
		[ "$(ls own)" = inner ]
	fi
}

@test "a sandbox without extended attributes is told as such" {
	needs_faults
	echo old >a.csv
	run faulty fremovexattr 1 1 relative --len 1 --csv a.csv
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: a.csv: fremovexattr: Operation not permitted" ]
	[ "$(cat a.csv)" = old ]
	faulty getxattr 1 1 relative --len 1 --csv a.csv
	[ "$(cat a.csv)" = 0 ]
	[ "$(stat -c %a a.csv)" = 600 ]
}

# attribute NAME FILE [VALUE]: set it, or print it.
attribute() {
	"$python" -c "import os, sys
name, path, *value = sys.argv[1:]
if value:
    os.setxattr(path, name, value[0].encode())
else:
    print(os.getxattr(path, name).decode())" "$@"
}

@test "a file replaced keeps its extended attributes, not its capabilities" {
	echo old >a.csv
	attribute user.origin a.csv here 2>/dev/null || skip "this file system has none"
	attribute user.more a.csv "$(head -c 2000 /dev/zero | tr '\0' x)"
	attribute user.empty a.csv ''
	chmod 640 a.csv
	"$posenc" relative --len 1 --csv a.csv
	[ "$(cat a.csv)" = 0 ]
	[ "$(stat -c %a a.csv)" = 640 ]
	attribute user.empty a.csv
	[ "$(attribute user.origin a.csv)" = here ]
	[ "$(attribute user.more a.csv | wc -c)" -eq 2001 ]
	[ "$(id -u)" -eq 0 ] || return 0
	"$python" -c "import os, struct
os.setxattr('a.csv', 'security.capability', struct.pack('<5I', 0x02000000, 1 << 10, 0, 0, 0))" ||
		skip "no capabilities here"
	"$posenc" relative --len 2 --csv a.csv
	[ "$(attribute user.origin a.csv)" = here ]
	run attribute security.capability a.csv
	[[ "$output" == *"No data available"* ]]
}

@test "attributes that can't be read or set leave a file that is whole" {
	needs_faults
	for fault in 'listxattr 1 1' 'listxattr 2 34' 'getxattr 1 13' 'fsetxattr 1 28'; do
		echo old >a.csv
		attribute user.origin a.csv here 2>/dev/null || skip "this file system has none"
		faulty $fault relative --len 1 --csv a.csv
		[ "$(cat a.csv)" = 0 ]
		run attribute user.origin a.csv
		[ "$status" -ne 0 ]
	done
	attribute user.origin a.csv here
	for ((k = 1; ; k++)); do
		run faulty alloc $k 12 relative --len 1 --csv a.csv
		[[ "$output" != *listxattr* ]] || break
		[ $k -lt 200 ]
	done
	[ "$output" = "posenc: a.csv: listxattr: Cannot allocate memory" ]
}

@test "a folder's default ACL says who reads a new file" {
	mkdir d
	acl default d
	umask 022
	touch d/touched
	"$posenc" relative --len 1 --csv d/new.csv
	same_acl d/touched d/new.csv
	[ "$(stat -c %a d/touched)" = "$(stat -c %a d/new.csv)" ]
}

@test "a file replaced gets no ACL of its folder" {
	mkdir d
	echo old >d/a.csv
	chmod 640 d/a.csv
	acl default d
	"$posenc" relative --len 1 --csv d/a.csv
	[ "$(stat -c %A d/a.csv)" = -rw-r----- ]
	run same_acl d/a.csv d/a.csv
	[[ "$output" == *"No data available"* ]]
}

@test "a file replaced keeps its ACL, or has fewer rights" {
	needs_faults
	echo old | tee a.csv >b.csv
	acl access a.csv
	acl access b.csv
	"$posenc" relative --len 1 --csv a.csv
	[ "$(cat a.csv)" = 0 ]
	same_acl a.csv b.csv
	run faulty fsetxattr,fchmod 1,2 1 relative --len 2 --csv b.csv
	[ "$status" -eq 2 ]
	[ "$(cat b.csv)" = old ]
	# A disk that knows no ACLs
	faulty fremovexattr 1 95 relative --len 1 --csv a.csv
	run faulty fremovexattr 1 5 relative --len 2 --csv b.csv
	[ "$status" -eq 2 ]
	[ "$(cat b.csv)" = old ]
	# Its group is lost, so that others would be that of the ACL
	faulty fchown 1,2 1 relative --len 1 --csv b.csv
	[ "$(stat -c %a b.csv)" = 600 ]
	faulty fsetxattr 1 1 relative --len 1 --csv a.csv
	[ "$(stat -c %A a.csv)" = -rw------- ]
}

@test "standard output is written where it stands, however it is named" {
	ln -s /dev/stdout one
	ln -s "$PWD/one" two
	ln -s two three
	mkdir folder
	ln -s ../three folder/four
	ln -s /dev/stdout 1
	for n in {2..40}; do
		ln -s $((n - 1)) $n
	done
	# As long as a link can be, where the file system has such links
	ln -s "/dev/$(printf './%.0s' {1..2043})fd/1" long || ln -s one long
	for name in - /dev/stdout /dev/fd/1 /dev//fd/1 one two three folder/four 40 long \
		/proc/self/./fd/1 /proc/thread-self/fd/1; do
		{
			echo before
			"$posenc" relative --len 1 --csv $name
			echo after
		} >all
		[ "$(paste -sd' ' all)" = "before 0 after" ]
	done
	# Another process has descriptors of its own
	exec 7>seven
	"$posenc" relative --len 1 --csv "/proc/$BASHPID/fd/7" 7>&-
	exec 7>&-
	[ "$(cat seven)" = 0 ]
}

@test "a disk that counts no blocks is not full" {
	mkdir d
	unshare -m sh -c "mount -t ramfs none d" 2>/dev/null || skip "nothing can be mounted here"
	unshare -m sh -c "mount -t ramfs none d && '$posenc' relative --len 2 --npy d/a.npy && test -s d/a.npy"
}

@test "files may fill their disk, to the last byte" {
	mkdir d
	# full WORDS...: on a disk of 16 KB, whose files say how large they are
	full() {
		unshare -m sh -c 'mount -t tmpfs -o size=16k none d 2>/dev/null || exit 3
			"$@" && stat -c %s d/*' sh "$posenc" sinusoid --dim 2 "$@"
	}
	run full --len 2048 --raw d/a.raw
	[ "$status" -ne 3 ] && [ "$status" -ne 1 ] || skip "nothing can be mounted here"
	[ "$output" = 16384 ]
	refuses_full() {
		run full "${@:2}"
		[ "$status" -eq 2 ]
		[ "$output" = "posenc: $1" ]
	}
	refuses_full "d/a.raw: not enough disk space: 16392 bytes needed, 16384 available" \
		--len 2049 --raw d/a.raw
	refuses_full "d/b.npy: not enough disk space: 8320 bytes needed, 8192 available beside the other outputs" \
		--len 1024 --raw d/a.raw --npy d/b.npy
}

@test "a file that may not be written is told as such" {
	needs_faults
	echo old >a.csv
	# EPERM, of one that nobody may change, and EACCES
	for why in '1 Operation not permitted' '13 Permission denied'; do
		run faulty access 1 "${why%% *}" relative --len 1 --csv a.csv
		[ "$status" -eq 2 ]
		[ "$output" = "posenc: a.csv: ${why#* }" ]
		[ "$(cat a.csv)" = old ]
	done
}

@test "a file whose name is a number is a file" {
	needs_faults
	for k in 1 2 3 4 5 6; do
		run faulty stat $k 5 relative --len 1 --csv 1
		[ "$status" -eq 2 ] || [ "$(cat 1)" = 0 ]
		rm -f 1
		[ -z "$(ls -A)" ]
	done
	"$posenc" relative --len 1 --csv 1 --raw 2
	[ "$(cat 1)" = 0 ]
	[ "$(stat -c %s 2)" -eq 4 ]
	run "$posenc" relative --len 1 --csv /dev/fd/1x
	[ "$status" -eq 2 ]
	[ "$output" = "posenc: /dev/fd/1x: No such file or directory" ]
}
