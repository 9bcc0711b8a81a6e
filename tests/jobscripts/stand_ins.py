#!/usr/bin/env python3
# Stands for the commands of a site, each by the name that it is called by: schedulers, launchers, modules, programs.
# A scheduler runs a copy of the job script with what the real one would set, and nothing else of the submitting shell.
# PBS does what OpenPBS 23.06.06 did with two nodes (2026-11-26), where the command stands beside it; Slurm's own is
# tests/hosts/slurm_test.py. A launcher starts the first rank here and the others as on other nodes, which have nothing that a job exports.
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.environ["STAND_INS"]
NAME, WORDS = os.path.basename(sys.argv[0]), sys.argv[1:]
KEPT = ("PATH", "HOME", "STAND_INS", "OTHER_NODES")


def log(**said):
    with open(os.path.join(HERE, "log"), "a", encoding="utf-8") as file:
        file.write(json.dumps(said) + "\n")


def options(words):
    """{"-q": "gen_S", "-l walltime": ..., "--nodes": ...} and the words behind them."""
    given, words = {}, list(words)
    while words and words[0].startswith("-"):
        name, _, value = words.pop(0).partition("=")
        if not name.startswith("--"):
            value = words.pop(0)
            name += " " + value.split("=")[0] if name == "-l" else ""
        given[name] = value
    return given, words


def variables(text):
    """Of -v; the last one alone counts. qsub -v 'A=1,B="c,d e"': B is c,d e. qsub -v B=c,d: refused, as here."""
    given = {}
    for name, quoted, plain in re.findall(r'(\w+)(?:="([^"]*)"|=([^,]*)|)(?:,|$)', text):
        given[name] = quoted or plain
        if f"{name}=" not in text:
            sys.exit("qsub: cannot send environment with the job")
    return given


def submit():
    given, (script, *arguments) = options(WORDS)
    mark, asked = "#SBATCH" if NAME == "sbatch" else "#PBS", {}
    with open(script, encoding="utf-8") as file:
        text = file.read()
    for line in text.splitlines():
        if line.startswith(mark + " "):
            asked.update(options(shlex.split(line[len(mark):]))[0])
        elif line and not line.startswith("#"):
            break
    asked.update(given)
    log(submitted=asked)
    here, passed = os.getcwd(), dict(os.environ)
    if NAME == "sbatch":
        passed.update(SLURM_SUBMIT_DIR=here, SLURM_JOB_ID="42", SLURM_JOB_NUM_NODES=asked["--nodes"],
                      SLURM_CPUS_ON_NODE="144",
                      SLURM_NTASKS_PER_NODE=asked["--ntasks-per-node"])
    else:
        passed = {name: os.environ[name] for name in KEPT if name in os.environ}
        passed.update(PBS_O_WORKDIR=here, PBS_JOBID="0:42.nqsv" if "-b" in asked else "42.opbs")
        passed.update(variables(asked.get("-v", "")))
        os.umask(0o077)  # the job's `umask`; the log (qsub -j oe) had mode 0600, too
        if "-b" in asked:
            passed["NQSV_MPIOPTS"] = "--nqsv-nodes " + asked["-b"]
        else:
            nodes, *more = asked["-l select"].removeprefix("select=").split(":")
            each = dict(pair.split("=") for pair in more)
            passed["PBS_NODEFILE"] = os.path.join(HERE, "nodes")
            # qsub -l select=1 and `env` in the job: both are set, to 1.
            passed["NCPUS"] = each.get("ncpus", "1")
            passed["OMP_NUM_THREADS"] = each.get("ompthreads", passed["NCPUS"])
            # qsub -l select=2:mpiprocs=1 and cat $PBS_NODEFILE: one node, twice. With -l place=scatter two nodes.
            apart = asked.get("-l place") == "place=scatter"
            with open(passed["PBS_NODEFILE"], "w", encoding="utf-8") as file:
                file.writelines(f"node{n + 1 if apart else 1}\n" for n in range(int(nodes)))
    spooled = os.path.join(HERE, "spooled")
    with open(spooled, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(spooled, 0o755)
    os.chdir("/")
    os.execve(spooled, [spooled, *arguments], passed)


def launch():
    words, ranks = list(WORDS), 1
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word == "--version":
            return print("mpirun (Open MPI) 4.1.4")
        if word == "--nqsv-nodes" and "-np" not in words:
            ranks = int(words[0])
        if word in ("-np", "--map-by", "--bind-to", "--nqsv-nodes", "--hostfile"):
            value = words.pop(0)
            ranks = int(value) if word == "-np" else ranks
        ranks = int(word.removeprefix("--ntasks=")) if word.startswith("--ntasks=") else ranks
    if words[0] == "hostname":
        return print("\n".join(f"node{n + 1}" for n in range(ranks)))
    log(launched=" ".join([NAME, *WORDS]), ranks=ranks)
    if real := os.environ.get("OTHER_NODES"):  # of imitated hosts: the beginning of a real mpirun
        # Each run for itself: the daemon of the one before may still be removing a common folder.
        os.environ["OMPI_MCA_orte_tmpdir_base"] = tempfile.mkdtemp(dir=HERE)
        os.execvp("bash", ["bash", "-c", f'exec {real} -np {ranks} "$@"' if ranks > 1 else 'exec "$@"', "-", *words])
    far = {name: os.environ[name] for name in KEPT if name in os.environ}
    sys.exit(max(subprocess.run(words, env=far if n else None, check=False).returncode for n in range(ranks)))


if __name__ == "__main__":
    {"qsub": submit, "sbatch": submit, "mpirun": launch, "srun": launch,
     "ompi_info": lambda: print("MCA plm: tm" if os.environ.get("TM", "1") == "1" else "MCA plm: rsh")}.get(NAME, lambda: log(called=[NAME, *WORDS]))()
