# Sourced by what installs or fetches: where this machine gets Debian's packages from, and who is using apt.

apt_helper=/usr/lib/apt/apt-helper

release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")  # such as bookworm

# mirrors: prints the mirrors of this release that apt is set up with, one a line; those of a list of mirrors, too, which
# Debian's images for clouds have.
mirrors() {
  {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
      sed -nE "s/^deb(-src)?[[:space:]]+(\[[^]]*\][[:space:]]+)?([a-z+]+:[^[:space:]]+)[[:space:]]+($release|(old)?stable)[[:space:]].*/\3/p"
    cat /etc/apt/sources.list.d/*.sources 2>/dev/null | awk -v release="$release" '
      function print_here() { if (here) for (i in uris) print uris[i]; here = 0; delete uris }
      /^[[:space:]]*$/ { print_here() }
      /^URIs:/ { for (i = 2; i <= NF; i++) uris[i] = $i }
      /^Suites:/ { for (i = 2; i <= NF; i++) if ($i == release || $i ~ /^(old)?stable$/) here = 1 }
      END { print_here() }'
  } | while read -r uri; do
    case $uri in
      mirror+file:*) grep -oE '^[a-z]+:[^[:space:]]+' "$(sed -E 's|^mirror\+file:/*|/|' <<<"$uri")" || true ;;
      *) echo "$uri" ;;
    esac
  done | sed 's|/*$||' | awk '!seen[$0]++'
}

# download URI FILE [HASH]: one file from a mirror; gives up after 10 s without an answer.
apt_download=("$apt_helper" -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10 download-file)
download() { "${apt_download[@]}" "$@"; }

# mirror_answers: is there a network? A mirror has 8 s to say so, names included. Where apt has no mirror that is known
# here, apt itself has to say so.
mirror_answers() {
  local mirror file status=1
  [ -n "$(mirrors)" ] || return 0
  file=$(mktemp)
  for mirror in $(mirrors); do
    if timeout 8 "${apt_download[@]}" "$mirror/dists/$release/InRelease" "$file" >/dev/null 2>&1; then status=0; break; fi
  done
  rm -f "$file" "$file.FAILED"
  return $status
}

# apt_user: who holds a lock of apt's or dpkg's, such as "apt-get (process 1234)"; fails where nobody does. The kernel's
# list of locks is all that a minimal Debian has to tell.
apt_user() {
  local file inode process
  for file in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/lib/apt/lists/lock /var/cache/apt/archives/lock; do
    inode=$(stat -c %i "$file" 2>/dev/null) || continue
    process=$(awk -v end=":$inode\$" '$2 == "POSIX" && $6 ~ end { print $5; exit }' /proc/locks)
    if [ -n "$process" ]; then
      echo "$(cat "/proc/$process/comm" 2>/dev/null || echo "another program") (process $process)"
      return 0
    fi
  done
  return 1
}

# await_apt PROGRAM: waits until nobody uses apt, and says for whom.
await_apt() {
  local user said=
  while user=$(apt_user); do
    if [ "$user" != "$said" ]; then echo "$1: waiting for $user, which is installing packages"; said=$user; fi
    sleep 1
  done
}
