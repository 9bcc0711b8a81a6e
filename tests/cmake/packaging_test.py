# The recipes in packaging/ name the version and the packages that the build itself names.
import json
import pathlib
import re
import subprocess
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Spack builds with the compiler, make and Kokkos of its own, and takes no source from git or pip.
NOT_OF_SPACK = {"gcc", "git", "py-pip", "openmpi"}


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def quickstart_packages():
    """Debian's name and Spack's of what quickstart asks for."""
    listed = re.search(r"^packages=\(\n(.*?)^\)", text_of("quickstart"), re.DOTALL | re.MULTILINE)
    words = " ".join(line.split("#")[0] for line in listed.group(1).splitlines()).split()
    return dict(word.split(":") for word in words)


def of_a_bundle(packages):
    """What quickstart leaves of them where it stands in a bundle."""
    brings = re.search(r"=~ \^\((.*?)\) \]\]", text_of("quickstart")).group(1)
    return [name for name in packages if not re.match(f"({brings})", name)]


def minimum_versions():
    """Of Spack's names, as cmake/ asks for them."""
    dependencies = text_of("cmake/Dependencies.cmake")
    found = re.findall(r"VERSION ([0-9.]+) DEBIAN \S+ SPACK (\S+)", dependencies)
    versions = {name: version for version, name in found}
    for package in ("HDF5", "ZLIB"):
        asked = re.search(rf"find_package\({package} ([0-9.]+)", dependencies)
        versions[package.lower()] = asked[1]
    kokkos = text_of("cmake/KokkosFromSource.cmake")
    versions["kokkos"] = re.search(r"Kokkos >= ([0-9.]+)", kokkos)[1]
    versions["cmake"] = re.search(r"oldest_cmake=(\S+)", text_of("quickstart"))[1]
    return versions


class Recipe:
    """Spack's package.py, run with stand-ins for the words of its language."""

    def __init__(self):
        self.version, self.depends = [], []
        spack = types.ModuleType("spack.package")
        spack.CMakePackage = type("CMakePackage", (), {})
        spack.CudaPackage = type("CudaPackage", (), {"cuda_arch_values": ("80", "90")})
        for word in ("license", "variant", "conflicts"):
            setattr(spack, word, lambda *args, **more: None)
        spack.version = lambda number, **more: self.version.append(number)
        spack.depends_on = lambda spec, **more: self.depends.append(spec)
        sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": spack}
        given = {}
        exec(compile(text_of("packaging/spack/package.py"), "package.py", "exec"), given)
        self.package = given["Memstencil"]

    def minimum(self, name):
        found = [re.match(rf"{re.escape(name)}@([0-9.]+):", spec) for spec in self.depends]
        return {match[1] for match in found if match}


class SpackRecipe(unittest.TestCase):
    def setUp(self):
        self.recipe = Recipe()

    def test_has_the_version(self):
        self.assertEqual(self.recipe.version, [text_of("VERSION").strip()])

    def test_asks_for_what_quickstart_installs(self):
        names = {re.match(r"[a-z0-9-]+", spec)[0] for spec in self.recipe.depends}
        wanted = {name.split("+")[0] for name in quickstart_packages().values()} - NOT_OF_SPACK
        self.assertEqual(wanted - names, set())

    def test_asks_for_the_versions_that_cmake_does(self):
        for name, version in minimum_versions().items():
            self.assertEqual(self.recipe.minimum(name), {version}, name)

    def test_gives_options_that_there_are(self):
        package = self.recipe.package()
        package.spec = {"+mpi": True}
        package.run_tests = False
        package.define = lambda name, value: f"-D{name}={value}"
        arguments = package.cmake_args()
        self.assertIn("-DMEMSTENCIL_MPI=ON", arguments)
        self.assertIn("-DMEMSTENCIL_NCCL=OFF", arguments)
        for option in re.findall(r"-D(MEMSTENCIL_\w+)=", " ".join(arguments)):
            self.assertIn(f"set({option} ", text_of("cmake/Options.cmake"))


class ApptainerDefinition(unittest.TestCase):
    def setUp(self):
        self.text = text_of("packaging/apptainer/memstencil.def")

    def test_has_the_version(self):
        version = text_of("VERSION").strip()
        self.assertIn(f"version {version}\n", self.text)
        self.assertIn(f"memstencil-{version}-bundle.tar.gz ", self.text)

    def test_installs_what_quickstart_does_in_a_bundle(self):
        listed = re.search(r"--no-install-recommends \\\n(.*?[^\\])\n", self.text, re.DOTALL)
        names = listed.group(1).replace("\\", "").split()
        self.assertEqual(names, of_a_bundle(quickstart_packages()))

    def sections(self):
        """{name: text}, without the header; a section begins with a line of its own, "%post"."""
        parts = re.split(r"^%(\w+)$", self.text, flags=re.MULTILINE)[1:]
        self.assertEqual(len(set(parts[::2])), len(parts[::2]), "a section stands twice")
        return dict(zip(parts[::2], parts[1::2]))

    def test_has_the_sections_that_apptainer_knows_and_what_it_substitutes(self):
        header = re.findall(r"^(\w+): ", self.text.split("\n%")[0], re.MULTILINE)
        self.assertEqual(header, ["Bootstrap", "From"])
        self.assertEqual(list(self.sections()), ["arguments", "labels", "files", "post", "test", "runscript"])
        arguments = set(re.findall(r"^ +(\w+)=", self.sections()["arguments"], re.MULTILINE))
        self.assertEqual(set(re.findall(r"{{ (\w+) }}", self.text)), arguments)

    def test_has_scripts_that_a_shell_reads(self):
        for name in ("post", "test", "runscript"):
            script = re.sub(r"{{ (\w+) }}", r"\1", self.sections()[name])
            done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    def test_builds_a_preset_that_there_is(self):
        presets = [each["name"] for each in json.loads(text_of("CMakePresets.json"))["configurePresets"]]
        self.assertIn(re.search(r"PRESET=(\w+)", self.sections()["arguments"])[1], presets)

    def test_takes_the_sources_of_the_bundle_alone(self):
        self.assertIn("-DFETCHCONTENT_FULLY_DISCONNECTED=ON", self.text)


if __name__ == "__main__":
    unittest.main()
