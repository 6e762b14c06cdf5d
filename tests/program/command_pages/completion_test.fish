#!/usr/bin/env fish
# SPDX-License-Identifier: BSL-1.0
# completion_test.fish COMPLETION: what fish offers after the words of a command line.
source $argv[1]
or exit 1
set folder (mktemp -d)
cd $folder
touch results.json

# expect OFFERED LINE: the last word of the line is the one that is completed. Fish offers each word with a tab and a
# description.
function expect
    set offered (complete -C $argv[2] | string replace -r '\t.*' '')
    test "$offered" = "$argv[1]"
    and return
    echo "$argv[2]: offers \"$offered\", not \"$argv[1]\"" >&2
    rm -r $folder
    exit 1
end

expect measure "freehold mea"
expect --version "freehold --v"
expect zeroing "freehold measure zer"
expect --quick "freehold measure --q"
expect zeroing "freehold report --suite zer"
expect results.json "freehold report res"
expect results.json "freehold report results.json -o res"
expect results.json "freehold compare results.json "
expect "" "freehold advise --max-idle "
expect "" "freehold nothing --"
rm -r $folder
