#!/usr/bin/env bash
# Plants misreadings in the candidate of the diff targets and says after how many seconds, and after how many
# inputs, fuzzing finds each from a copy of the committed corpus, on one core. Ends with 1 if one is not found.
#
#   fuzz/faults.sh [SECONDS]
#
# The fault of each row is set for one process alone; the binaries are those of `fuzz/all.sh`.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${1:-60}
rows=(
  tensor_diff:op1-before-op0 tensor_diff:fp8-tie-up tensor_diff:int32-cache-reduce
  vector_diff:sel-index-5-bits vector_diff:radds-unclamped vector_diff:valign-not-reprimed
  schedule_diff:sel-control-10 schedule_diff:waw-ignored schedule_diff:ar-increment-def-4
)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ -n "${NO_BUILD:-}" ] || cargo +nightly fuzz build --sanitizer none --no-trace-compares
bin=fuzz/target/x86_64-unknown-linux-gnu/release

failed=0
printf '%-16s %-22s %8s %10s\n' target fault seconds inputs
for row in "${rows[@]}"; do
  IFS=: read -r target fault <<<"$row"
  rm -rf "$scratch/$target" && cp -r "corpus/fuzz/$target" "$scratch/$target"
  begin=$(date +%s.%N)
  status=0
  Q7DIFF_FAULT=$fault "$bin/$target" -max_total_time="$limit" -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$scratch/" "$scratch/$target" >"$scratch/log" 2>&1 || status=$?
  seconds=$(echo "$(date +%s.%N) $begin" | awk '{ printf "%.1f", $1 - $2 }')
  inputs=$(awk '/stat::number_of_executed_units/ { print $2 }' "$scratch/log")
  if [ "$status" = 0 ] || ! grep -q "WITH PLANTED FAULT $fault" "$scratch/log"; then
    failed=1
    seconds="not in $seconds"
  fi
  printf '%-16s %-22s %8s %10s\n' "$target" "$fault" "$seconds" "${inputs:-?}"
done
exit $failed
