#!/usr/bin/env bash
# Executions per CPU second of each target beside `empty`, in one run, on one core and on the same inputs:
#   small  20,000 one-step inputs (65 bytes, header 0, pseudo-random decisions), each executed once
#   loop   those, then 20,000 executions of libFuzzer's loop: mutation, larger cases too (the header
#          mutates as well), and writing what is new
#
#   fuzz/speed.sh [TARGET…]          NO_BUILD=1 takes the targets as built
set -euo pipefail
cd "$(dirname "$0")/.."

targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(descriptor_verdict tensor_diff vector_diff schedule_diff)
[ -n "${NO_BUILD:-}" ] || cargo +nightly fuzz build --sanitizer none --no-trace-compares
bin=fuzz/target/x86_64-unknown-linux-gnu/release
# In memory where there is such a folder: a disk would be measured along with the engine.
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/inputs"
perl -e 'srand 1; for my $i (0 .. 19999) { open my $f, ">", "$ARGV[0]/$i" or die; binmode $f;
  print $f pack("C*", 0, 0, 0, map { int rand 256 } 1 .. 62) }' "$scratch/inputs"

per_second() { # TARGET, options of libFuzzer
  local target=$1
  shift
  rm -rf "$scratch/corpus"
  cp -r "$scratch/inputs" "$scratch/corpus"
  TIMEFORMAT='%3U %3S'
  { time "$bin/$target" -seed=1 -max_len=65 -print_final_stats=1 "$@" "$scratch/corpus" \
    >"$scratch/log" 2>&1; } 2>"$scratch/time" || { tail -n 60 "$scratch/log" >&2; exit 1; }
  awk '/stat::number_of_executed_units/ { n = $2 } NF == 2 && /^[0-9.]+ [0-9.]+$/ { s = $1 + $2 }
    END { printf "%.0f", n / s }' "$scratch/log" "$scratch/time"
}

printf '%-20s %-6s %12s %12s %7s\n' target inputs empty/s target/s ratio
for target in "${targets[@]}"; do
  for inputs in small loop; do
    runs=$([ $inputs = small ] && echo 1 || echo 40000)
    empty=$(per_second empty -runs="$runs")
    speed=$(per_second "$target" -runs="$runs")
    awk -v t="$target" -v i=$inputs -v e="$empty" -v s="$speed" \
      'BEGIN { printf "%-20s %-6s %12d %12d %6.1f%%\n", t, i, e, s, 100 * s / e }'
  done
done
