"""The timed regions of the probes latency and shared hold the loads meant and nothing else."""
import unittest

import sass

# What counts the turns of a loop and moves a loop's value to where the next turn wants it.
LOOP_CONTROL = {"IADD3", "VIADD", "UIADD3", "ISETP", "UISETP", "BRA", "MOV", "IMAD", "UMOV", "ULDC", "R2UR"}
UNROLL = 32  # chase_unroll in app/membench/probes/caches/latency_chase.cuh
POINTS = 32  # shared_points in app/membench/probes/block/shared.cu


class Latency(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = sass.kernels_of("latency.cu")

    def kernel(self, name):
        found = [code for mangled, code in self.kernels.items() if "chase" in mangled.split("_cu_")[-1] and name in mangled]
        self.assertEqual(len(found), 1, name)
        return found[0]

    def check(self, name, opcode, operand=""):
        code = self.kernel(name)
        region = sass.timed_region(code)
        bodies = sass.loops(region)
        self.assertEqual(len(bodies), 1)
        loads = [each for each in bodies[0] if each.opcode == opcode and operand in each.operands]
        self.assertEqual(len(loads), UNROLL)
        others = [each for each in bodies[0] if each not in loads]
        self.assertLessEqual({each.operation for each in others}, LOOP_CONTROL)
        # A chain: every load goes where the one before it led.
        for one, other in zip(loads, loads[1:]):
            self.assertIn(one.registers()[0], other.registers()[1:])
            self.assertTrue(other.waits >> one.barrier & 1)
        # The untimed walk is over before the clock starts.
        untimed = [[each.opcode for each in body] for body in sass.loops(code[:code.index(region[0])])]
        self.assertIn(1, [body.count(opcode) for body in untimed])
        # Before the loop only the kernel's parameters are fetched.
        before = [each for each in region if each not in bodies[0] and "c[0x0]" not in each.operands]
        self.assertLessEqual({each.operation for each in before}, LOOP_CONTROL)

    def test_global_chase_is_a_chain_of_64_bit_loads_that_may_hit_l1(self):
        self.check("10GlobalPath", "LDG.E.64")

    def test_chase_past_l1_is_a_chain_of_loads_coherent_in_l2(self):
        self.check("10PastL1Path", "LDG.E.64.STRONG.GPU")

    def test_texture_chase_is_a_chain_of_texel_fetches(self):
        self.check("11TexturePath", "TLD.LZ")

    def test_constant_chase_is_a_chain_of_indexed_constants(self):
        self.check("12ConstantPath", "LDC", "c[0x3][R")

    def test_shared_chase_is_a_chain_of_shared_loads(self):
        self.check("chase_shared", "LDS")



class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = {name: code for name, code in sass.kernels_of("shared.cu").items() if "shared_loads" in name}

    def kernel(self, word, loads):
        """Word: "j" for 32 bits, "y" for 64."""
        found = [code for name, code in self.kernels.items() if f"I{word}Li{loads}E" in name]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_all_combinations_are_there(self):
        self.assertEqual(len(self.kernels), 2 * (POINTS + 1))

    def test_the_clocks_enclose_as_many_loads_as_asked_for_and_one_comparison(self):
        for word, opcode in (("j", "LDS"), ("y", "LDS.64")):
            for loads in range(1, POINTS + 1):
                with self.subTest(word=word, loads=loads):
                    region = sass.timed_region(self.kernel(word, loads))
                    self.assertEqual([each.opcode for each in region[:-1]], [opcode] * loads)
                    self.assertEqual(region[-1].operation, "ISETP")

    def test_all_loads_of_a_thread_have_one_address_that_no_load_overwrites(self):
        for word in "jy":
            for loads in range(1, POINTS + 1):
                region = sass.timed_region(self.kernel(word, loads))[:-1]
                addresses = {each.operands.split("[")[1] for each in region}
                self.assertEqual(len(addresses), 1)
                self.assertNotIn(region[0].registers()[-1], [each.registers()[0] for each in region])

    def test_the_second_clock_waits_for_the_last_loads_data(self):
        for word in "jy":
            for loads in range(1, POINTS + 1):
                *_, last, comparison = sass.timed_region(self.kernel(word, loads))
                self.assertTrue(comparison.waits >> last.barrier & 1)
                self.assertIn(last.registers()[0], comparison.registers())

    def test_the_empty_measurement_is_two_clock_reads_in_a_row(self):
        for word in "jy":
            self.assertEqual(sass.timed_region(self.kernel(word, 0)), [])

    def test_nothing_spills(self):
        for name, code in self.kernels.items():
            self.assertFalse({"LDL", "STL"} & {each.operation for each in code}, name)


if __name__ == "__main__":
    sass.main()
