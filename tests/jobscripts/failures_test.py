# What the job scripts say of runs that fail, and the verdicts and warnings of the first step.
import pathlib
import shutil
import subprocess
import time
import unittest

from jobs import Jobs


class Failures(Jobs):
    def test_interrupted_job_goes_on(self):
        self.rules("--memspace system=1 out of luck")
        code, said = self.local("node", MATRIX_SIZES="64+128", SPACES="device", SIZE="S", ITERATIONS="3")
        self.assertEqual((code, "FAILED: thesis-system: exit 1" in said), (1, True), said)
        here = self.results()
        self.assertEqual(sorted(pathlib.Path(each).stem for each in here), [
            "links", "membench", "migration", "patterns", "thesis-device", "thesis-managed", "thesis-managed-pre-touched",
            "transpose-128", "transpose-128-device", "transpose-128-double", "transpose-64"])
        self.assertIn("himeno --size S --iterations 3 --first-touch host --memspace managed --pre-touch device", said)
        (self.bin / "runs").unlink()
        self.rules()
        code, said = self.local("thesis", "membench", SIZE="S", ITERATIONS="3")
        self.assertEqual((code, len(self.runs()), len(self.results())), (0, 2, len(here) + 2), said)

    def test_endless_ranks_end_the_job(self):
        self.rules("--memspace managed=124 ended")
        code, said = self.local("thesis")
        self.assertEqual((code, said.count(": ended after 900 s")), (1, 2), said)
        self.assertIn("results/here/thesis-system.h5", self.results())
        code, said = self.local("strong", RANKS="2", SWEEPS="single", SPACES="device+managed+system")
        self.assertEqual((code, said.count("== strong-2-")), (1, 2), said)

    def test_killed_ranks_end_their_run_alone(self):
        self.rules("--memspace managed=137 killed", "--memspace device=14 disconnected")
        code, said = self.local("strong", RANKS="2", SWEEPS="single", SPACES="managed+device+system")
        self.assertIn("FAILED: strong-2-managed-single: killed, perhaps out of memory (exit 137)\n"
                      "FAILED: strong-2-device-single: a rank was lost, perhaps out of memory (exit 14)\n", said)  # fmt: skip
        self.assertEqual((code, "results/here/strong-2-transpose.h5" in self.results()), (1, True))

    def test_codes_that_hydra_ors_are_no_refusal(self):
        # mpirun of MPICH 5.0.2 under Slurm 22.05, two nodes, a rank each. For a crash the line is that of Intel MPI 2021.18,
        # mpirun -np 2 bash -c 'kill -SEGV $$'.
        self.command("mpirun", """[[ $1 != --version ]] || exec echo HYDRA build details:
[[ " $* " == *" -print-all-exitcodes "* ]] && while [[ $1 != env ]]; do shift; done
PMI_RANK=0 "$@"; first=$?; PMI_RANK=1 "$@"; second=$?
((first != 137)) || { echo "=   EXIT CODE: 9"; exit 255; }
((first != 139)) || { echo "=   KILLED BY SIGNAL: 11 (Segmentation fault)"; exit 255; }
echo "[mpiexec@node1] Exit codes: [node1] $((256 * first))"; echo "[node2] $((256 * second))"; exit $((first | second))\n""")
        for codes, said_of_them in (("1 2", "FAILED: exchange-2: exit 1\n"), ("2 1", "FAILED: exchange-2: exit 1\n"),
                                    ("3 3", "-- exchange-2: refused"), ("3 0", "-- exchange-2: refused"),
                                    ("4 4", "FAILED: exchange-2: exit 4\n"),
                                    ("137 0", "FAILED: exchange-2: killed, perhaps out of memory (exit 137)\n"),
                                    ("139 0", "FAILED: exchange-2: signal SEGV (exit 139)\n")):
            self.command("membench", f"codes=({codes}); exit ${{codes[PMI_RANK]}}\n", self.checkout / "build/bin")
            code, said = self.local("exchange", RANKS="2")
            self.assertIn(said_of_them, said)
            self.assertEqual(code, int(said_of_them.startswith("FAILED")))

    def test_crash_is_one_line_that_names_its_place(self):
        frames = ["[n:7] *** Process received signal ***", "[n:7] Signal: Segmentation fault (11)",
                  "[n:7] [ 0] /lib/libc.so.6(+0x3c050)[0x7f]", "[n:7] [ 1] /lib/openmpi3/mca_btl_tcp.so(+0x7)[0x7f]",
                  "[n:7] [ 2] /lib/openmpi3/mca_btl_tcp.so(+0x9)[0x7f]", "[n:7] [ 3] /lib/libmpi.so.40(MPI_Init+0x5d)[0x7f]"]
        self.command("himeno", "".join(f"echo '{line}' >&2\n" for line in frames) + "exit 139\n", self.checkout / "build/bin")
        said = self.local("check")[1]
        self.assertIn("memory device                        failed   signal SEGV (exit 139): mca_btl_tcp.so MPI_Init\n", said)
        self.assertIn("FAILED: thesis-device: signal SEGV (exit 139)\n", self.local("thesis")[1])

    def test_failures_are_named_after_a_refusal(self):
        self.rules("--memspace system=1 out of luck")
        (self.checkout / "build/bin/transpose").unlink()
        code, said = self.local("thesis", "transpose")
        self.assertEqual(code, 2)
        self.assertIn("measure.sh: no transpose in build/bin", said)
        self.assertEqual(said.count("\nFAILED: thesis-system"), 2, said)

    def test_failures_are_named_after_qdel(self):
        self.rules("--memspace device=1 out of luck", "--memspace managed=endless")
        path = self.folder / "log"
        with open(path, "w", encoding="utf-8") as log:
            job = subprocess.Popen(["jobscripts/local.sh", "thesis"], cwd=self.checkout, stdout=log, env={
                **self.environment(), "SITE": "here", "PRESET": "openmp"})  # fmt: skip
        while not any("--memspace managed" in run for run in self.runs()):
            time.sleep(0.1)
        job.terminate()
        self.assertEqual(job.wait(timeout=600), 143)
        self.assertEqual(path.read_text().splitlines()[-2:], ["FAILED: thesis-device: exit 1",
                                                              "FAILED: thesis-managed: the job was ended from outside"])

    def test_a_signal_that_comes_here_after_mpirun_was_ended_is_no_exit_1(self):
        (self.bin / "sleep").unlink()
        for signal in ("TERM", "INT", "HUP"):
            self.command("himeno", f"(sleep 0.3; kill -{signal} $(cat $STAND_INS/job)) & exit 1\n", self.checkout / "build/bin")
            code, said = self.run_command("bash", "-c", "echo $$ >$STAND_INS/job; exec jobscripts/local.sh thesis",
                                          SITE="here", PRESET="openmp")
            self.assertEqual((code, said.splitlines()[-1]), (143, "FAILED: thesis-device: the job was ended from outside"))
            self.assertNotIn("exit 1", said)

    def test_check_gives_verdicts(self):
        self.rules("--memspace system=3 no HMM", "--halo nccl=3 no NCCL here", "--halo peer=4 rank 1: 3 points differ",
                   "--halo staged=124 ended", "--memspace managed=1 crash", "--memspace host-pinned=137 killed")
        code, said = self.local("check", RANKS="2", PRESET="cuda")
        verdicts = {line[:36].strip(): " ".join(line[36:].split()) for line in said.splitlines()}
        self.assertEqual(code, 1, said)
        for what, verdict in {"memory device": "served", "memory system": "refused himeno: no HMM",
                              "messages by nccl on 1 nodes": "refused himeno: no NCCL here",
                              "messages by peer on 1 nodes": "wrong himeno: rank 1: 3 points differ",
                              "messages by staged on 1 nodes": "failed ended after 60 s: himeno: ended",
                              "messages of managed on 1 nodes": "failed exit 1: himeno: crash",
                              "memory host-pinned": "failed killed, perhaps out of memory (exit 137): himeno: killed"}.items():
            self.assertEqual(verdicts.get(what), verdict, said)
            self.assertEqual(f"FAILED: {what}: " in said, verdict.startswith(("wrong", "failed")), said)
        self.assertIn("device pointers by MPI: served on 1 nodes\n", said)
        self.assertIn("device pointers by MPI: not known, it takes two GPUs", self.local("check", PRESET="cuda")[1])
        self.assertNotIn("device pointers", self.local("check")[1])

    def test_steps_of_the_paper_have_four_times_as_long(self):
        text = 'sleep 1.2; while (($#)); do [[ $1 != --output ]] || touch "$2"; shift; done\n'
        self.command("membench", text, self.checkout / "build/bin")
        self.assertEqual(self.local("links", LIMIT="1")[0], 0)
        self.assertEqual(self.results(), ["results/here/links.h5"])
        code, said = self.local("membench", LIMIT="1")
        self.assertEqual((code, "FAILED: membench: ended after 1 s" in said), (1, True), said)

    def test_check_shows_the_first_paragraph_of_a_launcher(self):
        message = ["[node2:7] OPAL ERROR: Unreachable in file x.c", "------", "The application was started", "  by srun, and MPI", "knows nothing of it.", "", "Configure as needed."]
        self.command("himeno", "".join(f"echo '{line}'\n" for line in message) + "exit 1\n", self.checkout / "build/bin")
        code, said = self.local("check")
        self.assertIn("failed   exit 1: The application was started by srun, and MPI knows nothing of it. \n", said)
        self.assertEqual((code, said.count("FAILED: memory device: failed\n")), (1, 1))

    def test_refusals(self):
        def refused(says, answer):
            self.assertEqual(answer[0], 2, answer[1])
            self.assertIn("measure.sh: " + says, answer[1].splitlines()[-1])
            self.assertEqual(self.runs(), [])

        refused("no step 'thsis': there are check build", self.local("thsis"))
        refused("name a step", self.local())
        refused("a job script starts it", self.run_command("jobscripts/measure.sh", "check", SITE="here", PRESET="openmp"))
        self.command("nvidia-smi", "exit 9\n")
        refused("no GPU in this job: ask for one", self.submit("pegasus", "membench"))
        shutil.rmtree(self.checkout / "build")
        refused("no himeno in build/bin: run the step build first, or set BIN", self.local("thesis"))
        code, said = self.run_command("qsub", "-v", "STEPS=check", "jobscripts/pegasus.sh")
        self.assertNotEqual(code, 0)
        self.assertIn("NQSV_MPI_VER: name it in -v", said.splitlines()[-1])

    def test_gpu_memory_that_the_driver_keeps_is_named(self):
        """In a namespace that has the files of a Grace Hopper."""
        inside = ["unshare", "--map-root-user", "--mount", "bash", "-ec"]
        if subprocess.run([*inside, "mount -t tmpfs tmpfs /proc/driver"], check=False, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("this machine gives no namespaces")
        self.command("nvidia-smi", """[[ $1 == -L ]] && echo "GPU 0: a GPU" || echo "    GPU C2C Mode : $C2C"\n""")
        mount = """mount -t tmpfs tmpfs /proc/driver; mount -t tmpfs tmpfs /sys/devices/system/node; mkdir /proc/driver/nvidia
            echo "CoherentGPUMemoryMode: $MODE" >/proc/driver/nvidia/params
            echo 0 >/sys/devices/system/node/has_cpu; echo $MEMORY >/sys/devices/system/node/has_memory
            jobscripts/local.sh check"""
        for memory, mode, c2c, line, warned in (
                ("0-1", "numa", "Enabled", "CoherentGPUMemoryMode: numa; NUMA nodes with memory 0-1, with CPUs 0\n", False),
                ("0-1", "", "Enabled", "CoherentGPUMemoryMode: of the driver; NUMA nodes with memory 0-1, with CPUs 0\n", False),
                ("0", "driver", "Enabled", "CoherentGPUMemoryMode: driver; NUMA nodes with memory 0, with CPUs 0\n", True),
                ("0", "", "Disabled", "", False)):
            code, said = self.run_command(*inside, mount, MODE=mode, MEMORY=memory, C2C=c2c, SITE="here", PRESET="cuda")
            self.assertEqual((code, "nothing migrates to it, unlike in the thesis" in said), (0, warned), said)
            self.assertIn(line, said)
            self.assertEqual("CoherentGPUMemoryMode" in said, bool(line), said)

    def test_work_of_others_is_named(self):
        self.command("ps", 'echo "somebody 99.5 quantum"; echo "$(id -un) 99.5 mine"; echo "root 0.1 systemd"\n')
        said = self.local("membench")[1]
        self.assertEqual([line for line in said.splitlines() if "WARNING" in line],
                         ["WARNING: others work here: somebody 99.5 quantum"])


if __name__ == "__main__":
    unittest.main()
