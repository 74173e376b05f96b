#!/usr/bin/env bash
# Mutation testing of a model with the harness as the test (harness/docs/mutation.md).
#   harness/tools/mutants.sh candidate|oracle [arguments of cargo mutants, such as --file or --shard]
# Records a campaign with the other model once, then lets every mutant answer it. Needs cargo-mutants.
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
mkdir -p "$folder"
cargo build --release --quiet
q7diff=target/release/q7diff

record() { # NAME, cases on standard input
  cat >"$folder/$1.cases.jsonl"
  "$q7diff" exec --model "$other" "$folder/$1.cases.jsonl" >"$folder/$1.outcomes.jsonl"
}

for family in tensor vector; do
  "$q7diff" generate --family "$family" --cases "$cases" --seed 1 | record "2-$family"
done
# The cases worked by hand come first: most mutants die there.
for golden in tensor_cases tensor_clause_cases vector_cases; do
  sed -E 's/^\{"case":(.*),"expected":.*$/\1/' "corpus/golden/$golden.jsonl" | record "1-$golden"
done

export Q7DIFF_RECORDED=$folder
# `recorded` is the one test that runs; a mutant that hangs is killed by the timeout.
exec cargo mutants --package "$mutated" --test-package gate --output target/mutation --no-shuffle \
  --profile mutants --baseline skip --timeout 20 --colors never "$@" \
  -- --test recorded "the_${mutated}" -- --include-ignored
