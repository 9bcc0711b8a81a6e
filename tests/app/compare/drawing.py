# What the tests of the plots share: where the scripts are, and a context of machines that do not
# exist.
import os
import sys
import tempfile

try:
    import h5py  # noqa: F401  (the scripts need both)
    import matplotlib  # noqa: F401
except ImportError:
    print(
        "skipped: this Python has no h5py or matplotlib "
        "(Debian: python3-h5py python3-matplotlib)"
    )
    sys.exit(77)

sys.path.insert(
    0, os.path.join(os.path.dirname(os.environ["PROGRAM"]), "../share/memstencil/plots")
)
DOCS = os.path.join(os.environ["MEMSTENCIL_INPUTS"], "../docs")
sys.path.insert(0, os.path.join(DOCS, "figures"))
import draw  # noqa: E402  (they stand beside the program)
import style  # noqa: E402
import synthetic  # noqa: E402

style.pyplot.rcParams["figure.max_open_warning"] = 0  # the tests look at figures that are not saved
MEMORIES = ("device", "managed", "host-pinned")
PREDICTIONS = {
    "what": "Himeno XL, 3000 sweeps",
    "machines": [
        {
            "machine": name,
            "memories": [
                {
                    "memory": memory,
                    "seconds": seconds,
                    "least": 0.85 * seconds,
                    "most": 1.15 * seconds,
                    "causes": {"link": 0.3 * seconds, "device memory": 0.7 * seconds},
                }
                for memory, seconds in (("device", 20.0), ("host-pinned", 900.0))
            ],
        }
        for name in ("one", "other")
    ],
}


def whole_context(model_runs=(), marks=()):
    """Two machines with every kind of run; the marks of published figures."""
    with tempfile.TemporaryDirectory() as folder:
        files, sides = [], []
        for on, scale in ((synthetic.ONE, 1.0), (synthetic.OTHER, 2.0)):
            runs = synthetic.whole(on, scale)
            names = [run.get("memspace", {}).get("requested") for run in runs]
            listed = [
                {"file": len(files) + n, "memory": name, "identity": {"run": n}}
                for n, name in enumerate(names)
            ]
            sides.append({"label": on["hostname"], "theory": {}, "runs": listed})
            for n, run in enumerate(runs):
                path = os.path.join(folder, f"{on['hostname']}-{n}.h5")
                files.append(synthetic.write_file(path, run))
        plan = {"sides": sides, "published": [], "marks": list(marks), "model": list(model_runs)}
        plan |= {"scaling": [], "predictions": PREDICTIONS}
        return draw.Context(plan, files)


def texts(figure):
    return [text.get_text() for text in figure.findobj(style.pyplot.Text)]
