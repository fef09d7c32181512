# What users are told when something can't be done: exit 2, one sentence.

bats_require_minimum_version 1.5.0
load common

setup() {
	posenc="$PWD/${B:-build}/posenc"
	golden="$PWD/tests/golden/data"
	empty_folder
}

@test "no command" {
	run --separate-stderr "$posenc"
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[ "${#stderr_lines[@]}" -lt 11 ]
	[[ "$stderr" == *"posenc sinusoid --len 512 --dim 512 --png out.png"* ]]
	refuses "posenc: no command ''; 'posenc help' lists them" ''
}

@test "unknown commands, options and values suggest the nearest" {
	refuses "posenc: no command 'sinusiod' (did you mean 'sinusoid'?)" sinusiod --len 4
	refuses "posenc: no command 'xyz'; 'posenc help' lists them" xyz
	refuses "posenc: no command 'relativ' (did you mean 'relative'?)" help relativ
	refuses "posenc sinusoid: no option '--lne' (did you mean '--len'?)" sinusoid --lne 4
	refuses "posenc sinusoid: no option '--pgn' (did you mean '--png'?)" sinusoid --pgn 4
	refuses "posenc relative: no option '--frobnicate'; 'posenc relative --help' lists them" relative --frobnicate
	refuses "posenc sinusoid: no option '-x'; 'posenc sinusoid --help' lists them" sinusoid -x
	refuses "posenc sinusoid: --layout has no 'spilt' (did you mean 'split'?); it takes interleaved or split" sinusoid --len 2 --dim 2 --layout spilt
	refuses "posenc sinusoid: --first must be sin or cos, not 'tangent'" sinusoid --len 2 --dim 2 --first tangent
	refuses "posenc sinusoid: --denom must be shift:S, not 'shift'" sinusoid --len 2 --dim 2 --denom shift
	refuses "posenc sinusoid: --denom must be shift:S, not 'shift:x'" sinusoid --len 2 --dim 2 --denom shift:x
	refuses "posenc sinusoid: --denom must be half, not 'half:1'" sinusoid --len 2 --dim 2 --denom half:1
	refuses "posenc embed: --init must be uniform[:A,B], not 'uniform:1'" embed --len 2 --dim 2 --init uniform:1
}

@test "missing options and values" {
	refuses "posenc sinusoid: --dim D is missing: columns" sinusoid --len 4
	refuses "posenc sinusoid: --len N is missing (or --positions LIST)" sinusoid --dim 4
	refuses "posenc relative: --len N is missing (or --query-len Q and --key-len K)" relative
	refuses "posenc t5-bucket: --len N is missing (or --query-len Q and --key-len K)" t5-bucket --query-len 4
	refuses "posenc embed: --dim D is missing (or --table FILE)" embed --len 4
	refuses "posenc embed: --vocab V is missing (or --len N, or --table FILE)" embed --dim 4
	refuses "posenc sinusoid: --len needs a value: N" sinusoid --dim 4 --len
	refuses "posenc sinusoid: --csv needs a value: FILE" sinusoid --len 2 --dim 4 --csv --json -
	refuses "posenc sinusoid: -o needs a value: FILE" sinusoid --len 2 --dim 4 -o
	refuses "posenc sinusoid: --header takes no value, not 'yes'" sinusoid --len 2 --dim 4 --header=yes
	refuses "posenc sinusoid: 'x.npy' is no option; options begin with --" sinusoid --len 2 --dim 4 x.npy
	refuses "posenc sinusoid: '--len' is no option; options begin with --" sinusoid -- --len
}

@test "numbers that are none, or out of range" {
	local range="from 1 to 9007199254740992" value
	for value in '' ' ' abc 12abc '8 ' 8.5 8,0 8_0 + -- nan inf 0x10 1kk 1e 1e-1 ' 8' 1e400 1e999 1K; do
		refuses "posenc sinusoid: --len must be a whole number $range, not '$value'" sinusoid --dim 4 "--len=$value"
	done
	for value in 0 -1 18446744073709551624 99999999999999999999 1e19 18014398509481985k; do
		refuses "posenc sinusoid: --len must be $range, not $value" sinusoid --dim 4 "--len=$value"
	done
	refuses "posenc sinusoid: --dim must be from 1 to 1048576, not 0" sinusoid --len 4 --dim 0
	refuses "posenc sinusoid: --dim must be from 1 to 1048576, not 4294967304" sinusoid --len 4 --dim 4294967304
	refuses "posenc sinusoid: --base must be from 1e-300 to 1e+300, not 0" sinusoid --len 4 --dim 4 --base 0
	refuses "posenc sinusoid: --base must be a number from 1e-300 to 1e+300, not 'nan'" sinusoid --len 4 --dim 4 --base nan
	refuses "posenc sinusoid: --base must be a number from 1e-300 to 1e+300, not '1,5'" sinusoid --len 4 --dim 4 --base 1,5
	refuses "posenc sinusoid: --base must be a number from 1e-300 to 1e+300, not '10k'" sinusoid --len 4 --dim 4 --base 10k
	refuses "posenc relative: --clip must be from 0 to 4503599627370496, not -1" relative --len 4 --clip -1
}

@test "line ends and control characters can't forge a message" {
	refuses "posenc sinusoid: --len must be a whole number from 1 to 9007199254740992, not '8\\012'" sinusoid --dim 4 --len "8
"
	refuses "posenc: no command '\\033[2J'; 'posenc help' lists them" $'\033[2J'
	refuses "posenc: no command '\\302\\2332J'; 'posenc help' lists them" $'\302\2332J'
	refuses "posenc: no command '\\2332J'; 'posenc help' lists them" $'\2332J'
	refuses "posenc: no command 'größe'; 'posenc help' lists them" größe
}

@test "tables past any file, and positions past exactness" {
	refuses "posenc sinusoid: a table of 1 x 9007199254740992 x 1048576 numbers is more than any file can hold" sinusoid --len 9007199254740992 --dim 1048576
	refuses "posenc relative: a table of 1 x 4503599627370496 x 4503599627370496 numbers is more than any file can hold" relative --len 4503599627370496
	refuses "posenc relative: a row of 3000000000 numbers is more than the 134217728 that are made at once" relative --query-len 1 --key-len 3000000000
	refuses "posenc sinusoid: 2 positions from --start 9007199254740992 by --step 1 pass 2^53, where positions stop being exact" sinusoid --len 2 --dim 2 --start 9007199254740992
	refuses "posenc naive: --start: '9007199254740993' is a whole number that no double holds" naive --start 9007199254740993 --len 1
	refuses "posenc sinusoid: --positions must be from -2^53 to 2^53, not 1e+17" sinusoid --dim 2 --positions 1,1e17
}

@test "dimensions that a convention can't have" {
	refuses "posenc sinusoid: --denom half-1 divides by zero for --dim 2" sinusoid --len 4 --dim 2 --denom half-1
	refuses "posenc sinusoid: --denom half divides by zero for --dim 1" sinusoid --len 4 --dim 1 --denom half
	refuses "posenc sinusoid: --denom shift:S divides by zero for --dim 8" sinusoid --len 4 --dim 8 --denom shift:4
	refuses "posenc sinusoid: --dim must be even with --odd error, not 7" sinusoid --len 4 --dim 7 --odd error
	refuses "posenc sinusoid: --dim must be at least 2 with --odd fewer, not 1" sinusoid --len 4 --dim 1 --odd fewer
	refuses "posenc sinusoid: base 1e-300 with denominator 0.5 makes frequencies that no number can hold" sinusoid --len 4 --dim 8 --base 1e-300 --denom shift:3.5
	refuses "posenc t5-bucket: --num-buckets must be at least 4 with --bidirectional, not 3" t5-bucket --len 4 --num-buckets 3
	refuses "posenc t5-bucket: --num-buckets must be from 2 to 4096, not 1" t5-bucket --len 4 --causal --num-buckets 1
	refuses "posenc t5-bucket: --max-distance must be more than 8, the distances that have a bucket each, not 8" t5-bucket --len 4 --causal --num-buckets 16 --max-distance 8
	refuses "posenc t5-bucket: --bidirectional and --causal exclude each other" t5-bucket --len 4 --causal --bidirectional
	refuses "posenc t5-bucket: --distances must be A:B with A not above B, within 2^52, not 4:-4" t5-bucket --distances 4:-4
	refuses "posenc t5-bucket: --distances must be A:B in whole numbers within 2^53, not '4'" t5-bucket --distances 4
	refuses "posenc t5-bucket: --boundaries, --distances and --table exclude one another" t5-bucket --distances 0:4 --boundaries
}

@test "relative options that don't agree" {
	refuses "posenc relative: --out labels needs --clip K" relative --len 4 --out labels
	refuses "posenc relative: --out vectors needs --table FILE" relative --len 4 --out vectors
	refuses "posenc relative: --table must be [7, dim], a row for each label, not [5, 4]" relative --len 4 --clip 3 --table "$golden/relative.shaw_lookup.01.table.npy"
	refuses "posenc relative: --table is for --out vectors" relative --len 4 --out distances --table "$golden/relative.shaw_lookup.01.table.npy"
}

@test "ids out of range are named, with their index and the table's size" {
	refuses "posenc embed: id 2048 at index 2 is out of range: the table has 2048 rows, 0 to 2047" embed --vocab 2048 --dim 8 --ids 3,535,2048
	refuses "posenc embed: id -1 at index 0 is out of range: the table has 10 rows, 0 to 9" embed --vocab 10 --dim 3 --ids -1
	refuses "posenc embed: id 10 at index 10 is out of range: the table has 10 rows, 0 to 9" embed --vocab 10 --dim 3 --len 20
	refuses "posenc embed: --ids must be whole numbers, not 1.5 (index 1)" embed --vocab 10 --dim 3 --ids 1,1.5
	refuses "posenc embed: --ids: 'x' is not a number (@FILE reads them from a file)" embed --vocab 10 --dim 3 --ids 1,x
	refuses "posenc embed: --ids needs at least one number" embed --vocab 10 --dim 3 --ids ''
	refuses "posenc embed: --len and --ids exclude each other" embed --vocab 10 --dim 3 --ids 1 --len 2
}

@test "lists in files" {
	printf '1, 2\n3 4x\n' >ids.txt
	refuses "posenc: ids.txt:2:3: '4x' is not a number" embed --vocab 10 --dim 3 --ids @ids.txt
	refuses "posenc: none.txt: No such file or directory" embed --vocab 10 --dim 3 --ids @none.txt
	: >empty.txt
	refuses "posenc: empty.txt: no number in it" sinusoid --dim 3 --positions @empty.txt
	refuses "posenc: .: Is a directory" sinusoid --dim 3 --positions @.
}

@test "tables that can't be read" {
	refuses "posenc: none.npy: No such file or directory" embed --table none.npy
	refuses "posenc: table.txt: tables are read from files in .csv .json .raw .npy .safetensors .tsv" embed --table table.txt
	echo nonsense, nonsense >bad.npy
	refuses "posenc: bad.npy: not an NPY file that posenc reads: it does not begin as one" embed --table bad.npy
	head -c 300 "$golden/embed.torch_embedding.01.table.npy" >cut.npy
	refuses "posenc: cut.npy: ends at byte 300, and its shape asks for 65536 bytes from byte 128 on" embed --table cut.npy
	printf '\223NUMPY\1\0\377\17{}' >long.npy
	refuses "posenc: long.npy: not an NPY file that posenc reads: its header ends past the file" embed --table long.npy
	mkdir folder.npy
	refuses "posenc: folder.npy: Is a directory" embed --table folder.npy
	refuses "posenc embed: --table has its own size: leave out --vocab and --dim" embed --vocab 4 --table "$golden/embed.torch_embedding.01.table.npy"
	refuses "posenc t5-bucket: --table must be [32, heads] for --num-buckets 32, not [2048, 8]" t5-bucket --len 4 --table "$golden/embed.torch_embedding.01.table.npy"
}

@test "numbers that a dtype can't hold" {
	refuses "posenc sinusoid: int8 cannot hold 0.8414709848078965 (row 1, column 0): choose another --dtype" sinusoid --len 2 --dim 2 --dtype int8
	refuses "posenc relative: uint8 cannot hold -1 (row 1, column 0): choose another --dtype" relative --len 2 --dtype u8
	refuses "posenc relative: float16 cannot hold 65520 (row 0, column 65520): choose another --dtype" relative --query-len 1 --key-len 70000 --align start --dtype f16
	refuses "posenc sinusoid: --npy: NPY has no bfloat16; --raw has, and safetensors files do" sinusoid --len 2 --dim 2 --dtype bf16 --npy out.npy
	refuses "posenc relative: int32 cannot hold 2999999999 (row 0, column 0): choose another --dtype" relative --query-len 3000000000 --key-len 1 --sign key-query
}

@test "rows out of range" {
	refuses "posenc sinusoid: --rows must be A:B with A less than B, within 0:4, not 2:2" sinusoid --len 4 --dim 2 --rows 2:2
	refuses "posenc sinusoid: --rows must be A:B with A less than B, within 0:4, not 2:5" sinusoid --len 4 --dim 2 --rows 2:5
	refuses "posenc sinusoid: --rows must be A:B with A less than B, within 0:4, not -2:" sinusoid --len 4 --dim 2 --rows -2:
	refuses "posenc sinusoid: --rows must be A:B in whole numbers within 2^53, not 'x:5'" sinusoid --len 4 --dim 2 --rows x:5
	refuses "posenc sinusoid: --rows must be A:B in whole numbers within 2^53, not '0:9007199254740993'" sinusoid --len 4 --dim 2 --rows 0:9007199254740993
}

@test "pictures past the limit of PNG" {
	refuses "posenc sinusoid: --png: a picture of 1000001 x 2 pixels is past PNG's limit of 1000000 either way; ask for part of it with --rows" sinusoid --len 1000001 --dim 2 --plain --png out.png
}

@test "outputs that can't be written" {
	refuses "posenc: no/out.csv: No such file or directory" sinusoid --len 2 --dim 2 --csv no/out.csv
	refuses "posenc: .: Is a directory" sinusoid --len 2 --dim 2 --csv .
	refuses "posenc: '': No such file or directory" sinusoid --len 2 --dim 2 --csv ''
	refuses "posenc: out.jpg: the suffix must be one of .csv .json .raw .npy .safetensors .png .svg, or use --csv FILE and the like" sinusoid --len 2 --dim 2 -o out.jpg
	refuses "posenc sinusoid: -o needs a file's suffix; for standard output name the format, as --csv -" sinusoid --len 2 --dim 2 -o -
	refuses "posenc sinusoid: --csv and --json both go to standard output" sinusoid --len 2 --dim 2 --csv - --json -
	refuses "posenc sinusoid: --csv and --json name one file, ./out" sinusoid --len 2 --dim 2 --csv out --json ./out
	ln -s out link
	refuses "posenc sinusoid: --csv and --raw name one file, link" sinusoid --len 2 --dim 2 --csv out --raw link
	run --separate-stderr bash -c "'$posenc' sinusoid --len 2 --dim 2 --csv /dev/stdout --json - >both"
	[ "$stderr" = "posenc sinusoid: --csv and --json name one file, -" ]
	rm both
	ln -s loop loop
	refuses "posenc: loop: Too many levels of symbolic links" sinusoid --len 2 --dim 2 --csv loop
}

@test "a full disk, for every command and format, and for words" {
	local command format
	for command in 'sinusoid --len 9 --dim 6' 'embed --len 4 --dim 4' 'relative --len 9' 't5-bucket --len 9'; do
		for format in csv json raw npy png; do
			refuses "posenc: /dev/full: No space left on device" $command --$format /dev/full
		done
	done
	for command in --help --version help 'sinusoid --help' 'sinusoid --len 2 --dim 2'; do
		run --separate-stderr sh -c "'$posenc' $command >/dev/full"
		[ "$stderr" = "posenc: standard output: No space left on device" ]
		[ "$status" -eq 2 ]
	done
}

@test "one output that fails leaves the others as they were" {
	echo old >out.csv
	refuses "posenc: /dev/full: No space left on device" sinusoid --len 2 --dim 2 --csv out.csv --npy out.npy --raw /dev/full
	[ "$(cat out.csv)" = old ]
}

@test "closed standard output" {
	run --separate-stderr sh -c "'$posenc' sinusoid --len 2 --dim 2 >&-"
	[ "$stderr" = "posenc: standard output: Bad file descriptor" ]
	[ "$status" -eq 2 ]
	"$posenc" sinusoid --len 2 --dim 2 --csv out.csv >&- 2>&- <&-
	[ "$(head -1 out.csv)" = "0,1" ]
}

@test "a reader that leaves ends posenc quietly and at once" {
	run --separate-stderr bash -c "'$posenc' sinusoid --len 100000000 --dim 64 | head -1 | cut -c1-4; exit \${PIPESTATUS[0]}"
	[ "$output" = "0,1," ]
	[ -z "$stderr" ]
	[ "$status" -eq 141 ]
}

@test "numbers that no table should be drawn with" {
	refuses "posenc embed: --init normal:STD must be from 0 to 1e30, not -1" embed --len 2 --dim 2 --init normal:-1
	refuses "posenc embed: --init uniform:A,B must have A not above B, both within 1e30, not 5,1" embed --len 2 --dim 2 --init uniform:5,1
	refuses "posenc embed: --vocab 4503599627370496 of --dim 1048576 has more than 2^64 elements" embed --vocab 4503599627370496 --dim 1048576 --ids 0
	refuses "posenc sinusoid: --positions: '' is not a number (@FILE reads them from a file)" sinusoid --dim 2 --positions 1,,2
	refuses "posenc sinusoid: --len must be from 1 to 9007199254740992, not 9007199254740993" sinusoid --dim 2 --len 9007199254740993
	printf '1\0005\n' >nul.txt
	refuses "posenc: nul.txt:1:1: a byte of 0, which no text has" sinusoid --dim 2 --positions @nul.txt
	printf '1\n5\0\n' >nul.txt
	refuses "posenc: nul.txt:2:1: a byte of 0, which no text has" sinusoid --dim 2 --positions @nul.txt
	refuses "posenc sinusoid: --positions: '' is not a number (@FILE reads them from a file)" sinusoid --dim 2 --positions ,1
	for text in ,1 '[,1]' '\n , 1'; do
		printf "$text" >comma.txt
		run "$posenc" sinusoid --dim 2 --positions @comma.txt
		[[ "$output" == "posenc: comma.txt:"*": '' is not a number" ]]
	done
	for text in '\357\274\221' '\357\273451'; do
		printf "$text" >wide.txt
		run "$posenc" sinusoid --dim 2 --positions @wide.txt
		[ "$status" -eq 2 ]
		[[ "$output" == "posenc: wide.txt:1:1: '"*"' is not a number" ]]
	done
	for text in 1 '\357\273\2771' '\357\273\277[1]' ' 1,\n' '[1 ]'; do
		printf "$text" >one.txt
		[ "$("$posenc" sinusoid --dim 2 --positions @one.txt)" = 0.84147096,0.5403023 ]
	done
	refuses "posenc: help takes one command, not 'embed' too" help sinusoid embed
}
