"""The timed loops of probe block hold the barriers, multiply-adds and accesses meant, and loop control."""
import unittest
from collections import Counter

import sass

LOOP_CONTROL = {"IADD3", "VIADD", "UIADD3", "ISETP", "BRA", "IMAD", "MOV", "BSSY", "BSYNC"}
BARRIERS, STEPS, ACCESSES = 32, 512, 16  # barrier_body, path_body, stride_body in app/membench/probes/block/block.cu


class Block(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = sass.kernels_of("block.cu")

    def smallest_loop(self, name, operation, number):
        """Operations of the smallest loop that has so many instructions of the kind."""
        (code,) = [each for mangled, each in self.kernels.items() if name in mangled]
        bodies = [Counter(each.operation for each in body) for body in sass.loops(sass.timed_region(code))]
        fitting = [body for body in bodies if body[operation] == number]
        self.assertTrue(fitting, f"{name}: {bodies}")
        return min(fitting, key=lambda body: body.total())

    def test_barriers_alone(self):
        body = self.smallest_loop("barriers", "BAR", BARRIERS)
        self.assertEqual(body.total(), BARRIERS + 3)

    def test_a_path_is_a_chain_of_multiply_adds(self):
        body = self.smallest_loop("paths", "IMAD", STEPS)
        self.assertLessEqual(body.total() - STEPS, 8)
        self.assertLessEqual(set(body), LOOP_CONTROL)

    def test_strided_accesses_stay_in_the_loop(self):
        for name, operation in (("stridesILb0E", "LDS"), ("stridesILb1E", "STS")):
            body = self.smallest_loop(name, operation, ACCESSES)
            self.assertLessEqual(body.total() - ACCESSES, ACCESSES)
            self.assertLessEqual(set(body), LOOP_CONTROL | {operation})


if __name__ == "__main__":
    sass.main()
