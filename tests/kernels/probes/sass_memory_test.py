"""The timed accesses to memory of the probes latency, shared, l2, link and copy are those meant, and nothing else is
between their clocks."""
import unittest

import sass

# What counts the turns of a loop and moves a loop's value to where the next turn wants it.
LOOP_CONTROL = {"IADD3", "VIADD", "UIADD3", "ISETP", "UISETP", "BRA", "MOV", "IMAD", "UMOV", "ULDC", "R2UR"}
UNROLL = 32  # chase_unroll in app/membench/probes/caches/latency_chase.cuh
POINTS = 32  # shared_points in app/membench/probes/block/shared.cu
IN_FLIGHT = 4  # in_flight in app/membench/core/transfer.cuh
LOAD, STORE = "LDG.E.128.STRONG.GPU", "STG.E.128"


def count(body, opcode):
    return sum(each.opcode == opcode for each in body)


class Latency(unittest.TestCase):
    # {kernel: opcode of its loads, part of their operands}
    CHASES = {"10GlobalPath": ("LDG.E.64", ""), "10PastL1Path": ("LDG.E.64.STRONG.GPU", ""),
              "11TexturePath": ("TLD.LZ", ""), "12ConstantPath": ("LDC", "c[0x3][R"), "chase_shared": ("LDS", "")}

    def check(self, code, opcode, operand):
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
        untimed = sass.loops(code[:code.index(region[0])])
        self.assertIn(1, [count(body, opcode) for body in untimed])
        # Before the loop only the kernel's parameters are fetched.
        before = [each for each in region if each not in bodies[0] and "c[0x0]" not in each.operands]
        self.assertLessEqual({each.operation for each in before}, LOOP_CONTROL)

    def test_each_chase_is_a_chain_of_its_loads(self):
        kernels = sass.kernels_of("latency.cu").items()
        for path, loads in self.CHASES.items():
            with self.subTest(path=path):
                (code,) = [each for name, each in kernels if "chase" in name.split("_cu_")[-1] and path in name]
                self.check(code, *loads)


class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = {name: code for name, code in sass.kernels_of("shared.cu").items() if "shared_loads" in name}

    def region(self, word, loads):
        """Word: "j" for 32 bits, "y" for 64."""
        (code,) = [code for name, code in self.kernels.items() if f"I{word}Li{loads}E" in name]
        return sass.timed_region(code)

    def test_all_combinations_are_there(self):
        self.assertEqual(len(self.kernels), 2 * (POINTS + 1))

    def test_the_clocks_enclose_as_many_loads_as_asked_for_and_one_comparison_that_waits_for_the_last(self):
        for word, opcode in (("j", "LDS"), ("y", "LDS.64")):
            self.assertEqual(self.region(word, 0), [], "two clock reads in a row")
            for number in range(1, POINTS + 1):
                with self.subTest(word=word, loads=number):
                    *loads, comparison = self.region(word, number)
                    self.assertEqual([each.opcode for each in loads], [opcode] * number)
                    self.assertEqual(comparison.operation, "ISETP")
                    self.assertTrue(comparison.waits >> loads[-1].barrier & 1)
                    self.assertIn(loads[-1].registers()[0], comparison.registers())
                    # One address, that no load overwrites.
                    self.assertEqual(len({each.operands.split("[")[1] for each in loads}), 1)
                    self.assertNotIn(loads[0].registers()[-1], [each.registers()[0] for each in loads])

    def test_nothing_spills(self):
        for name, code in self.kernels.items():
            self.assertFalse(sass.spills(code), name)


class Streams(unittest.TestCase):
    # In the order of enum StreamOperation: loads and stores of an access.
    OPERATIONS = [("read", 1, 0), ("write", 0, 1), ("copy", 1, 1), ("triad", 2, 1)]

    def test_the_loop_holds_all_loads_before_the_first_store_and_spills_nothing(self):
        for source, kernel, operations in (("transfer.cu", "stream_once", 3), ("l2.cu", "stream_passes", 4)):
            found = {name: code for name, code in sass.kernels_of(source).items() if kernel in name}
            self.assertEqual(len(found), operations)
            for number, (operation, loads, stores) in enumerate(self.OPERATIONS[:operations]):
                with self.subTest(kernel=kernel, operation=operation):
                    (code,) = [each for name, each in found.items() if f"StreamOperationE{number}E" in name]
                    opcodes = [[each.opcode for each in body] for body in sass.loops(code)]
                    orders = [[each for each in body if each in (LOAD, STORE)] for body in opcodes]
                    meant = [LOAD] * IN_FLIGHT * loads + [STORE] * IN_FLIGHT * stores
                    self.assertEqual([order for order in orders if sorted(order) == sorted(meant)], [meant])
                    self.assertFalse(sass.spills(code))


class Lines(unittest.TestCase):
    # In the order of enum L2Access.
    ACCESSES = ["ATOMG.E.ADD.STRONG.GPU", "LDG.E.STRONG.GPU", "LDG.E.STRONG.GPU"]

    def test_each_repeat_has_its_access_between_two_clocks_and_waits_for_it(self):
        kernels = sass.kernels_of("l2_halves.cu")
        self.assertEqual(len(kernels), 3)
        for name, code in kernels.items():
            (opcode,) = [each for n, each in enumerate(self.ACCESSES) if f"L2AccessE{n}E" in name]
            with self.subTest(name=name):
                bodies = [body for body in sass.loops(code) if sum(each.reads_clock() for each in body) == 2]
                between = sass.timed_region(min(bodies, key=len))
                self.assertEqual(count(between, opcode), 1)
                self.assertIn("EXIT", {each.operation for each in between})


if __name__ == "__main__":
    sass.main()
