# SPDX-License-Identifier: BSL-1.0
# shellcheck shell=bash
# Sourced after common.sh. A bare root is a system that has nothing but its base system and git, with a clone of the last
# commit. A command of README.md that is run there meets what it meets on a new machine.

# release | suite of debootstrap | family
bare_releases="
12       | bookworm | debian
13       | trixie   | debian
unstable | sid      | debian
22.04    | jammy    | ubuntu
24.04    | noble    | ubuntu
26.04    | resolute | ubuntu
"

# choose_bare_release NAME: sets bare_suite and bare_family. Ends the script if there is no such release.
choose_bare_release() {
    local release releases=()
    while IFS='| ' read -r release bare_suite bare_family; do
        [[ -n $release ]] || continue
        [[ $release != "$1" ]] || return 0
        releases+=("$release")
    done <<<"$bare_releases"
    die 2 "there is no release '$1'. The releases are: ${releases[*]}"
}

# Whether this user may make a bare root; says why not.
can_make_bare_root() {
    local reason
    if ((EUID != 0)); then
        reason="only root can make one"
    elif ! command -v debootstrap >/dev/null; then
        reason="debootstrap is not installed"
    elif ! unshare --mount --pid --fork true 2>/dev/null; then
        reason="this machine allows no new namespaces"
    else
        return 0
    fi
    echo "$script_name: there is no bare root, because $reason." >&2
    return 1
}

# in_bare_root RELEASE RESULT COMMAND...: makes a bare root, runs COMMAND in its clone, and copies the files that RESULT
# matches there to build/bare-RELEASE. The root is removed if COMMAND succeeds.
# Status: that of COMMAND, or 3 if the root cannot be made.
in_bare_root() {
    local release=$1 result=$2 folder=build/bare-$1 root=build/bare-$1/root status=0
    shift 2
    choose_bare_release "$release"
    can_make_bare_root || return 3
    if ! make_bare_root "$folder"; then
        echo "$script_name: the bare root of $release could not be made: see $PWD/$folder/debootstrap.log" >&2
        return 3
    fi

    say "$release: $*"
    # When the namespaces end, nothing stays mounted and no process goes on.
    unshare --mount --pid --fork --kill-child bash -euc '
        root=$1
        shift
        mount -t proc proc "$root/proc"
        mount --rbind /sys "$root/sys"
        mount --rbind /dev "$root/dev"
        exec chroot "$root" /usr/bin/env -i "$@"' in_bare_root "$root" "${bare_environment[@]}" \
        bash -c 'cd /root/freehold && exec "$@"' in_bare_root "$@" || status=$?
    (
        shopt -s nullglob
        for file in "$root"/root/freehold/$result; do cp "$file" "$folder"; done
    )
    if ((status == 0)); then
        rm -rf --one-file-system "$root"
    else
        echo "$script_name: the root stays in $PWD/$root until the next call." >&2
    fi
    return "$status"
}

# make_bare_root FOLDER: makes FOLDER/root, and sets bare_environment. The root takes over from this machine what it needs
# to reach the registries of packages, and what the user asks of the tests.
make_bare_root() {
    local folder=$1 root=$1/root components=main mirror='' script=/usr/share/debootstrap/scripts file variable
    say "Making a bare root of $bare_suite"
    rm -rf --one-file-system "$folder"
    mkdir -p "$folder"
    # A debootstrap that is older than a release makes it as the family's others.
    case $bare_family in
        debian) script+=/sid ;;
        ubuntu) script+=/gutsy components=main,universe mirror=http://archive.ubuntu.com/ubuntu ;;
    esac
    if grep -qsx "ID=$bare_family" /etc/os-release; then
        mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
            sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' | head -n 1)
    fi
    timeout 900 debootstrap --variant=minbase --include=git,ca-certificates --components="$components" "$bare_suite" \
        "$root" "$mirror" "$script" >"$folder/debootstrap.log" 2>&1 || return 1
    [[ $bare_family != ubuntu ]] || echo "deb $mirror $bare_suite-updates main universe" >>"$root/etc/apt/sources.list"

    for file in /etc/resolv.conf /etc/hosts /etc/apt/apt.conf.d /etc/ssl/certs/ca-certificates.crt; do
        [[ ! -e $file ]] || cp -rL "$file" "$root/${file%/*}/"
    done
    # The root is thrown away: dpkg need not wait for the disk.
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
    git clone -q . "$root/root/freehold" || return 1

    bare_environment=(HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}"
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
    while IFS= read -r variable; do
        bare_environment+=("$variable=${!variable}")
    done < <(compgen -e |
        grep -xE '(PIP|GO(PROXY|FLAGS|SUMDB|NOSUMDB|PRIVATE)|npm_config|CARGO|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)(_.*)?|CI|FREEHOLD_(REQUIRE|SOAK_SECONDS)')
}
