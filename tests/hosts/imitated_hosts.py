# Hosts imitated on one machine: each has its own network interface, host name and mounts, and
# mpirun starts ranks on them, whose messages go over TCP. All of it lies in namespaces of one
# process, which end with it: nothing is left.
import atexit
import os
import subprocess
import sys
import tempfile

NAMESPACES = [
    *"unshare --user --map-root-user --net --mount --pid".split(),
    *"--fork --kill-child --mount-proc".split(),
]
BRIDGE = "ip link add name bridge0 type bridge".split()

# In place of ssh: takes a host's name and the words of a command.
AGENT = """#!/bin/bash
folder=$(dirname "$0") host=$1
shift
exec nsenter --target "$(<"$folder/$host.pid")" --net --uts --mount --wd="$PWD" bash -c "$*"
"""


def refusal():
    """Why there can be no imitated hosts here; empty where there can."""
    try:
        tried = subprocess.run([*NAMESPACES, *BRIDGE], capture_output=True, text=True, timeout=60,
                               check=False)  # fmt: skip
    except OSError as error:
        return str(error)
    return tried.stderr.strip() if tried.returncode else ""


def enter():
    """Goes on as the first process in new namespaces; skips the test where there are none."""
    if os.getpid() == 1 and os.environ.get("IMITATED_HOSTS"):
        run("ip", "link", "set", "lo", "up")  # without any interface MPI does not start
        scratch = tempfile.TemporaryDirectory(prefix="memstencil-hosts-")  # Open MPI leaves folders
        tempfile.tempdir = os.environ["TMPDIR"] = scratch.name
        os.environ["OMPI_MCA_orte_tmpdir_base"] = scratch.name
        atexit.register(scratch.cleanup)
        return
    if why := refusal():
        print("skipped: no namespaces here:", why)
        sys.exit(77)
    os.environ["IMITATED_HOSTS"] = "1"
    os.execvp(NAMESPACES[0], [*NAMESPACES, sys.executable, *sys.argv])


def run(*command):
    subprocess.run(command, check=True, timeout=60)


class Hosts:
    """node1, node2, ...: on the first is mpirun. enter() has to come first."""

    def __init__(self, count):
        self.names = [f"node{n + 1}" for n in range(count)]
        self.holders = {}  # of each host that is up, the process that keeps its namespaces
        self.folder = tempfile.TemporaryDirectory(prefix="memstencil-hosts-")
        self.agent = os.path.join(self.folder.name, "agent")
        with open(self.agent, "w", encoding="utf-8") as file:
            file.write(AGENT)
        os.chmod(self.agent, 0o755)
        run(*BRIDGE)
        run("ip", "link", "set", "bridge0", "up")
        for number, name in enumerate(self.names, 1):
            self._add(number, name)

    def _add(self, number, name):
        address = f"ip addr add 10.0.0.{number}/24 dev eth0"
        wait = ["sh", "-c", "echo made; exec sleep inf"]
        holder = subprocess.Popen(["unshare", "--net", "--uts", "--mount", *wait],
                                  stdout=subprocess.PIPE)  # fmt: skip
        with holder.stdout:
            holder.stdout.readline()
        self.holders[name] = holder
        with open(os.path.join(self.folder.name, name + ".pid"), "w", encoding="utf-8") as file:
            file.write(str(holder.pid))
        run(*f"ip link add name to{number} type veth peer name eth0 netns {holder.pid}".split())
        run("ip", "link", "set", f"to{number}", "master", "bridge0", "up")
        up = f"hostname {name}; ip link set lo up; {address}; ip link set eth0 up"
        run(self.agent, name, up)

    def close(self):
        """A second time there is nothing left to do."""
        for holder in self.holders.values():
            holder.kill()
            holder.wait(timeout=60)
        self.holders.clear()
        # By hand: an interface goes some time after its host, and the next hosts take its name.
        for link in ["bridge0", *(f"to{number + 1}" for number in range(len(self.names)))]:
            subprocess.run(["ip", "link", "del", link], stderr=subprocess.DEVNULL, check=False)
        self.folder.cleanup()

    def mpirun(self, ranks, command="mpirun"):
        """The beginning of a command line for so many ranks, in turn on each host."""
        hosts = ",".join(f"{name}:{ranks}" for name in self.names)
        options = ["--mca", "plm_rsh_agent", self.agent, "--bind-to", "none", "--allow-run-as-root"]
        placed = ["--map-by", "node", "--host", hosts, "-np", str(ranks)]
        return [self.agent, self.names[0], "exec", command, *options, *placed]

    def on(self, name, *command):
        """Runs a command there."""
        run(self.agent, name, *command)
