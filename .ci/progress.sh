# Sourced by app/run and tests/run: says how far a build or a test run is, and keeps the times.

on_terminal=false
[ -t 1 ] && on_terminal=true
times=()

# watched PROGRAM WHAT LOG COMMAND ...: runs a command whose lines go into LOG; of those that count something, "[12/80]"
# (ninja) or " 12/80 Test" (ctest), makes "WHAT: 12 of 80, about 40 s left": one line that changes on a terminal, a new
# one every half minute elsewhere. Returns what the command returns.
watched() {
  local program=$1 what=$2 log=$3 begun=$SECONDS said=$SECONDS line status
  shift 3
  "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
    [[ $line =~ ^\ *\[?([0-9]+)/([0-9]+)(\]|\ Test) ]] || continue
    local done=$((10#${BASH_REMATCH[1]})) all=${BASH_REMATCH[2]} passed=$((SECONDS - begun))
    [ "$done" -gt 0 ] || continue
    local now="$program: $what: $done of $all, about $((passed * (all - done) / done)) s left"
    if $on_terminal; then
      printf '\r\033[K%s' "$now"
    elif [ $((SECONDS - said)) -ge 30 ]; then
      echo "$now"
      said=$SECONDS
    fi
  done
  status=${PIPESTATUS[0]}
  $on_terminal && printf '\r\033[K'
  took "$what" $((SECONDS - begun))
  return "$status"
}

# took WHAT SECONDS: keeps a time for the end.
took() { times+=("$(printf '%4d:%02d  %s' $(($2 / 60)) $(($2 % 60)) "$1")"); }

# all_times PROGRAM: prints them, and all of it.
all_times() {
  took "all" "$SECONDS"
  echo "$1: minutes:"
  printf '%s\n' "${times[@]}"
}
