# Stands for qsub and sbatch, by the name in the first word: runs a copy of the job script with the variables that the real
# one would set, and nothing else of the submitting shell. PBS does what OpenPBS 23.06.06 did with two nodes (2026-11-26),
# where the command stands in a comment; Slurm's own is tests/hosts/slurm_test.py.
import json
import os
import re
import shlex
import sys

HERE = os.environ["STAND_INS"]
NAME, WORDS = sys.argv[1], sys.argv[2:]


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


def of_pbs(asked):
    """The variables of a job of PBS, or of NQSV, which has -b."""
    given = {name: os.environ[name] for name in ("PATH", "HOME", "STAND_INS")}
    given |= {"PBS_O_WORKDIR": os.getcwd(), **variables(asked.get("-v", ""))}
    if "-b" in asked:
        return given | {"PBS_JOBID": "0:42.nqsv", "NQSV_MPIOPTS": "--nqsv-nodes " + asked["-b"]}
    nodes, *more = asked["-l select"].removeprefix("select=").split(":")
    each = dict(pair.split("=") for pair in more)
    # qsub -l select=2:mpiprocs=1 and cat $PBS_NODEFILE: one node, twice. With -l place=scatter two nodes.
    apart = asked.get("-l place") == "place=scatter"
    node_file = os.path.join(HERE, "nodes")
    with open(node_file, "w", encoding="utf-8") as file:
        file.writelines(f"node{n + 1 if apart else 1}\n" for n in range(int(nodes)))
    # qsub -l select=1 and `env` in the job: both are set, to 1.
    cpus = each.get("ncpus", "1")
    threads = each.get("ompthreads", cpus)
    return given | {"PBS_JOBID": "42.opbs", "PBS_NODEFILE": node_file, "NCPUS": cpus, "OMP_NUM_THREADS": threads}


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
with open(os.path.join(HERE, "submitted"), "w", encoding="utf-8") as file:
    json.dump(asked, file)
if NAME == "sbatch":
    passed = {**os.environ, "SLURM_SUBMIT_DIR": os.getcwd(), "SLURM_JOB_ID": "42", "SLURM_JOB_NUM_NODES": asked["--nodes"],
              "SLURM_CPUS_ON_NODE": "144", "SLURM_NTASKS_PER_NODE": asked["--ntasks-per-node"]}
else:
    passed = of_pbs(asked)
    os.umask(0o077)  # the job's `umask`; the log (qsub -j oe) had mode 0600, too
spooled = os.path.join(HERE, "spooled")
with open(spooled, "w", encoding="utf-8") as file:
    file.write(text)
os.chmod(spooled, 0o755)
os.chdir("/")
os.execve(spooled, [spooled, *arguments], passed)
