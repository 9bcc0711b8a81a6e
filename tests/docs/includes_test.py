# Includes point one way, as docs/design.md says: programs -> grid -> bench -> base; kernels and memory_spaces below.
import re
import unittest

from documents import ROOT, files

BELOW = ("app/base/", "memory_spaces/", "kernels/")
# The first folder that fits a file, and what it may include besides its own.
MAY_INCLUDE = {
    "memory_spaces/": (),
    "kernels/": (),
    # Names and facts of memory spaces, and no kernel.
    "app/base/": ("memory_spaces/memory_space.hpp", "memory_spaces/capabilities.hpp", "memory_spaces/system_reach.hpp",
                  "kernels/lap_clock.hpp", "kernels/on_host.hpp", "kernels/shared_library.hpp"),
    "app/bench/": BELOW,
    "app/grid/": (*BELOW, "app/bench/"),
    # It reads results, and so the members of membench's, and knows grids and the plan of fused tiles.
    "app/compare/": ("app/base/", "app/membench/core/", "memory_spaces/memory_space.hpp",
                     "kernels/grid/grid.hpp", "kernels/jacobi/temporal_cuda_plan.hpp"),
    "app/": (*BELOW, "app/bench/", "app/grid/"),  # a program
}


class Includes(unittest.TestCase):
    def test_no_folder_includes_one_above_it(self):
        faults = []
        for path in files():
            folder = next((each for each in MAY_INCLUDE if path.startswith(each)), None)
            if not folder or not path.endswith((".cpp", ".hpp", ".cu", ".cuh")):
                continue
            own = "/".join(path.split("/")[:2]) + "/" if folder == "app/" else folder
            text = (ROOT / path).read_text(encoding="utf-8")
            included = re.findall(r'^#include "((?:app|kernels|memory_spaces)/[^"]+)"', text, re.M)
            faults += [f"{path} includes {each}" for each in included if not each.startswith((own, *MAY_INCLUDE[folder]))]
        self.assertEqual(faults, [], "\n" + "\n".join(faults))


if __name__ == "__main__":
    unittest.main()
