# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh. A build with one line of progress.

# build_with_progress FOLDER WHAT TARGET...: builds targets, and shows the progress and about how long it still takes.
# A terminal shows it in one line; other outputs get a line for each tenth. The output goes to a log; if the
# build fails, the first error is printed, and the function is false.
build_with_progress() {
    local folder=$1 what=$2 log=$1/build.log
    shift 2
    if ! NINJA_STATUS='@%f %t %e@ ' cmake --build "$folder" --target "$@" 2>&1 | tee "$log" | show_progress "$what"; then
        sed -n '/^FAILED: /,$p' "$log" | head -n 40 >&2
        printf 'The whole output is in %s\n' "$log" >&2
        return 1
    fi
}

# Reads the output of a build with the status that is set above. The steps of each lab that it builds
# (../../cmake/FreeholdLab.cmake) are added to its own as soon as they are known.
show_progress() {
    local what=$1 line begin=$SECONDS own=0 own_total=0 lab=0 lab_total=0 labs_before=0
    local finished total seconds tenth last_tenth='' left
    while IFS= read -r line; do
        seconds=$((SECONDS - begin))
        if [[ $line =~ ^@([0-9]+)\ ([0-9]+)\ ([0-9]+)\.?[0-9]*@ ]]; then
            own=${BASH_REMATCH[1]} own_total=${BASH_REMATCH[2]}
            # Steps that end while a lab is built are shown after it.
            ((seconds >= BASH_REMATCH[3])) || seconds=${BASH_REMATCH[3]}
        elif [[ $line =~ ^\[lab\ ([0-9]+)/([0-9]+)\]\  ]]; then
            ((BASH_REMATCH[1] >= lab)) || labs_before=$((labs_before + lab_total))
            lab=${BASH_REMATCH[1]} lab_total=${BASH_REMATCH[2]}
        else
            continue
        fi
        finished=$((own + labs_before + lab)) total=$((own_total + labs_before + lab_total))
        ((finished != 0)) || continue
        left=$(((seconds * (total - finished) + finished - 1) / finished))
        if [[ -t 1 ]]; then
            printf '\r\033[K%s: step %d of %d, about %d s left' "$what" "$finished" "$total" "$left"
        else
            tenth=$total:$((finished * 10 / total))
            [[ $tenth != "$last_tenth" ]] || continue
            last_tenth=$tenth
            printf '%s: step %d of %d, about %d s left\n' "$what" "$finished" "$total" "$left"
        fi
    done
    [[ ! -t 1 ]] || printf '\r\033[K'
}
