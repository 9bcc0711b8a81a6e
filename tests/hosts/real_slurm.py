# A real Slurm (Debian's slurm-wlm) on this machine: node1, node2 and node3 compute, and users log in on node4. The hosts
# are those of imitated_hosts.py. What Slurm and the user write lies in mounts of the same namespaces: nothing is left.
# It takes root, since Slurm starts jobs as their user, who is `member` of the group `project`.
# With a command, that is run on the login node as the user: python3 real_slurm.py bash
import atexit
import os
import pathlib
import shlex
import subprocess
import sys
import time

import imitated_hosts

NAMESPACES = "unshare --net --mount --pid --fork --kill-child --mount-proc".split()
PROGRAMS = ("/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/sbatch")
FOLDER, HOME, MEMBER = pathlib.Path("/etc/slurm"), pathlib.Path("/home/member"), 4711
NODES, LOGIN = ("node1", "node2", "node3"), "node4"
CORES = max(len(os.sched_getaffinity(0)) // 2, 1)
# Of measure.sh, for jobs that take seconds.
TRIAL = {"PRESET": "openmp", "SIZE": "XS", "ITERATIONS": "4", "SCALING_ITERATIONS": "4", "SPACES": "system",
         "SWEEPS": "single", "WEAK_BLOCK": "32x32x64", "MATRIX_SIZES": "64", "HEAT_SIZE": "32x32x32", "THREADS": "1",
         "OMP_PROC_BIND": "false", "MEMBENCH_ARGS": "--size=1MB+--repeat=2+--experiments=1"}

# Two threads a core, so that an option can forbid the second.
CONFIGURATION = f"""
ClusterName=imitated
SlurmctldHost={LOGIN}(10.0.0.4)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={FOLDER}/munge.socket
StateSaveLocation={FOLDER}/state
SlurmdSpoolDir={FOLDER}/spool-%n
SlurmctldPidFile={FOLDER}/slurmctld.pid
SlurmdPidFile={FOLDER}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
KillWait=10
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
NodeName=node[1-3] NodeAddr=10.0.0.[1-3] CoresPerSocket={CORES} ThreadsPerCore=2 RealMemory=4000
PartitionName=normal Nodes=node[1-3] Default=YES MaxTime=08:00:00 State=UP
"""


def commands():
    """(site, command) of each block `console cluster` of docs/clusters.md, in the order of the page."""
    site = None
    page = pathlib.Path(__file__).resolve().parents[2] / "docs/clusters.md"
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            site = line.split()[-1] if line.startswith("```console cluster ") else None
        elif site and line.startswith("$ "):
            yield site, line[2:]


def refusal():
    """Why there can be no Slurm here; empty where there can."""
    missing = [name for name in PROGRAMS if not os.path.exists(name)]
    if missing:
        return f"no {', '.join(missing)} (Debian: slurm-wlm)"
    return imitated_hosts.refusal() if os.getuid() == 0 else "it takes root"


def enter():
    """As imitated_hosts.enter(), but with the users that the machine has."""
    if not os.environ.get("IMITATED_HOSTS"):
        if why := refusal():
            print("skipped:", why)
            sys.exit(77)
        os.environ["IMITATED_HOSTS"] = "1"
        os.execvp(NAMESPACES[0], [*NAMESPACES, sys.executable, *sys.argv])
    imitated_hosts.enter()


def mount_over(path, text):
    """Another text in place of a file of the machine, in these namespaces alone."""
    new = FOLDER / path.name
    new.write_text(text, encoding="utf-8")
    imitated_hosts.run("mount", "--bind", str(new), str(path))


class Slurm:
    def __init__(self):
        for folder in (str(FOLDER), "/home"):  # before the hosts, which see the same
            imitated_hosts.run("mount", "-t", "tmpfs", "tmpfs", folder)
        (FOLDER / "slurm.conf").write_text(CONFIGURATION, encoding="utf-8")
        passwd, group = pathlib.Path("/etc/passwd"), pathlib.Path("/etc/group")
        mount_over(passwd, passwd.read_text() + f"member:x:{MEMBER}:{MEMBER}::{HOME}:/bin/bash\n")
        mount_over(group, group.read_text() + f"project:x:{MEMBER}:\n")
        mount_over(pathlib.Path("/etc/hosts"), "127.0.0.1 localhost\n"
                   + "".join(f"10.0.0.{n} node{n}\n" for n in (1, 2, 3, 4)))  # fmt: skip
        HOME.mkdir()
        os.chown(HOME, MEMBER, MEMBER)
        self.hosts = imitated_hosts.Hosts(4)
        self.daemons = []
        atexit.register(self.close)
        for host in self.hosts.names:
            for folder in ("/tmp", "/dev/shm"):  # of a host's own
                self.hosts.on(host, f"mount -t tmpfs -o mode=1777 tmpfs {folder}")
        self._start()

    def _start(self):
        key = FOLDER / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        files = [f"--{name}={FOLDER}/munge.{suffix}" for name, suffix in
                 (("socket", "socket"), ("pid-file", "pid"), ("log-file", "log"), ("seed-file", "seed"))]  # fmt: skip
        self._daemon(LOGIN, "munged", "--foreground", f"--key-file={key}", *files)
        self._daemon(LOGIN, "slurmctld", "-D")
        for host in NODES:
            (FOLDER / f"spool-{host}").mkdir()
            self._daemon(host, "slurmd", "-D", "-N", host)
        for _ in range(60):
            if self.user("sinfo -h -o '%T %D'").stdout == "idle 3\n":
                return
            time.sleep(0.5)
        logs = "\n".join(path.read_text() for path in FOLDER.glob("*.log"))
        raise RuntimeError(f"Slurm does not start:\n{logs}")

    def _daemon(self, host, *command):
        with open(FOLDER / f"{command[0]}-{host}.log", "wb") as log:
            words = [self.hosts.agent, host, "exec", *command]
            environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
            self.daemons.append(subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def user_words(self):
        """The beginning of a command line on the login node as the user, with a login's environment."""
        login = {"HOME": HOME, "USER": "member", "LOGNAME": "member", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
                 "PATH": "/usr/local/bin:/usr/bin:/bin"}  # fmt: skip
        return [self.hosts.agent, LOGIN, "exec", "setpriv", f"--reuid={MEMBER}", f"--regid={MEMBER}", "--clear-groups", "env",
                "-i", *(f"{name}={value}" for name, value in login.items())]  # fmt: skip

    def user(self, command, cwd=HOME):
        return subprocess.run([*self.user_words(), "bash", "-c", shlex.quote(command)], cwd=cwd, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)

    def close(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait(timeout=60)
        self.daemons.clear()
        self.hosts.close()


if __name__ == "__main__":
    enter()
    slurm = Slurm()
    sys.exit(subprocess.run([*slurm.user_words(), *sys.argv[1:]], cwd=HOME, check=False).returncode)
