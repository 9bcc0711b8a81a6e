"""Kernels that are launched while the one ahead of them ends: they wait for it before they touch memory.

The compiler may move loads of what it takes for constant (`__ldg`) over the wait, and a result would still be right in
most runs.
"""
import unittest

import sass

WAIT = "ACQBULK"
MEMORY = {"LD", "LDG", "ST", "STG", "ATOM", "ATOMG", "RED", "REDG", "LDGSTS", "UBLKCP", "UTMALDG", "UTMASTG"}


class KernelsLaunchedSoon(unittest.TestCase):
    def check(self, source, name, count):
        """Counts the kernels of a source that wait, and finds no access to memory ahead of the wait."""
        waiting = 0
        for kernel, code in sass.kernels_of(source).items():
            operations = [each.operation for each in code]
            if name not in kernel or WAIT not in operations:
                continue
            waiting += 1
            with self.subTest(kernel=kernel):
                ahead = operations[:operations.index(WAIT)]
                self.assertEqual(MEMORY & set(ahead), set())
                self.assertTrue(MEMORY & set(operations))
                self.assertNotIn("BRA", ahead)
        self.assertEqual(waiting, count)

    def test_single_sweeps_wait(self):
        self.check("single_cuda.cu", "single_sweep", 5)

    def test_fused_sweeps_that_store_their_halo_wait(self):
        self.check("temporal_cuda.cu", "", 6)

    def test_signals_and_stores_of_messages_wait(self):
        self.check("peer_stores.cu", "", 1)


if __name__ == "__main__":
    sass.main()
