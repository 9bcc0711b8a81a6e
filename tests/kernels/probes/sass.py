"""What nvcc made of a kernel: its machine instructions, the part between two clock reads, and the loops in it.

Scripts that use this are run as SCRIPT CUOBJDUMP OBJECT..., where the objects are those of app_membench; they
end with `sass.main()`.
"""
import os
import re
import subprocess
import sys
import unittest
from dataclasses import dataclass

SKIPPED = 77
LINE = re.compile(r"\s*/\*([0-9a-f]+)\*/\s+(@!?U?P[0-9T]+ )?\s*([A-Z0-9_.]+)(.*?);\s*/\* 0x([0-9a-f]{16}) \*/")
ENCODING = re.compile(r"\s*/\* 0x([0-9a-f]{16}) \*/")


@dataclass
class Instruction:
    address: int
    predicate: str  # "@!P0", or nothing
    opcode: str  # "LDG.E.64"
    operands: str
    barrier: int  # scoreboard that its result sets, or 7: none
    waits: int  # a bit for each scoreboard that it waits for

    @property
    def operation(self):
        """The opcode without its modifiers: "LDG"."""
        return self.opcode.split(".")[0]

    def registers(self):
        """Its registers in order: the destination first, where it has one."""
        return re.findall(r"\bR[0-9]+\b", self.operands)

    def reads_clock(self):
        return "SR_CLOCK" in self.operands


def _instruction(match, encoding):
    # The scheduling bits of Volta and later: 4 of stall, 1 of yield, 3 of write barrier, 3 of read barrier, 6 of wait,
    # from bit 105 of 128 on (Jia et al., Dissecting the NVIDIA Volta GPU Architecture, 2018, section 2.1).
    bits = int(encoding, 16) >> (105 - 64)
    address, predicate, opcode, operands, _ = match.groups()
    return Instruction(int(address, 16), (predicate or "").strip(), opcode, operands.strip(), bits >> 5 & 7,
                       bits >> 11 & 63)


def parse(text):
    """{mangled name: [Instruction]} of what cuobjdump -sass prints."""
    kernels, instructions, pending = {}, None, None
    for line in text.splitlines():
        if "Function : " in line:
            instructions = kernels.setdefault(line.split("Function : ")[1].strip(), [])
        elif (match := LINE.match(line)) and instructions is not None:
            pending = match
        elif pending and (match := ENCODING.match(line)):
            instructions.append(_instruction(pending, match.group(1)))
            pending = None
    return kernels


def kernels_of(source):
    """The kernels of an object file by the name of its source: "latency.cu"."""
    cuobjdump, *objects = sys.argv[1:]
    found = [path for path in objects if os.path.basename(path).startswith(source + ".")]
    if len(found) != 1:
        raise ValueError(f"no object of {source} among {objects}")
    run = subprocess.run([cuobjdump, "-sass", found[0]], capture_output=True, text=True, check=True)
    return parse(run.stdout)


def timed_region(instructions):
    """What stands between the first two clock reads."""
    reads = [n for n, each in enumerate(instructions) if each.reads_clock()]
    if len(reads) < 2:
        raise ValueError("there are no two clock reads")
    return instructions[reads[0] + 1:reads[1]]


def loops(region):
    """The bodies of the loops: from the target of each branch backwards to that branch."""
    bodies = []
    for n, each in enumerate(region):
        if each.operation != "BRA":
            continue
        target = int(re.search(r"0x([0-9a-f]+)", each.operands).group(1), 16)
        if target <= each.address:
            bodies.append([one for one in region[:n + 1] if one.address >= target])
    return bodies


def spills(instructions):
    """Its accesses to local memory, where registers go that the kernel has not."""
    return [each for each in instructions if each.operation in ("LDL", "STL")]


def main():
    cuobjdump = sys.argv[1]
    if not os.path.exists(cuobjdump):
        print("skipped: cuobjdump is not beside nvcc and not on PATH (with nvdisasm it is in CUDA's toolkit, and "
              "with pip in nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm)")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1], verbosity=2)
