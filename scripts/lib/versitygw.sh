# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh. versitygw is the S3 server that tests and measurements read from: a Go program, which is
# fetched by its module's name and built once, into the user's cache folder.

versitygw_version=v1.8.0
versitygw_module=github.com/versity/versitygw/cmd/versitygw
# The Go that it needs. A Go before 1.21 does not fetch a newer one by itself.
go_wanted=1.25.0
versitygw_built=${XDG_CACHE_HOME:-${HOME:-}/.cache}/freehold/versitygw-$versitygw_version

has_versitygw() {
    [[ -n ${FREEHOLD_VERSITYGW:-} || -x $versitygw_built ]]
}

# Exports FREEHOLD_VERSITYGW, its path, for the programs that are run; false if it is not there.
use_versitygw() {
    if [[ -n ${FREEHOLD_VERSITYGW:-} ]]; then
        [[ -x $FREEHOLD_VERSITYGW ]] || die 2 "FREEHOLD_VERSITYGW is '$FREEHOLD_VERSITYGW', which is not executable." \
            "Set it to the path of versitygw, or unset it."
    else
        [[ -x $versitygw_built ]] || return 1
        FREEHOLD_VERSITYGW=$versitygw_built
    fi
    export FREEHOLD_VERSITYGW
}

# Builds it with the command `go`; false, after a message, if that fails.
build_versitygw() {
    local folder go
    say "Building versitygw $versitygw_version with Go, once; this takes some minutes"
    mkdir -p "${versitygw_built%/*}" && folder=$(mktemp -d "${versitygw_built%/*}/build-XXXXXX") || return 1
    # In a folder without a go.mod, so that no other module is taken into account.
    if ! go=$(cd "$folder" && go_that_is_new_enough) ||
        ! (cd "$folder" && GOBIN=$folder "$go" install "$versitygw_module@$versitygw_version") ||
        ! mv "$folder/versitygw" "$versitygw_built"; then
        rm -rf "$folder"
        echo "versitygw could not be built; see the message of Go above." >&2
        return 1
    fi
    rm -rf "$folder"
}

# Prints a command. Since 1.21, go fetches the toolchain that a module asks for by itself. For an older one it is
# fetched here as the module golang.org/toolchain, whose files the module cache leaves not executable.
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
