# Damage for damage.py: each kind gives other bytes than those of the file, of which `other` is another.
import re


def change_bytes(rng, data, _):
    for _ in range(rng.randint(1, 16)):
        data[rng.randrange(len(data))] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])


def flip_a_bit(rng, data, _):
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def flip_a_bit_of_the_block(rng, data, _):
    data[rng.randrange(512)] ^= 1 << rng.randrange(8)


def overwrite_a_part(rng, data, _):
    at, length = rng.randrange(len(data)), rng.choice([4, 8, 64, 512, 4096])
    length = min(length, len(data) - at)
    data[at : at + length] = rng.choice([bytes(length), b"\xff" * length, rng.randbytes(length)])


def zeros_to_the_end(rng, data, _):
    at = rng.randrange(len(data))
    data[at:] = bytes(len(data) - at)


def copy_a_part(rng, data, _):
    length = rng.choice([8, 64, 512])
    source, target = (rng.randrange(len(data) - length) for _ in range(2))
    data[target : target + length] = data[source : source + length]


def cut_off(rng, data, _):
    del data[rng.randrange(len(data)) :]


def insert_bytes(rng, data, _):
    at = rng.randrange(len(data) + 1)
    data[at:at] = rng.randbytes(rng.choice([1, 8, 100]))


def half_of_another(rng, data, other):
    at = rng.randrange(len(data))
    data[at:] = other[at:]


def the_block_of_another(_, data, other):
    data[:512] = other[:512]


def without_its_block(_, data, __):
    del data[:512]


def change_a_number(rng, data, _):
    places = list(re.finditer(rb"[0-9.]+", data))
    if places:
        at = rng.choice(places)
        data[at.start() : at.end()] = changed_number(rng, at.group().decode()).encode()


KINDS_OF_TOML = (
    change_bytes,
    flip_a_bit,
    overwrite_a_part,
    zeros_to_the_end,
    cut_off,
    insert_bytes,
    half_of_another,
    change_a_number,
)
KINDS = (
    change_bytes,
    flip_a_bit,
    flip_a_bit_of_the_block,
    overwrite_a_part,
    zeros_to_the_end,
    copy_a_part,
    cut_off,
    insert_bytes,
    half_of_another,
    the_block_of_another,
    without_its_block,
)


def damaged(rng, whole):
    """The names of the damage, and bytes that are none of the whole files'."""
    source, other = rng.sample(whole, 2)
    data, done = bytearray(source), []
    while bytes(data) in whole or not done:
        kind = rng.choice(KINDS)
        if len(data) > 1024:  # more than one, now and then
            kind(rng, data, other)
        else:
            data[:] = rng.choice([b"", b"\n", rng.randbytes(700)])
        done.append(kind.__name__)
    return done, bytes(data)


def damaged_toml(rng, whole, other):
    data = bytearray(whole)
    kind = rng.choice(KINDS_OF_TOML)
    kind(rng, data, other)
    return kind.__name__, bytes(data)


def changed_number(rng, text):
    """With other characters; none is 0, which ends a word of a command line."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        new = rng.choice(["", "-", "+", ".", "e9", "x", "nan", "inf", "0x", ":", "/", " ", "\x1b", "\n", "\u00b2",
                          "9" * rng.randint(1, 30), "0" * rng.randint(1, 400), str(rng.randint(0, 10))])  # fmt: skip
        text = text[:at] + new + text[at + rng.randint(0, 2) :]
    return text
