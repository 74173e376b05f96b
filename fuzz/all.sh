#!/usr/bin/env bash
# Runs every fuzz target for so many seconds each, one after the other, on a copy of the committed corpus,
# and prints a table of executions a second and findings. Ends with 1 if a target found something.
#
#   fuzz/all.sh SECONDS [TARGET…]
#
# SANITIZER=none|address (none), JOBS=N processes per target (1), CORPUS=DIR keeps what was found there.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?usage: fuzz/all.sh SECONDS [TARGET…]}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] ||
  targets=(empty descriptor_verdict tensor_diff vector_diff schedule_diff case_json bundle_text)
sanitizer=${SANITIZER:-none}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
corpora=${CORPUS:-$scratch/corpus}

[ -n "${NO_BUILD:-}" ] || cargo +nightly fuzz build --sanitizer "$sanitizer" --no-trace-compares
bin=fuzz/target/x86_64-unknown-linux-gnu/release

failed=0
printf '%-20s %10s %12s %10s %8s  %s\n' target seconds executions exec/s corpus result
for target in "${targets[@]}"; do
  mkdir -p "$corpora/$target" "fuzz/artifacts/$target"
  [ ! -d "corpus/fuzz/$target" ] || cp -n "corpus/fuzz/$target"/* "$corpora/$target/"
  options=(-max_total_time="$seconds" -print_final_stats=1 -timeout=20 -rss_limit_mb=4096)
  options+=(-max_len="$([ "$target" = descriptor_verdict ] && echo 65 || echo 8192)")
  [ ! -f "fuzz/dictionaries/$target.dict" ] || options+=(-dict="fuzz/dictionaries/$target.dict")
  [ "${JOBS:-1}" = 1 ] || options+=(-fork="$JOBS")
  options+=(-artifact_prefix="fuzz/artifacts/$target/")
  result=clean
  "$bin/$target" "${options[@]}" "$corpora/$target" >"$scratch/$target.log" 2>&1 || result=FINDING
  executions=$(awk '/stat::number_of_executed_units/ { print $2 }' "$scratch/$target.log")
  speed=$(awk '/stat::average_exec_per_sec/ { print $2 }' "$scratch/$target.log")
  printf '%-20s %10s %12s %10s %8s  %s\n' "$target" "$seconds" "${executions:-?}" "${speed:-?}" \
    "$(ls "$corpora/$target" | wc -l)" "$result"
  if [ "$result" = FINDING ]; then
    failed=1
    tail -n 120 "$scratch/$target.log" | cut -c -400 >&2
  fi
done
exit $failed
