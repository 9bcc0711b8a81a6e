# ReFrame tests: results of himeno and heat are right, and himeno's speed that of the same kind of GPU in our notes.
#
#   pip install reframe-hpc
#   reframe -c packaging/reframe -r --exec-policy=serial -S programs=$PWD/build/bin   on a GPU; anywhere, without
#   reference, with -S size=S -S iterations=20
import json
import os

import reframe as rfm
from reframe.core.exceptions import SanityError
from reframe.core.builtins import parameter, performance_function, run_after, run_before, sanity_function, variable

# Size XL, arrays in device memory: GFLOPS, and the fraction of the memory's limit (docs/lab/gpu-sweeps.md).
MEASURED = {
    "H100 80GB HBM3": {"single": (1818, 1.00), "temporal:3": (4628, 2.54), "temporal:4": (5078, 2.79)},
    "H200": {"single": (2571, 1.00), "temporal:3": (6240, 2.43), "temporal:4": (5333, 2.08)},
}


class Solver(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    programs = variable(str, value="")  # the folder of the programs; empty: on PATH
    size = variable(str, value="XL")
    iterations = variable(int, value=150)

    @run_before("run")
    def command(self):
        # It runs in a folder of its own.
        self.executable = os.path.join(os.path.abspath(self.programs), self.program) if self.programs else self.program
        self.executable_opts = ["--format", "json", "--quiet", "--repeat", "3", "--size", self.size,
                                "--iterations", str(self.iterations), *self.more]  # fmt: skip

    def output(self, stream):
        with open(os.path.join(self.stagedir, str(stream)), encoding="utf-8") as file:
            return file.read()

    def result(self):
        try:
            return json.loads(self.output(self.stdout))
        except ValueError:  # a refusal, the only line of which is on stderr; or the shell's about the program
            raise SanityError(self.output(self.stderr).strip() or f"{self.executable} printed no result") from None

    @sanity_function
    def verified(self):
        return self.result()["verified"] is True

    @performance_function("GFLOPS")
    def speed(self):
        return self.result()["mflops"] / 1000

    @performance_function("1")
    def fraction_of_limit(self):
        return self.result()["limit"]["fraction"]

    @performance_function("s")
    def time_in_all(self):
        return self.result()["total_seconds"]


@rfm.simple_test
class himeno(Solver):
    descr = "Himeno's Jacobi solver in device memory"
    program = "himeno"
    sweep = parameter(["single", "temporal:3", "temporal:4"])

    @run_after("init")
    def options(self):
        self.more = ["--sweep", self.sweep]

    @run_before("performance")
    def set_reference(self):
        if self.is_dry_run():
            return
        gpu = (self.result()["machine"]["gpu"] or {}).get("name", "")
        for name, speeds in MEASURED.items():
            if self.size == "XL" and gpu.endswith(name):
                gflops, fraction = speeds[self.sweep]
                self.reference = {"*": {"speed": (gflops, -0.05, None, "GFLOPS"),
                                        "fraction_of_limit": (fraction, -0.05, None, "1")}}  # fmt: skip


@rfm.simple_test
class heat(Solver):
    descr = "Diffusion in device memory"
    program = "memstencil-heat"
    more = []
