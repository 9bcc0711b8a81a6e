"""The streams over arrays, of which each element is accessed once or a footprint again and again, keep several accesses
under way, and the timed accesses to lines stay between their clocks."""
import unittest

import sass

IN_FLIGHT = 4  # in_flight in app/membench/core/streams.cuh
LOAD, STORE = "LDG.E.128.STRONG.GPU", "STG.E.128"


def count(body, opcode):
    return sum(each.opcode == opcode for each in body)


class Streams(unittest.TestCase):
    # In the order of enum StreamOperation: loads and stores of an access.
    OPERATIONS = [("read", 1, 0), ("write", 0, 1), ("copy", 1, 1), ("triad", 2, 1)]

    def kernels(self):
        """Name, operation's number and code of the kernels of links and copies, then of l2."""
        for source, kernel, operations in (("transfer.cu", "stream_once", 3), ("l2.cu", "stream_passes", 4)):
            found = {name: code for name, code in sass.kernels_of(source).items() if kernel in name}
            self.assertEqual(len(found), operations)
            for number in range(operations):
                (code,) = [each for name, each in found.items() if f"StreamOperationE{number}E" in name]
                yield f"{kernel} {self.OPERATIONS[number][0]}", number, code

    def test_the_loop_holds_all_loads_before_the_first_store(self):
        for name, number, code in self.kernels():
            with self.subTest(kernel=name):
                _, loads, stores = self.OPERATIONS[number]
                bodies = [body for body in sass.loops(code) if count(body, LOAD) == IN_FLIGHT * loads
                          and count(body, STORE) == IN_FLIGHT * stores and count(body, LOAD) + count(body, STORE)]
                self.assertEqual(len(bodies), 1)
                order = [each.opcode for each in bodies[0] if each.opcode in (LOAD, STORE)]
                self.assertEqual(order, [LOAD] * IN_FLIGHT * loads + [STORE] * IN_FLIGHT * stores)

    def test_nothing_spills(self):
        for name, _, code in self.kernels():
            self.assertFalse({"LDL", "STL"} & {each.operation for each in code}, name)


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
                body = min(bodies, key=len)
                begin, end = [n for n, each in enumerate(body) if each.reads_clock()]
                between = body[begin + 1:end]
                self.assertEqual(count(between, opcode), 1)
                self.assertIn("EXIT", {each.operation for each in between})


if __name__ == "__main__":
    sass.main()
