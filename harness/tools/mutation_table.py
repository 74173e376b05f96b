#!/usr/bin/env python3
"""Prints the table of a mutation run by room, for harness/docs/mutation.md.

    python3 harness/tools/mutation_table.py SURVIVORS.tsv OUTCOMES.json [OUTCOMES.json…]

Of a mutant that several runs judged, the last one counts. SURVIVORS.tsv has a line per mutant that no case
killed: name, class (EQUIVALENT, NOT_A_CASE, GAP) and reason, separated by tabs. Ends with 1 if a survivor has
no line there, or a line no survivor. A mutant that keeps the compiler busy for ever met no case: unviable.
"""
import collections
import json
import sys

COLUMNS = ["mutants", "unviable", "killed", "equivalent", "not a case", "survived"]
CLASSES = {"EQUIVALENT": "equivalent", "NOT_A_CASE": "not a case", "GAP": "survived"}


def main(survivors, *runs):
    judged = {}
    for run in runs:
        with open(run) as file:
            for outcome in json.load(file)["outcomes"]:
                mutant = outcome["scenario"]["Mutant"]
                seconds = sum(phase["duration"] for phase in outcome["phase_results"])
                summary = outcome["summary"]
                if summary == "Timeout" and outcome["phase_results"][-1]["phase"] == "Build":
                    summary = "Unviable"
                judged[mutant["name"]] = (mutant["file"], summary, seconds)
    with open(survivors) as file:
        classes = {line.split("\t")[0]: line.split("\t")[1] for line in file}
    rooms = collections.defaultdict(collections.Counter)
    seconds = collections.Counter()
    unexplained = []
    for name, (file, summary, spent) in judged.items():
        parts = file.split("/")
        room = "/".join(parts[2:-1]) or "(crate)"
        column = {"CaughtMutant": "killed", "Timeout": "killed", "Unviable": "unviable"}.get(summary)
        if summary == "MissedMutant":
            if name not in classes:
                unexplained.append(name)
            column = CLASSES[classes.get(name, "GAP")]
        for key in (room, "total"):
            rooms[key][column] += 1
            rooms[key]["mutants"] += 1
            seconds[key] += spent
    print("| room | " + " | ".join(COLUMNS) + " | of non-equivalent | minutes |")
    print("| --- |" + " ---: |" * (len(COLUMNS) + 2))
    for room in sorted(rooms, key=lambda room: (room == "total", room)):
        row = rooms[room]
        live = row["killed"] + row["survived"]
        share = f"{100 * row['killed'] / live:.1f} %" if live else ""
        cells = [f"{row[column]:,}" for column in COLUMNS] + [share, f"{seconds[room] / 60:.0f}"]
        print(f"| {room} | " + " | ".join(cells) + " |")
    missed = {name for name, (_, summary, _) in judged.items() if summary == "MissedMutant"}
    for name in unexplained:
        print(f"no line for {name}", file=sys.stderr)
    for name in sorted(set(classes) - missed):
        print(f"no survivor: {name}", file=sys.stderr)
    return 1 if unexplained or set(classes) - missed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
