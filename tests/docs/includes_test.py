# Includes point one way, as docs/design.md says: programs -> grid -> bench -> base; kernels and memory_spaces below.
# And what a host's compiler makes in a build for CUDA reaches no Kokkos_Core.hpp.
import functools
import html
import re
import unittest

from documents import ROOT, files

BELOW = ("app/base/", "memory_spaces/", "kernels/")
RESULTS = ("app/base/", "app/membench/core/", "memory_spaces/memory_space.hpp", "kernels/grid/grid.hpp",
           "kernels/jacobi/temporal_cuda_plan.hpp")
# The first folder that fits a file, and what it may include besides its own.
MAY_INCLUDE = {
    "memory_spaces/": (),
    "kernels/": (),
    # Names and facts of memory spaces, and no kernel.
    "app/base/": ("memory_spaces/memory_space.hpp", "memory_spaces/capabilities.hpp", "memory_spaces/system_reach.hpp",
                  "kernels/on_host.hpp", "kernels/shared_library.hpp"),
    "app/bench/": BELOW,
    "app/grid/": (*BELOW, "app/bench/"),
    # It reads results, and so the members of membench's, and knows grids and the plan of fused tiles.
    "app/compare/read/": RESULTS,
    "app/compare/predict/": (*RESULTS, "app/compare/read/"),
    "app/compare/judge/": (*RESULTS, "app/compare/read/", "app/compare/predict/"),
    "app/compare/": RESULTS,
    "app/": (*BELOW, "app/bench/", "app/grid/"),  # a program
}


# The boxes of docs/figures/layers.dot.
BOXES = {"memory": "memory_spaces/", "kernels": "kernels/",
         **{each: f"app/{each}/" for each in
            ("base", "bench", "grid", "himeno", "heat", "transpose", "membench", "compare")}}  # fmt: skip


def box_of(path):
    return next((box for box, folder in BOXES.items() if path.startswith(folder)), None)


def includes_of(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(r'^#include "((?:app|kernels|memory_spaces)/[^"]+)"', text, re.M)


@functools.cache
def reaches_kokkos(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    if re.search(r"^#include <Kokkos_Core.hpp>", text, re.M):
        return True
    beside = path.rpartition("/")[0] + "/"
    return any(reaches_kokkos(each if (ROOT / each).exists() else beside + each)
               for each in re.findall(r'^#include "([^"]+)"', text, re.M)
               if (ROOT / each).exists() or (ROOT / (beside + each)).exists())


# From main to the stencil: what each file of docs/design.md calls of the next one, on a GPU and on a host.
CALLS = ("App::run", "run_repeats", "solver->run", "sweep.update")
ON_A_GPU = (*CALLS, "sweep_tiles", "residual")
ON_A_HOST = (*CALLS, "update_row", "residual")


def host_sources():
    """What the lists named SOURCES hold (cmake/Targets.cmake)."""
    for path in files():
        if path.endswith("/CMakeLists.txt"):
            words = re.findall(r"[^\s()]+", (ROOT / path).read_text(encoding="utf-8"))
            kind = None
            for word in words:
                kind = word if re.fullmatch("[A-Z]+", word) else kind
                if kind == "SOURCES" and word.endswith(".cpp") and "$" not in word:
                    yield path.rpartition("/")[0] + "/" + word


class Includes(unittest.TestCase):
    def test_what_a_hosts_compiler_makes_reaches_no_kokkos(self):
        sources = list(host_sources())
        self.assertGreater(len(sources), 100)
        self.assertEqual([each for each in sources if reaches_kokkos(each)], [])

    def test_no_folder_includes_one_above_it(self):
        faults = []
        for path in files():
            folder = next((each for each in MAY_INCLUDE if path.startswith(each)), None)
            if not folder or not path.endswith((".cpp", ".hpp", ".cu", ".cuh")):
                continue
            own = "/".join(path.split("/")[:2]) + "/" if folder == "app/" else folder
            faults += [f"{path} includes {each}" for each in includes_of(path)
                       if not each.startswith((own, *MAY_INCLUDE[folder]))]
        self.assertEqual(faults, [], "\n" + "\n".join(faults))

    def test_memory_spaces_alone_allocates_advises_and_prefetches(self):
        calls = re.compile(r"\b(cuda(Malloc|HostAlloc|HostRegister|MemAdvise|MemPrefetch)\w*|cuMemCreate|mmap)\(")
        callers = [path for path in files() if path.startswith(("app/", "kernels/", "memory_spaces/"))
                   and path.endswith((".cpp", ".hpp", ".cu", ".cuh"))
                   and calls.search(re.sub("//.*", "", (ROOT / path).read_text(encoding="utf-8")))]
        self.assertGreater(len(callers), 1)
        self.assertEqual([path for path in callers if not path.startswith("memory_spaces/")], [])

    def test_the_picture_of_the_layers_has_the_arrows_of_the_includes(self):
        text = (ROOT / "docs/figures/layers.dot").read_text(encoding="utf-8")
        drawn = {arrow for arrow in re.findall(r"(\w+) -> (\w+)", text) if set(arrow) <= set(BOXES)}
        sources = [path for path in files() if path.endswith((".cpp", ".hpp", ".cu", ".cuh")) and box_of(path)]
        real = {(box_of(path), box_of(each)) for path in sources for each in includes_of(path)}
        real = {(box, below) for box, below in real if box != below}
        self.assertEqual(drawn - real, set(), "drawn, but no file includes another so")

        def below(box):
            return {box}.union(*(below(each) for above, each in drawn if above == box))
        self.assertEqual({(box, each) for box, each in real if each not in below(box)}, set(), "not drawn")

    def test_the_files_from_main_to_the_stencil(self):
        page = (ROOT / "docs/design.md").read_text(encoding="utf-8")
        sentence = re.search("From `main` to the stencil are six files.*?\n\n", page, re.S)[0]
        texts = []
        for name in re.findall(r"`([\w/]+\.(?:cpp|hpp|cu))`", sentence):
            name = name if "/" in name else f"kernels/jacobi/{name}"
            texts.append((ROOT / name).read_text(encoding="utf-8"))
        first, device, stencil, host = texts[:5], texts[5], texts[6], texts[7:]
        for calls, way in ((ON_A_GPU, [*first, device, stencil]), (ON_A_HOST, [*first, *host, stencil])):
            self.assertEqual(len(way), len(calls) + 1)
            for call, caller, callee in zip(calls, way, way[1:]):
                with self.subTest(call):
                    name = re.search(r"\w+$", call)[0]
                    self.assertRegex(caller, re.escape(call) + "[<(]")
                    # A line begins with a type and the name, and is no call.
                    self.assertRegex(callee, rf"(?m)^(?!\s*return)[ \w:<>]*[\w>] {name}\(")

    def test_pictures_are_drawn_of_their_graphs(self):
        """A graph that changed and was not drawn again; the arrows' ends and the words of the boxes."""
        for name in ("layers", "run"):
            graph = (ROOT / f"docs/figures/{name}.dot").read_text(encoding="utf-8")
            picture = html.unescape((ROOT / f"docs/figures/{name}.svg").read_text(encoding="utf-8"))
            labels = [line for label in re.findall('label="([^"]*)"', graph) for line in label.split("\\n")]
            self.assertEqual(sorted(re.findall("<text[^>]*>([^<]*)</text>", picture)), sorted(labels), name)
            chains = re.findall(r"\w+(?: -> \w+)+", graph)
            arrows = [f"{one}->{other}" for chain in chains
                      for one, other in zip(chain.split(" -> "), chain.split(" -> ")[1:])]
            self.assertEqual(sorted(re.findall(r"<title>(\w+->\w+)</title>", picture)), sorted(arrows), name)


if __name__ == "__main__":
    unittest.main()
