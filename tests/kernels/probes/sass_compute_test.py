"""The timed regions of the probes issue, atomics and warp hold the instructions meant, so many of them, and nothing
else but loop control and the operands' counting that docs/probes/issue.md and docs/probes/atomics.md
name."""
import re
import unittest
from collections import Counter

import sass

LOOP_CONTROL = {"IADD3", "VIADD", "UIADD3", "ISETP", "BRA"}
# Between the clock and the loop, once: counters and constants.
MOST_BEFORE_LOOP = 20
ISSUE_BODY = 240  # issue_body in kernels/probes/issue.hpp
ATOMICS_BODY = 16  # atomics_body in kernels/probes/atomics.hpp
SUMS_BODY = 16  # sums_before in kernels/probes/warp_sum.hpp


def timed_loop(code):
    """The largest loop that lies between the clock reads as a whole, and the timed region."""
    region = sass.timed_region(code)
    inside = [body for body in sass.loops(region) if jump_target(body[-1]) >= region[0].address]
    return max(inside, key=len), region


def jump_target(branch):
    return int(re.search(r"0x([0-9a-f]+)", branch.operands).group(1), 16)


def uses(body, names):
    """How many instructions of the loop have each of the names; the rest by operation."""
    counted = Counter(each.opcode if each.opcode in names else each.operation for each in body)
    return {name: counted[name] for name in names}, set(counted) - set(names)


class Issue(unittest.TestCase):
    # In the order of enum Instruction.
    KINDS = ["FFMA", "DFMA", "HFMA2", "IADD3", "IMAD", "MUFU.EX2", "MUFU.RSQ", "LDS", "STS", "LDG.E.64", "FFMA DFMA"]

    @classmethod
    def setUpClass(cls):
        cls.kernels = {}
        for name, code in sass.kernels_of("issue.cu").items():
            kind, chains, steps = map(int, re.search(r"InstructionE(\d+)ELi(\d+)ELi(\d+)E", name).groups())
            cls.kernels[cls.KINDS[kind], chains, steps] = code

    def test_every_kind_is_compiled_for_every_number_of_independent_instructions(self):
        self.assertEqual(len(self.kernels), 10 * 6 + 4)

    def test_the_loop_holds_the_body_and_three_instructions_of_loop_control(self):
        for (kind, chains, steps), code in self.kernels.items():
            with self.subTest(kind=kind, chains=chains):
                body, region = timed_loop(code)
                names = kind.split()
                self.assertEqual(chains * steps * len(names), ISSUE_BODY)
                self.assertEqual(len(body), ISSUE_BODY + 3)
                counts, others = uses(body, names)
                for count in counts.values():
                    self.assertIn(count - ISSUE_BODY // len(names), (0, 1) if kind == "IADD3" else (0,))
                self.assertLessEqual(others, LOOP_CONTROL)
                self.assertLessEqual(len(region) - len(body), MOST_BEFORE_LOOP)

    def test_in_a_single_chain_each_instruction_reads_the_result_of_the_one_before(self):
        for (kind, chains, _), code in self.kernels.items():
            if chains != 1 or kind in ("STS", "FFMA DFMA"):
                continue
            with self.subTest(kind=kind):
                counting_down = re.compile("-0x1|0xffffffff")
                stream = [each for each in timed_loop(code)[0]
                          if kind in (each.opcode, each.operation) and not counting_down.search(each.operands)]
                self.assertEqual(len(stream), ISSUE_BODY)
                for one, other in zip(stream, stream[1:]):
                    self.assertIn(one.registers()[0], other.registers()[1:])

    def test_fp16x2_takes_both_of_its_pipes(self):
        for (kind, chains, _), code in self.kernels.items():
            if kind == "HFMA2":
                with self.subTest(chains=chains):
                    forms = Counter(each.opcode for each in timed_loop(code)[0] if each.operation == kind)
                    self.assertEqual(forms, {"HFMA2": ISSUE_BODY // 2, "HFMA2.MMA": ISSUE_BODY // 2})

    def test_nothing_spills(self):
        for key, code in self.kernels.items():
            self.assertFalse({"LDL", "STL"} & {each.operation for each in code}, key)


class Atomics(unittest.TestCase):
    OPERATIONS = ["ADD", "MIN", "MAX", "AND", "OR", "XOR"]  # in the order of enum AtomicOperation
    COUNTING = {"IADD3", "VIADD", "IMAD"}  # min and max go on from operand to operand

    @classmethod
    def setUpClass(cls):
        cls.kernels = {}
        for name, code in sass.kernels_of("atomics.cu").items():
            shared, operation, kind = re.search(r"AtomicMemoryE(\d)ELNS0_15AtomicOperationE(\d)E([jmfd])E", name).groups()
            cls.kernels[shared == "1", cls.OPERATIONS[int(operation)], kind] = code

    def check(self, code, opcode, operation):
        body, region = timed_loop(code)
        counts, others = uses(body, [opcode])
        self.assertEqual(counts[opcode], ATOMICS_BODY)
        counting = self.COUNTING if operation in ("MIN", "MAX") else set()
        self.assertLessEqual(others, LOOP_CONTROL | counting)
        most = 3 + ATOMICS_BODY * (1 + (2 if counting else 0))
        self.assertLessEqual(len(body), most)
        self.assertLessEqual(len(region) - len(body), MOST_BEFORE_LOOP)

    def test_every_case_is_compiled(self):
        self.assertEqual(len(self.kernels), 2 * (2 * 6 + 2))

    def test_updates_of_global_memory_are_one_instruction_each(self):
        types = {"j": "", "m": ".64", "f": ".F32.FTZ.RN", "d": ".F64.RN"}
        for (shared, operation, kind), code in self.kernels.items():
            if not shared:
                with self.subTest(operation=operation, kind=kind):
                    self.check(code, f"REDG.E.{operation}{types[kind]}.STRONG.GPU", operation)

    def test_32_bit_integer_updates_of_shared_memory_are_one_instruction_each(self):
        for (shared, operation, kind), code in self.kernels.items():
            if shared and kind == "j":
                with self.subTest(operation=operation):
                    self.check(code, f"ATOMS.{operation}", operation)

    def test_other_updates_of_shared_memory_are_loops_of_compare_and_swap(self):
        for (shared, operation, kind), code in self.kernels.items():
            if shared and kind != "j":
                with self.subTest(operation=operation, kind=kind):
                    body, _ = timed_loop(code)
                    swap = "ATOMS.CAST.SPIN" if kind == "f" else "ATOMS.CAST.SPIN.64"
                    counts, _ = uses(body, [swap])
                    self.assertEqual(counts[swap], ATOMICS_BODY)


class Warp(unittest.TestCase):
    # {method: the instruction that it stands for, and how many a sum over a warp has}; methods as in enum SumMethod
    METHODS = {0: ("SHFL.BFLY", 5), 1: ("LDS", 5), 2: ("REDUX.SUM.S32", 1)}

    def test_sums_over_a_warp_are_made_by_the_method_meant(self):
        for name, code in sass.kernels_of("warp_sum.cu").items():
            method, scope = map(int, re.search(r"SumMethodE(\d)ELNS0_8SumScopeE(\d)E", name).groups())
            if scope != 0 or method not in self.METHODS:
                continue
            with self.subTest(name=name):
                opcode, a_sum = self.METHODS[method]
                body, _ = timed_loop(code)
                counts, _ = uses(body, [opcode])
                self.assertEqual(counts[opcode], a_sum * SUMS_BODY)
                for other, _ in self.METHODS.values():
                    if other != opcode:
                        self.assertEqual(uses(body, [other])[0][other], 0)


if __name__ == "__main__":
    sass.main()
