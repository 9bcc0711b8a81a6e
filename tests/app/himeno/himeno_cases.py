# Cases that several tests of himeno's command line run.

# What one process needs to be small and quick.
SIZE = ["--size", "17x19x33"]
SMALL = [*SIZE, "--iterations", "4"]


def counted_bytes(numbers):
    """What the check of the memory counts for a sweep (demands.cpp): gosa twice and the time, and what numbers
    take in the record and as text."""
    return 3 * 8 + numbers * (16 + 64)


def bytes_a_sweep(test, *arguments):
    """By how much a run's peak memory grows with a sweep."""
    few, many = 1000, 200_000
    peaks = [test.peak_bytes("--size", "3x3x3", "--quiet", "--iterations", str(n), *arguments) for n in (few, many)]
    return (peaks[1] - peaks[0]) / (many - few)
