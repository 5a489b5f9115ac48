"""Where the names of imports lead, what is read on the way, and which files are followed together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.project.module_files import LARGEST_MODULE
from pipelint.project.modules import Modules
from pipelint.source.address_space import AddressSpace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a project, beside which there are other directories."""
    directory = tmp_path / "project"
    directory.mkdir()
    return directory


def write(root: Path, *names: str, text: str = "") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def modules_of(root: Path, instead: dict[Path, bytes | None] | None = None) -> Modules:
    return Modules(root, AddressSpace(), instead or {})


def led_to(root: Path, file: str, name: str, level: int = 0) -> str | None:
    """Where a name in an import of a file leads, relative to the root."""
    found = modules_of(root).files.find(root / file, name, level)
    return None if found is None else found.relative_to(root).as_posix()


class TestAnAbsoluteName:
    def test_leads_to_a_file_beside_the_script(self, root: Path) -> None:
        write(root, "tools/train.py", "tools/data.py")
        assert led_to(root, "tools/train.py", "data") == "tools/data.py"

    def test_leads_to_a_package_at_the_root(self, root: Path) -> None:
        write(root, "pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/data.py", "tools/train.py")
        assert led_to(root, "tools/train.py", "pkg") == "pkg/__init__.py"
        assert led_to(root, "tools/train.py", "pkg.sub.data") == "pkg/sub/data.py"
        assert led_to(root, "pkg/sub/data.py", "pkg.sub") == "pkg/sub/__init__.py"

    def test_leads_into_src(self, root: Path) -> None:
        write(root, "src/pkg/__init__.py", "src/pkg/data.py", "scripts/train.py")
        assert led_to(root, "scripts/train.py", "pkg.data") == "src/pkg/data.py"
        assert led_to(root, "src/pkg/data.py", "pkg") == "src/pkg/__init__.py"

    def test_leads_to_a_directory_without_init(self, root: Path) -> None:
        write(root, "space/data.py", "train.py")
        assert led_to(root, "train.py", "space") == "space"
        assert led_to(root, "train.py", "space.data") == "space/data.py"

    def test_leads_to_a_package_before_a_module(self, root: Path) -> None:
        write(root, "data.py", "data/__init__.py", "train.py")
        assert led_to(root, "train.py", "data") == "data/__init__.py"

    def test_leads_to_a_module_before_a_directory_without_init(self, root: Path) -> None:
        write(root, "data.py", "data/a.csv", "train.py")
        assert led_to(root, "train.py", "data") == "data.py"

    def test_leads_to_a_module_though_a_directory_of_that_name_is_nearer(self, root: Path) -> None:
        write(root, "scripts/train.py", "scripts/data/a.csv", "data.py")
        assert led_to(root, "scripts/train.py", "data") == "data.py"

    @pytest.mark.parametrize("name", ["tensorflow", "keras", "numpy", "json", "os.path"])
    def test_of_a_library_leads_nowhere_whatever_the_project_has(self, root: Path, name: str) -> None:
        write(root, "tensorflow/__init__.py", "keras.py", "numpy/__init__.py", "json.py", "os/path.py", "train.py")
        assert led_to(root, "train.py", name) is None

    def test_that_nothing_in_the_project_has_leads_nowhere(self, root: Path) -> None:
        write(root, "train.py")
        assert led_to(root, "train.py", "installed.package") is None


class TestARelativeName:
    def test_leads_from_the_package_of_the_file(self, root: Path) -> None:
        write(root, "pkg/__init__.py", "pkg/data.py", "pkg/a/__init__.py", "pkg/a/train.py", "pkg/a/json.py")
        assert led_to(root, "pkg/a/train.py", "", 1) == "pkg/a/__init__.py"
        assert led_to(root, "pkg/a/train.py", "json", 1) == "pkg/a/json.py"
        assert led_to(root, "pkg/a/train.py", "data", 2) == "pkg/data.py"
        assert led_to(root, "pkg/a/__init__.py", "train", 1) == "pkg/a/train.py"

    def test_does_not_lead_out_of_the_project(self, root: Path) -> None:
        write(root, "pkg/train.py")
        write(root.parent, "data.py")
        assert led_to(root, "pkg/train.py", "data", 3) is None
        assert led_to(root, "pkg/train.py", "data", 9) is None


class TestAModule:
    def test_that_a_link_finds_outside_of_the_project_is_not_read(self, root: Path) -> None:
        write(root.parent, "secret.py", text="SIZE = 4\n")
        write(root, "train.py")
        (root / "data.py").symlink_to(root.parent / "secret.py")
        (root / "linked").symlink_to(root.parent, target_is_directory=True)
        modules = modules_of(root)
        assert modules.importer(root / "train.py").find("data", 0) is None
        assert modules.importer(root / "train.py").find("linked.secret", 0) is None

    def test_that_is_too_large_is_not_read(self, root: Path) -> None:
        write(root, "train.py")
        write(root, "table.py", text="#" * (LARGEST_MODULE + 1))
        assert modules_of(root).importer(root / "train.py").find("table", 0) is None

    def test_is_the_same_whoever_imports_it(self, root: Path) -> None:
        write(root, "train.py", "pkg/__init__.py", "pkg/data.py")
        modules = modules_of(root)
        found = modules.importer(root / "train.py").find("pkg.data", 0)
        assert found is not None
        assert modules.importer(root / "pkg" / "__init__.py").find("data", 1) is found
        assert modules.importer(root / "pkg" / "data.py").own is found

    def test_has_the_contents_that_count_in_place_of_the_file(self, root: Path) -> None:
        write(root, "train.py", "gone.py")
        write(root, "data.py", text="SIZE = 4\n")
        other = {root / "data.py": b"SIZE = 64\n", root / "new.py": b"NEW = 1\n", root / "gone.py": None}
        importer = modules_of(root, other).importer(root / "train.py")
        found = [importer.find(name, 0) for name in ("data", "new", "gone")]
        assert [module.text if module is not None else None for module in found] == ["SIZE = 64\n", "NEW = 1\n", None]

    def test_notebooks_are_none(self, root: Path) -> None:
        write(root, "train.py", "data.ipynb", text="{}")
        modules = modules_of(root)
        assert modules.importer(root / "train.py").find("data", 0) is None
        assert modules.importer(root / "data.ipynb").own is None


IMPORTS = {
    "import data": {"data.py"},
    "import data as d, other": {"data.py", "other.py"},
    "x = 1; import data": {"data.py"},
    "try: import data\nexcept ImportError: pass": {"data.py"},
    "def f():\n    from data import make": {"data.py"},
    "from pkg import (\n    inner,  # a comment\n    other\n)": {"pkg/__init__.py", "pkg/inner.py"},
    "from pkg import thing, \\\n    inner": {"pkg/__init__.py", "pkg/inner.py"},
    "import pkg.inner": {"pkg/__init__.py", "pkg/inner.py"},
    "from pkg.inner import *": {"pkg/inner.py"},
    "from . import data": {"data.py"},
    "from .pkg.inner import f": {"pkg/inner.py"},
    "import importlib\nm = importlib.import_module('pkg.inner')": {"pkg/inner.py"},
    "import tensorflow as tf\nfrom numpy import array": set(),
    "# what comes from data import (other\nfrom pkg import inner  # )": {"pkg/__init__.py", "pkg/inner.py"},
    "if x: from data import make; import other": {"data.py", "other.py"},
}


class TestTheImportGraph:
    @pytest.mark.parametrize(("text", "imported"), IMPORTS.items())
    def test_has_all_that_a_file_imports(self, root: Path, text: str, imported: set[str]) -> None:
        write(root, "data.py", "other.py", "pkg/__init__.py", "pkg/inner.py")
        write(root, "train.py", text=text)
        found = modules_of(root).graph.imports_of(root / "train.py")
        assert {file.relative_to(root).as_posix() for file in found} == imported

    def test_knows_who_imports_a_file_the_nearest_first(self, root: Path) -> None:
        write(root, "data.py", "strange.py", "loaders.py", "train.py", "test_data.py")
        write(root, "loaders.py", "test_data.py", text="import data\n")
        write(root, "train.py", text="import loaders\n")
        modules = modules_of(root)
        assert [file.name for file in modules.graph.importers_of(root / "data.py")] == ["loaders.py", "train.py"]

    def test_follows_files_together_of_which_most_are_asked_about(self, root: Path) -> None:
        write(root, "data.py", "strange.py")
        write(root, "train.py", "evaluate.py", text="import data\n")
        graph = modules_of(root).graph
        graph.expect([root / "data.py"])
        assert graph.group(root / "data.py") == ()
        graph.expect(root.glob("*.py"))
        assert [file.name for file in graph.group(root / "data.py")] == ["evaluate.py", "train.py", "data.py"]
        assert graph.group(root / "strange.py") == ()

    def test_puts_a_circle_behind_those_that_import_it(self, root: Path) -> None:
        write(root, "a.py", text="import b\n")
        write(root, "b.py", text="import a\n")
        write(root, "train.py", text="import b\n")
        graph = modules_of(root).graph
        graph.expect(root.glob("*.py"))
        assert [file.name for file in graph.group(root / "a.py")] == ["train.py", "a.py", "b.py"]
