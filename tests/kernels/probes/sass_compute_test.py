"""The timed regions of the probes issue, atomics, warp and block hold the instructions meant, and nothing else but loop
control and the operands' counting that docs/probes/instructions.md and docs/probes/block.md name."""
import re
import unittest
from collections import Counter

import sass

LOOP_CONTROL = {"IADD3", "VIADD", "UIADD3", "ISETP", "BRA"}
OF_PATHS = {"IMAD", "MOV", "BSSY", "BSYNC"}  # of divergent warps
# Between the clock and the loop, once: counters and constants.
MOST_BEFORE_LOOP = 20
ISSUE_BODY = 480  # issue_body in app/membench/probes/instructions/issue.cu
MIX_LEAD = 5  # MixedChain::lead in app/membench/probes/instructions/issue_chains.cuh
ATOMICS_BODY = 16  # atomics_body in app/membench/probes/block/atomics.cu
SUMS_BODY = 16  # sums_before in app/membench/probes/instructions/warp.cu
BARRIERS, STEPS, ACCESSES = 32, 512, 16  # barrier_body, path_body, stride_body in app/membench/probes/block/block.cu


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
    # The instructions of a step of each chain.
    KINDS = {"Fp32Fma": "FFMA", "Fp64Fma": "DFMA", "Fp16x2Fma": "HFMA2", "Int32Add": "IADD3", "Int32Mad": "IMAD",
             "Exp2": "MUFU.EX2", "Rsqrt": "MUFU.RSQ", "SharedLoad": "LDS", "SharedStore": "STS", "L1Load": "LDG.E.64",
             "Fp32AndFp64": "FFMA DFMA", "Fp32AndSharedLoad": 3 * "FFMA " + "LDS",
             "Fp32AndRsqrt": 7 * "FFMA " + "MUFU.RSQ", "ShuffleIdx": "SHFL.IDX", "ShuffleUp": "SHFL.UP",
             "ShuffleDown": "SHFL.DOWN", "ShuffleXor": "SHFL.BFLY"}

    @classmethod
    def setUpClass(cls):
        cls.kernels = {}
        for name, code in sass.kernels_of("issue.cu").items():
            kind, chains, steps = re.search(r"issueINS\d?_\d+([A-Z]\w*?)ELi(\d+)ELi(\d+)E", name).groups()
            cls.kernels[cls.KINDS[kind], int(chains), int(steps)] = code

    def test_every_kind_is_compiled_for_every_number_of_independent_instructions(self):
        # Mixes of 2, 4 and 8 instructions for the multiples of these.
        self.assertEqual(len(self.kernels), 14 * 6 + 4 + 2 + 1)

    def test_the_loop_holds_the_body_and_three_instructions_of_loop_control(self):
        for (kind, chains, steps), code in self.kernels.items():
            with self.subTest(kind=kind, chains=chains):
                body, region = timed_loop(code)
                step = Counter(kind.split())
                self.assertEqual(chains * steps * step.total(), ISSUE_BODY)
                self.assertEqual(len(body), ISSUE_BODY + 3)
                counts, others = uses(body, list(step))
                for name, count in counts.items():
                    self.assertIn(count - ISSUE_BODY // step.total() * step[name], (0, 1) if kind == "IADD3" else (0,))
                self.assertLessEqual(others, LOOP_CONTROL)
                self.assertLessEqual(len(region) - len(body), MOST_BEFORE_LOOP)

    def test_in_a_single_chain_each_instruction_reads_the_result_of_the_one_before(self):
        for (kind, chains, _), code in self.kernels.items():
            if chains != 1 or kind == "STS" or " " in kind:
                continue
            with self.subTest(kind=kind):
                counting_down = re.compile("-0x1|0xffffffff")
                stream = [each for each in timed_loop(code)[0]
                          if kind in (each.opcode, each.operation) and not counting_down.search(each.operands)]
                self.assertEqual(len(stream), ISSUE_BODY)
                for one, other in zip(stream, stream[1:]):
                    self.assertIn(one.registers()[0], other.registers()[1:])

    def test_mixes_with_loads_and_roots_are_mixed_throughout(self):
        for (kind, chains, _), code in self.kernels.items():
            step = kind.split()
            if len(step) > 2:
                with self.subTest(kind=kind, chains=chains):
                    stream = [each.opcode for each in timed_loop(code)[0] if each.opcode in step]
                    others = [n for n, opcode in enumerate(stream) if opcode == step[-1]]
                    ends = [0, *others, len(stream)]
                    most = MIX_LEAD * chains * len(step)
                    self.assertLessEqual(max(b - a for a, b in zip(ends, ends[1:])), most)

    def test_fp16x2_takes_both_of_its_pipes(self):
        for (kind, chains, _), code in self.kernels.items():
            if kind == "HFMA2":
                with self.subTest(chains=chains):
                    forms = Counter(each.opcode for each in timed_loop(code)[0] if each.operation == kind)
                    self.assertEqual(forms, {"HFMA2": ISSUE_BODY // 2, "HFMA2.MMA": ISSUE_BODY // 2})

    def test_nothing_spills(self):
        for key, code in self.kernels.items():
            self.assertFalse(sass.spills(code), key)


class Atomics(unittest.TestCase):
    # In the order of enum AtomicOperation.
    OPERATIONS = ["ADD", "MIN", "MAX", "AND", "OR", "XOR"]
    COUNTING = {"IADD3", "VIADD", "IMAD"}  # min and max go on from operand to operand

    @classmethod
    def setUpClass(cls):
        cls.kernels = {}
        for name, code in sass.kernels_of("atomics.cu").items():
            case = re.search(r"atomicsILb(\d)ELNS\d?_15AtomicOperationE(\d)E([jmfd])E", name)  # of global memory?
            if case:
                cls.kernels[case[1] == "0", cls.OPERATIONS[int(case[2])], case[3]] = code

    def check(self, code, opcode, operation):
        body, region = timed_loop(code)
        counts, others = uses(body, [opcode])
        self.assertEqual(counts[opcode], ATOMICS_BODY)
        counting = self.COUNTING if operation in ("MIN", "MAX") else set()
        self.assertLessEqual(others, LOOP_CONTROL | counting)
        self.assertLessEqual(len(body), 3 + ATOMICS_BODY * (1 + (2 if counting else 0)))
        self.assertLessEqual(len(region) - len(body), MOST_BEFORE_LOOP)

    def test_every_case_is_compiled(self):
        self.assertEqual(len(self.kernels), 2 * (2 * 6 + 2))

    def test_updates_are_one_instruction_each_or_loops_of_compare_and_swap(self):
        types = {"j": "", "m": ".64", "f": ".F32.FTZ.RN", "d": ".F64.RN"}
        for (shared, operation, kind), code in self.kernels.items():
            with self.subTest(shared=shared, operation=operation, kind=kind):
                if not shared:
                    self.check(code, f"REDG.E.{operation}{types[kind]}.STRONG.GPU", operation)
                elif kind == "j":
                    self.check(code, f"ATOMS.{operation}", operation)
                else:
                    swap = "ATOMS.CAST.SPIN" if kind == "f" else "ATOMS.CAST.SPIN.64"
                    self.assertEqual(uses(timed_loop(code)[0], [swap])[0], {swap: ATOMICS_BODY})


class Warp(unittest.TestCase):
    # {method: the instruction that it stands for, and how many a sum over a warp has}; methods as in enum SumMethod
    METHODS = {0: ("SHFL.BFLY", 5), 1: ("LDS", 5), 2: ("REDUX.SUM.S32", 1)}

    def test_sums_over_a_warp_are_made_by_the_method_meant(self):
        found = ((re.search(r"SumMethodE(\d)ELj32E", name), code) for name, code in sass.kernels_of("warp.cu").items())
        kernels = [(int(case[1]), code) for case, code in found if case]
        self.assertEqual(len(kernels), 5)  # of two types; hardware sums integers alone
        for method, code in kernels:
            with self.subTest(method=method):
                meant = {opcode: a_sum * SUMS_BODY * (each == method) for each, (opcode, a_sum) in self.METHODS.items()}
                self.assertEqual(uses(timed_loop(code)[0], list(meant))[0], meant)


class Block(unittest.TestCase):
    # {part of the kernel's name: the timed operation, how many of it and of others a loop has, operations of others}
    LOOPS = {"barriers": ("BAR", BARRIERS, 3, LOOP_CONTROL), "paths": ("IMAD", STEPS, 8, LOOP_CONTROL | OF_PATHS),
             "stridesILb0E": ("LDS", ACCESSES, ACCESSES, LOOP_CONTROL | OF_PATHS),
             "stridesILb1E": ("STS", ACCESSES, ACCESSES, LOOP_CONTROL | OF_PATHS)}

    def test_the_smallest_loop_with_as_many_of_the_operation_has_few_others(self):
        kernels = sass.kernels_of("block.cu")
        for name, (operation, number, most, others) in self.LOOPS.items():
            with self.subTest(kernel=name):
                (code,) = [each for mangled, each in kernels.items() if name in mangled]
                bodies = [Counter(each.operation for each in body) for body in sass.loops(sass.timed_region(code))]
                body = min((body for body in bodies if body[operation] == number), key=Counter.total)
                self.assertLessEqual(body.total() - number, most)
                self.assertLessEqual(set(body), others | {operation})


if __name__ == "__main__":
    sass.main()
