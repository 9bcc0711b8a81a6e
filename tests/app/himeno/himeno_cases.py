# Cases that several tests of himeno's command line run.

# What one process needs to be small and quick.
SMALL = ["--size", "17x19x33", "--iterations", "4"]
