#!/usr/bin/env bash
# Mutation testing of a model with the harness as the test (harness/docs/mutation.md).
#   harness/tools/mutants.sh candidate|oracle [arguments of cargo mutants, such as --file or --shard]
# Records a campaign with the other model once, then lets every mutant answer it. Needs cargo-mutants and
# python3.
set -euo pipefail
cd "$(dirname "$0")/../.."

mutated=${1:?candidate or oracle}
shift
case $mutated in
  candidate) other=oracle ;;
  oracle) other=candidate ;;
  *) echo "mutants.sh: no model \`$mutated\` (models: candidate, oracle)" >&2; exit 2 ;;
esac
command -v cargo-mutants >/dev/null || { echo "mutants.sh: install cargo-mutants first" >&2; exit 2; }

cases=${Q7DIFF_MUTANT_CASES:-20000}
folder=$PWD/target/mutation/$mutated
rm -rf "$folder"
mkdir -p "$folder"
cargo build --release --quiet
q7diff=target/release/q7diff

record() { # NAME, cases on standard input
  cat >"$folder/$1.cases.jsonl"
  "$q7diff" exec --model "$other" "$folder/$1.cases.jsonl" >"$folder/$1.outcomes.jsonl"
}

# The cases worked by hand come first: most mutants die there.
for golden in tensor_cases tensor_clause_cases tensor_structure_cases vector_cases; do
  sed -E 's/^\{"case":(.*),"expected":.*$/\1/' "corpus/golden/$golden.jsonl" | record "1-$golden"
done
python3 harness/tools/structure_cases.py large | sed -E 's/^\{"case":(.*),"expected":.*$/\1/' | record 1-large
for family in tensor vector; do
  "$q7diff" generate --family "$family" --cases "$cases" --seed 1 | record "2-$family"
done
# Every value of a switch that enabled ops read.
seed=100
for switch in tensor:reduce_emit=elementwise tensor:op1_order=acc_right tensor:f2i_round=nearest_even \
  tensor:fp8_overflow=saturate tensor:fp32r_fraction=10 tensor:fp32r_fraction=11 \
  tensor:fp32r_fraction=23 vector:rb_tie=union vector:rotr_mode=bit vector:la_fresh=base \
  vector:lat_crossbar=formal; do
  family=${switch%%:*} set=${switch#*:}
  "$q7diff" generate --family "$family" --set "$set" --cases $((cases / 20)) --seed $seed |
    record "3-$family-${set/=/-}"
  seed=$((seed + 1))
done
# Every op at every slot.
python3 harness/tools/slot_cases.py | record 5-slots
# Half of the programs of edge products.
"$q7diff" generate --products --seed 1 | awk '/"id":"d-/ && ++n % 2 == 0' | record 4-products

export Q7DIFF_RECORDED=$folder
# What code path a machine has is no matter of cases; AVX-512 only runs where the machine has it.
excluded=(--exclude candidate/src/simd.rs)
grep -q avx512_vbmi2 /proc/cpuinfo || excluded+=(--exclude candidate/src/vector/lanes/avx512.rs)
# A mutant may ask for all memory there is.
ulimit -v "${Q7DIFF_MUTANT_MEMORY:-14000000}"
# `recorded` is the one test that is built and runs; a mutant that hangs is killed by the timeout, and so is the
# compiler where a constant never ends (the first build of all may take two minutes).
exec cargo mutants --package "$mutated" --test-package gate --output target/mutation --no-shuffle \
  --profile mutants --baseline skip --build-timeout 150 --timeout 20 --colors never \
  --cargo-arg=--test=recorded "${excluded[@]}" "$@" -- "the_${mutated}" -- --include-ignored
