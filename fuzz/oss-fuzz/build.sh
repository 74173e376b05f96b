#!/bin/bash -eu
# Builds every target with its seeds, dictionary and options, in the form that the service expects.
cd "$SRC/q7diff"

cargo fuzz build -O --debug-assertions

for source in fuzz/fuzz_targets/*.rs; do
  target=$(basename "$source" .rs)
  [ "$target" != lib ] && [ "$target" != empty ] || continue
  cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
  zip -q -j -r "$OUT/${target}_seed_corpus.zip" "corpus/fuzz/$target"
  {
    echo "[libfuzzer]"
    [ "$target" != descriptor_verdict ] && echo "max_len = 8192" || echo "max_len = 65"
    [ ! -f "fuzz/dictionaries/$target.dict" ] || echo "dict = $target.dict"
  } >"$OUT/$target.options"
  [ ! -f "fuzz/dictionaries/$target.dict" ] || cp "fuzz/dictionaries/$target.dict" "$OUT/"
done
