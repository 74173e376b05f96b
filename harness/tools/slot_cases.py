#!/usr/bin/env python3
"""Prints cases of one op of table `lat-1`, without operands, at one slot: every op at every slot of every format.

Where the op may stand the verdict is OPERAND, elsewhere OP_SLOT (spec 05 section 6), so that every place of the
table decides something. `mutants.sh` records what a model answers.

    python3 harness/tools/slot_cases.py > slots.cases.jsonl
"""
import json

PARTS = ["lat_table", "lat_table_07", "lat_table_08", "lat_table_09"]

for part in PARTS:
    with open(f"corpus/golden/{part}.json") as file:
        table = json.load(file)
    places = [(row["format"], slot) for row in table["formats"] for slot in range(len(row["slots"]))]
    for op in table["ops"]:
        for format, slot in places:
            bundle = "%s { S%d %s }" % (format, slot, op["op"])
            print('{"version":1,"kind":"vector","id":"%s %s %d","profile":{},"cpenable":2,"state":{},"memory":'
                  '{"base":"0x00080000","bytes":4096,"init":[]},"program":["%s"]}'
                  % (op["op"], format, slot, bundle))
