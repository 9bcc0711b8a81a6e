# Damage for damage.py: each kind makes other bytes of a file, or of two.
import re

BLOCK = 512  # of a result file: its length and checksum


def overwrite_a_part(rng, data, _):
    at, length = rng.randrange(len(data)), rng.choice([1, 4, 8, 64, 512, 4096])
    length = min(length, len(data) - at)
    return data[:at] + rng.choice([bytes(length), b"\xff" * length, rng.randbytes(length)]) + data[at + length:]


def flip_a_bit(rng, data, _, end=None):
    at = rng.randrange(end or len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]


def flip_a_bit_of_the_block(rng, data, _):
    return flip_a_bit(rng, data, _, BLOCK)


def zeros_to_the_end(rng, data, _):
    return data[:rng.randrange(len(data))].ljust(len(data), b"\0")


def copy_a_part(rng, data, _):
    length = rng.choice([8, 64, 512])
    source, target = (rng.randrange(len(data) - length) for _ in range(2))
    return data[:target] + data[source:source + length] + data[target + length:]


def cut_off(rng, data, _):
    return data[:rng.randrange(len(data))]


def insert_bytes(rng, data, _):
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.choice([1, 8, 100])) + data[at:]


def half_of_another(rng, data, other):
    at = rng.randrange(len(data))
    return data[:at] + other[at:]


def the_block_of_another(_, data, other):
    return other[:BLOCK] + data[BLOCK:]


def without_its_block(_, data, __):
    return data[BLOCK:]


def change_a_number(rng, data, _):
    places = list(re.finditer(rb"[0-9.]+", data))
    if not places:
        return data
    found = rng.choice(places)
    return data[:found.start()] + changed_number(rng, found[0].decode()).encode() + data[found.end():]


def other_figures(rng, data, _):
    """Of a description: some of its figures are others, between sense and nonsense, and some tables are missing."""
    head, *tables = re.split(r"\n(?=\[\w+[.])", data.decode())
    kept = "\n".join([head, *(table for table in tables if rng.random() < 0.9)])
    return re.sub(r"^(?!low)(\w+ = )([0-9][0-9_.]*)$",
                  lambda found: found[1] + (found[2] if rng.random() < 0.7 else figure(rng, "." not in found[2])),
                  kept, flags=re.M).encode()  # fmt: skip


def figure(rng, whole):
    """From 1e-9 to 1e15, usually between 1 and 10^4."""
    value = 10 ** (rng.uniform(0, 4) if rng.random() < 0.5 else rng.uniform(-9, 15))
    return str(int(value) + 1) if whole else f"{value:.6e}"


OF_ANY_FILE = (overwrite_a_part, flip_a_bit, zeros_to_the_end, cut_off, insert_bytes, half_of_another)
OF_RESULTS = (*OF_ANY_FILE, flip_a_bit_of_the_block, copy_a_part, the_block_of_another, without_its_block)
OF_TOML = (*OF_ANY_FILE, change_a_number, other_figures, other_figures)


def damaged(rng, whole):
    """The kind, and bytes that are none of the whole result files'."""
    if rng.random() < 0.02:
        return "not a result", rng.choice([b"", b"\n", rng.randbytes(700)])
    source, other = rng.sample(whole, 2)
    data = source
    while data in whole:
        kind = rng.choice(OF_RESULTS)
        data = kind(rng, source, other)
    return kind.__name__, data


def changed_number(rng, text):
    """With other characters; none is 0, which ends a word of a command line."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        new = rng.choice(["", "-", "+", ".", "e9", "x", "nan", "inf", "0x", ":", "/", " ", "\x1b", "\n", "\u00b2",
                          "9" * rng.randint(1, 30), "0" * rng.randint(1, 400), str(rng.randint(0, 10))])  # fmt: skip
        text = text[:at] + new + text[at + rng.randint(0, 2):]
    return text
