#!/usr/bin/env python3
"""Writes corpus/golden/tensor_structure_cases.jsonl: walks whose structure is what matters.

Long runs, many runs, addresses visited twice, in place, and pairs of walks that interleave with or without
sharing a byte. Values are small integers, so that every sum is exact in any format; the expected outcomes
come from the few lines below (spec 03 sections 6 to 8 and DD-OVERLAP) and from neither model.

    python3 harness/tools/structure_cases.py > corpus/golden/tensor_structure_cases.jsonl
    python3 harness/tools/structure_cases.py large     # a case of a megabyte, for mutants.sh
"""
import json
import random
import struct
import sys

UINT8, UINT16, INT32, FP32 = 0x03, 0x05, 0x08, 0x0A
CODE = {UINT8: "<B", UINT16: "<H", INT32: "<i", FP32: "<f"}
ADD, MAX, ABSOLUTE = 0x04, 0x08, 0x19
SCAN, CACHE, REDUCE = 0x4E, 0xE6, 0x9A


def size(dtype):
    return struct.calcsize(CODE[dtype])


def walk(start, counts, steps, element):
    """Byte offsets of a walk, X fastest."""
    offsets = [start]
    for count, step in reversed(list(zip(counts, steps))):
        offsets = [base + k * step * element for base in offsets for k in range(count)]
    return offsets


def pattern(start, counts, steps, rank):
    pad = [1] * (rank - len(counts))
    return struct.pack("<I%dh%dH" % (rank, rank), start, *(steps + pad), *(counts + pad))


def record(opcode, source, destination, dtypes, channels, op):
    head = bytes([opcode, 0x10]) + bytes(10)
    types = bytes([*dtypes, channels])
    if opcode == SCAN:
        # op_dim X: a scan of its own for each row
        return head + pattern(*source, 4) + types + bytes([0, op, 2]) + bytes(6) + pattern(*destination, 4)
    # ZeroAccumulate, op0 Bypass, op1
    head += bytes([3, 0, 0, 0])
    return head + pattern(*source, 3) + types + bytes([0, 0, op]) + bytes(10) + pattern(*destination, 3)


def combine(op, left, right):
    return {ADD: left + right, MAX: max(left, right), ABSOLUTE: abs(left)}[op]


def execute(opcode, memory, source, destination, dtypes, op):
    """One channel: what is written, in order, and the accumulator."""
    read = [struct.unpack_from(CODE[dtypes[0]], memory, at)[0] for at in source[0]]
    run = source[1] if opcode == SCAN else len(read)
    results, carry = [], 0
    for position, value in enumerate(read):
        fresh = opcode == SCAN and position % run == 0
        carry = int(value) if fresh else combine(op, carry, int(value))
        results.append(carry)
    for position, (at, value) in enumerate(zip(destination, results)):
        if opcode != REDUCE or position == len(results) - 1:
            struct.pack_into(CODE[dtypes[1]], memory, at, value)
    return carry


def case(name, why, opcode, op, dtypes, source, destination, channels=1, values=None, regions=None):
    """A case of one step; `regions` are (offset, bytes) of every partition, one region by default."""
    sizes = [size(dtype) for dtype in dtypes]
    walks = [walk(*source, sizes[0]), walk(*destination, sizes[1])]
    spans = [set(b for at in offsets for b in range(at, at + n)) for offsets, n in zip(walks, sizes)]
    end = max(max(span) for span in spans) + 1
    regions = regions or [(0, end + 3)]
    chance = random.Random(name)
    values = values or (lambda position, channel: chance.randrange(4))
    before = []
    for channel in range(channels):
        memory = bytearray(0xA5 for _ in range(end + 3))
        for position, at in enumerate(walks[0]):
            struct.pack_into(CODE[dtypes[0]], memory, at, values(position, channel))
        before.append(memory)
    coincide = walks[0] == walks[1] and sizes[0] == sizes[1]
    runs = coincide or not spans[0] & spans[1]
    after = [bytearray(memory) for memory in before]
    carries = {}
    if runs:
        for channel, memory in enumerate(after):
            row = source[1][0]
            carry = execute(opcode, memory, (walks[0], row), walks[1], dtypes, op)
            if opcode != SCAN:
                carries[channel] = carry

    def listed(partitions):
        return [
            {
                "space": "sbuf",
                "partition": 0,
                "partitions": channels,
                "offset": offset,
                "stride": length,
                "data": "".join(memory[offset : offset + length].hex() for memory in partitions),
            }
            for offset, length in regions
        ]

    bytes64 = record(opcode, source, destination, dtypes, channels, op)
    step = {"verdict": "accept"} if runs else {"verdict": "fault", "reason": "EXEC-OVERLAP"}
    emit("structure-" + name, why, bytes64, step, (listed(before), listed(after)), carries)


def emit(name, why, bytes64, step, memory, carries):
    """Prints a line; `memory` before and after, `carries` the accumulator of every channel that has one."""
    assert len(bytes64) == 64
    common = {"version": 1, "kind": "tensor", "id": name}
    case = {
        **common,
        "generation": "mariana",
        "profile": {},
        "memory": memory[0],
        "registers": {},
        "program": [bytes64.hex()],
    }
    expected = {
        **common,
        "steps": [step],
        "memory": memory[1],
        "accumulators": {str(c): "0x%08x" % struct.unpack("<I", struct.pack("<f", v))[0] for c, v in carries.items()},
        "seeded": list(carries),
    }
    print(json.dumps({"case": case, "expected": expected, "why": why}, separators=(",", ":")))


def sparse(every):
    return lambda position, channel: int((position + channel) % every == 0)


def neighbours():
    """Partitions side by side share nothing, whatever their offsets."""
    channels, base = 32, 0x800000  # what a quadrant of partitions has, and where the second one begins
    source, destination = (0, [4], [1]), (2, [4], [1])
    values, sums = bytes([1, 0, 1, 2]), bytes([1, 1, 2, 4])
    for name, partitions in (("below", (0, 32)), ("above", (32, 0))):
        operands = [(at * base // 32 + start, *shape)
                    for at, (start, *shape) in zip(partitions, (source, destination))]
        bytes64 = record(CACHE, *operands, (UINT8, UINT8), channels, ADD)

        def listed(low, high):
            return [
                {"space": "sbuf", "partition": first, "partitions": channels, "offset": 0, "stride": 8,
                 "data": (data * channels).hex()}
                for first, data in ((0, low), (32, high))
            ]

        read, unread, written = values + bytes(4), bytes(8), bytes(2) + sums + bytes(2)
        before = (read, unread) if partitions[0] == 0 else (unread, read)
        after = (read, written) if partitions[0] == 0 else (written, read)
        emit("structure-partitions-" + name,
             "the source's partitions end where the destination's begin, or begin where they end", bytes64,
             {"verdict": "accept"}, (listed(*before), listed(*after)), dict.fromkeys(range(channels), 4))


def structures():
    plain = [1]
    twice = ([512, 2], [1, 511])
    case("again-same", "in place, one address 513 times: every read sees the byte from before", CACHE, ADD,
         (FP32, FP32), (0, [513], [0]), (0, [513], [0]), 5, lambda position, channel: 1)
    case("again-u8", "in place, address 511 at positions 511 and 512, both reads before any write", CACHE, ADD,
         (UINT8, UINT8), (0, *twice), (0, *twice), 5, sparse(97))
    case("again-fp32", "the same with four bytes an element", CACHE, ADD,
         (FP32, FP32), (0, *twice), (0, *twice), 5)
    case("one-run", "one run of 4,097", SCAN, ADD,
         (UINT8, UINT8), (0, [4097], plain), (4100, [4097], plain), 1, sparse(50))
    case("unary-pairs", "4,099 runs of two under an operator that looks at the left operand alone", SCAN,
         ABSOLUTE, (UINT8, UINT8), (0, [2, 4099], [1, 2]), (8200, [2, 4099], [1, 2]), 1)
    case("runs-640", "640 runs of nine in 128 channels", SCAN, ADD,
         (UINT8, UINT8), (0, [9, 5], [1, 9]), (48, [9, 5], [1, 9]), 128)
    case("runs-1025", "1,025 runs of two in place, integers to FP32", SCAN, ADD,
         (INT32, FP32), (0, [2, 1025], [1, 2]), (0, [2, 1025], [1, 2]), 1)
    case("runs-12", "three runs of 64 in each of four channels", SCAN, ADD,
         (UINT8, UINT8), (0, [64, 3], [1, 64]), (200, [64, 3], [1, 64]), 4)
    case("runs-513", "five runs of 513", SCAN, ADD,
         (UINT8, UINT8), (0, [513, 5], [1, 513]), (2600, [513, 5], [1, 513]), 1, sparse(7))
    case("last-slot", "only the last slot is written, so only it needs memory", REDUCE, ADD,
         (FP32, FP32), (0, [2], plain), (64, [2], plain), 1, None, [(0, 8), (68, 4)])
    case("fold-512", "the largest of 512 lies in the third block of sixteen", REDUCE, MAX,
         (FP32, FP32), (0, [512], plain), (2048, [512], plain), 1,
         lambda position, channel: 1 + 1000 * (position == 32))
    case("most-elements", "2^20 elements, the most that execute (EXEC-SIZE)", REDUCE, MAX,
         (FP32, FP32), (0, [1024, 1024], [0, 0]), (64, [1024, 1024], [0, 0]), 1, lambda position, channel: 3)
    case("two-regions", "a row that stands still, in two regions", CACHE, ADD,
         (FP32, FP32), (0, [4], plain), (64, [2, 2], [0, 1]), 1, None, [(0, 16), (64, 4), (68, 4)])


def closest_overlaps():
    """Pairs that only an exact comparison of bytes decides, the smallest of their kind."""
    u8, u16, fp32 = (UINT8, UINT8), (UINT8, UINT16), (UINT8, FP32)
    for name, dtypes, source, destination in [
        ("two-by-three", (FP32, FP32), (0, [2], [2]), (4, [2], [3])),
        ("combs", (FP32, FP32), (24, [5], [2]), (0, [5], [2])),
        ("backwards", (FP32, FP32), (40, [2, 2], [-1, -3]), (32, [4], [1])),
        ("long-combs", (FP32, FP32), (0, [65], [2]), (4, [65], [3])),
        ("bytes-in-words", fp32, (3, [2], [1]), (0, [2], [2])),
        ("late-meeting", (FP32, FP32), (4, [2], [2]), (0, [2], [3])),
        ("halves-in-words", (UINT16, FP32), (2, [2], [1]), (0, [2], [2])),
        ("bytes-beside-halves", u16, (2, [3], [4]), (0, [3], [2])),
        ("bytes-between-bytes", u8, (0, [3, 2], [3, 1]), (2, [3, 2], [3, 9])),
    ]:
        case("overlap-" + name, "decided byte by byte", CACHE, ADD, dtypes, source, destination,
             values=lambda position, channel: position % 3)


def overlaps():
    """Pairs of walks that meet: half of them share bytes, half interleave."""
    chance = random.Random("overlaps")
    left = {True: 40, False: 40}
    number = 0
    while any(left.values()):
        dtypes = chance.choice([(UINT8, UINT8), (UINT16, UINT8), (UINT8, UINT16), (UINT16, UINT16),
                                (FP32, UINT8), (UINT8, FP32), (FP32, UINT16), (FP32, FP32)])
        counts = [chance.randrange(1, 5) for _ in range(3)]
        other = counts[:]
        chance.shuffle(other)
        operands = []
        for dtype, shape in zip(dtypes, (counts, other)):
            steps = [chance.choice([-9, -7, -5, -3, -2, -1, 1, 2, 3, 4, 5, 7, 11, 13]) for _ in shape]
            lowest = sum(min(0, (c - 1) * s) for c, s in zip(shape, steps))
            start = (chance.randrange(0, 24) - lowest) * size(dtype)
            operands.append((start, shape, steps))
        spans = [set(b for at in walk(*operand, size(dtype)) for b in range(at, at + size(dtype)))
                 for operand, dtype in zip(operands, dtypes)]
        if max(map(min, spans)) >= min(map(max, spans)):
            continue
        shared = len(spans[0] & spans[1])
        if shared > 2 or not left[shared == 0]:
            continue
        left[shared == 0] -= 1
        number += 1
        why = "walks that interleave" if shared == 0 else "walks that share %d bytes" % shared
        case("overlap-%d" % number, why, CACHE, ADD, dtypes, *operands,
             values=lambda position, channel: position % 3)


def large():
    case("many-long-runs", "515 runs of 586 side by side", SCAN, MAX, (UINT8, UINT8),
         (0, [586, 5], [0, 0]), (16, [586, 5], [1, 586]), 103, lambda position, channel: 3 + channel)


if sys.argv[1:] == ["large"]:
    large()
else:
    structures()
    closest_overlaps()
    overlaps()
    neighbours()
