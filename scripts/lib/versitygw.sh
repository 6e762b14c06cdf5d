# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh. versitygw, the server of S3's protocol that tests and measurements read from: a Go program
# that the Go module proxy has by its name. It is built once, into the user's cache folder.

versitygw_version=v1.8.0
versitygw_module=github.com/versity/versitygw/cmd/versitygw
# What it takes, and what a Go that is too old to fetch its own successor is made to fetch.
go_wanted=1.25.0

versitygw_cached() {
    printf '%s\n' "${XDG_CACHE_HOME:-$HOME/.cache}/freehold/versitygw-$versitygw_version"
}

has_versitygw() {
    [[ -n ${FREEHOLD_VERSITYGW:-} || -x $(versitygw_cached) ]]
}

# Leaves its path in FREEHOLD_VERSITYGW, for the programs that are run; fails, having said why, if it cannot.
install_versitygw() {
    local target build go
    target=$(versitygw_cached)
    if [[ -n ${FREEHOLD_VERSITYGW:-} ]]; then
        [[ -x $FREEHOLD_VERSITYGW ]] || die 2 "FREEHOLD_VERSITYGW names '$FREEHOLD_VERSITYGW', which is no executable." \
            "Set it to the path of versitygw, or unset it."
        return
    fi
    if [[ ! -x $target ]]; then
        say "Building versitygw $versitygw_version, once"
        command -v go >/dev/null || {
            echo "Go is missing, which builds versitygw: install the package golang-go" >&2
            return 1
        }
        mkdir -p "${target%/*}" && build=$(mktemp -d "${target%/*}/build-XXXXXX") || return 1
        # From a folder without a go.mod, so that nobody else's is taken into account.
        if ! go=$(cd "$build" && go_that_is_new_enough) ||
            ! (cd "$build" && GOBIN=$build "$go" install "$versitygw_module@$versitygw_version") ||
            ! mv "$build/versitygw" "$target"; then
            rm -rf "$build"
            echo "versitygw could not be built; what Go said of it stands above" >&2
            return 1
        fi
        rm -rf "$build"
    fi
    export FREEHOLD_VERSITYGW=$target
}

# Prints a command. Since 1.21, go fetches the toolchain that a module asks for by itself; an older one is told to take
# it from where that would, as the module golang.org/toolchain, whose files a module cache leaves not executable.
go_that_is_new_enough() {
    local version toolchain folder
    version=$(go env GOVERSION)
    version=${version#go1.}
    if ((${version%%[!0-9]*} >= 21)); then
        command -v go
        return
    fi
    toolchain=golang.org/toolchain@v0.0.1-go$go_wanted.linux-$(go env GOARCH)
    go mod download "$toolchain" >&2 || return 1
    folder=$(go env GOMODCACHE)/$toolchain
    chmod +x "$folder"/bin/* || return 1
    find "$folder/pkg/tool" -type f -exec chmod +x {} +
    printf '%s\n' "$folder/bin/go"
}
