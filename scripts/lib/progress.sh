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

# Reads the output of ninja, and of those that it starts, with the status that is set above. The steps of the latter are
# added to ninja's own as soon as they are known. Their clock begins later, and so tells them apart.
show_progress() {
    local what=$1 line finished total begin=$SECONDS own=0 own_total=0 inner=0 inner_total=0 earlier=0
    local seconds tenth last_tenth='' left
    while IFS= read -r line; do
        [[ $line =~ ^@([0-9]+)\ ([0-9]+)\ ([0-9]+)\.?[0-9]*@ ]] || continue
        finished=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} seconds=${BASH_REMATCH[3]}
        ((finished != 0)) || continue
        if ((SECONDS - begin - seconds <= 2)); then
            own=$finished own_total=$total
        else
            seconds=$((SECONDS - begin))
            ((finished >= inner)) || earlier=$((earlier + inner_total))
            inner=$finished inner_total=$total
        fi
        finished=$((own + earlier + inner)) total=$((own_total + earlier + inner_total))
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
