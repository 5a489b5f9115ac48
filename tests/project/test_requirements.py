"""Which TensorFlow a project asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.project.requirements import named_by_project, newest_for_its_python, required_by_project
from pipelint.source.constraints import lower_bound, upper_bound


def tree(root: Path, *files: str, **contents: str) -> None:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    for file, text in contents.items():
        (root / file).write_text(text)


class TestTarget:
    @pytest.mark.parametrize(
        ("constraint", "version"),
        [
            (">=2.4,<3", (2, 4)),
            ("<3, >= 2.4", (2, 4)),
            ("~=2.9", (2, 9)),
            ("~=2.9.1", (2, 9)),
            ("==2.9.*", (2, 9)),
            ("===2.9.0", (2, 9)),
            (">2.3", (2, 3)),
            (">=2", (2, 0)),
            ("^2.10", (2, 10)),
            ("~2.8", (2, 8)),
            ("2.9.*", (2, 9)),
            ("=2.4.1=gpu_py38h", (2, 4)),
            (">=2.4 <3", (2, 4)),
            (">=2.4,>=2.6", (2, 6)),
            ("^2.10 || ^2.8", (2, 8)),
            ("==2.16.0rc1", (2, 16)),
            ("<3", None),
            ("!=2.5", None),
            ("", None),
            ("*", None),
            ("==abc", None),
            (">=20240101", None),
            ("<2.4 || >=2.9", None),
        ],
    )
    def test_the_lowest_version_that_a_constraint_admits(
        self, constraint: str, version: tuple[int, int] | None
    ) -> None:
        assert lower_bound(constraint) == version

    @pytest.mark.parametrize(
        ("constraint", "version"),
        [
            ("==2.4.1", (2, 4)),
            ("===2.9.0", (2, 9)),
            ("2.9.*", (2, 9)),
            ("=2.4.1=gpu_py38h", (2, 4)),
            ("~=2.9.1", (2, 9)),
            ("~2.8", (2, 8)),
            (">=2.4,<2.11", (2, 10)),
            (">=2.4,<2.11.1", (2, 11)),
            (">=2.4,<2.11.0", (2, 10)),
            (">=2.4 <=2.9", (2, 9)),
            ("==2.4 || ==2.9", (2, 9)),
            (">=2.4", None),
            (">=2.4,<3", None),
            ("~=2.9", None),
            ("^2.8", None),
            ("==2.*", None),
            ("==2.4 || >=2.9", None),
            ("", None),
        ],
    )
    def test_the_highest_version_that_a_constraint_admits(
        self, constraint: str, version: tuple[int, int] | None
    ) -> None:
        assert upper_bound(constraint) == version

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            (
                "pyproject.toml",
                '[project]\ndependencies = ["numpy>=1.2", "TensorFlow[and-cuda]>=2.9,<3; os_name != \'nt\'"]',
            ),
            ("pyproject.toml", '[project.optional-dependencies]\ngpu = ["tensorflow-gpu (>=2.9)"]'),
            ("pyproject.toml", '[dependency-groups]\ntrain = ["tensorflow>=2.9", {include-group = "x"}]'),
            ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "^2.9"'),
            (
                "pyproject.toml",
                '[tool.poetry.group.dev.dependencies]\ntensorflow-cpu = {version = "~2.9", optional = true}',
            ),
            ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = [{version = "^2.12"}, {version = "2.9"}]'),
            ("requirements.txt", "# tensorflow==1.0\n-r x.txt\ntensorflow_cpu == 2.9.1 \\\n  --hash=sha256:12\n"),
            ("Requirements.txt", "tensorflow==2.9.1\n"),
            ("requirements-dev.txt", "\ufefftensorflow-macos>=2.9 # why\r\ntensorflow-datasets==1.2\r\n"),
            ("requirements/train.txt", "tensorflow-intel==2.9.0\ntensorflow==2.12"),
            ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    tensorflow>=2.9\n"),
            ("setup.cfg", "[options.extras_require]\ntf =\n    tensorflow>=2.9\n"),
            (
                "setup.py",
                "from setuptools import setup\nsetup(name='x', install_requires=['numpy', 'tensorflow>=2.9,<3'])\n",
            ),
            ("setup.py", "NEEDED = [\n    'tensorflow == 2.9.1',  # not 2.10\n]\nsetup(install_requires=NEEDED)\n"),
            ("setup.py", "setup(extras_require={'gpu': ['tensorflow-gpu[and-cuda]~=2.9']})\n"),
            ("environment.yml", "dependencies:\n  - python=3.8\n  - tensorflow=2.9=gpu\n"),
            ("environment.yaml", "dependencies:\n- conda-forge::tensorflow-gpu>=2.9\n"),
            ("environment.yml", 'dependencies:\n  - pip:\n    - "tensorflow==2.9.1"\n'),
            ("conda-gpu.yml", "name: training\ndependencies:\n  - tensorflow-gpu=2.9\n"),
        ],
    )
    def test_is_read_from_each_kind_of_file(self, tmp_path: Path, file: str, text: str) -> None:
        tree(tmp_path, ".git/HEAD", file)
        (tmp_path / file).write_text(text)
        required = required_by_project(tmp_path)
        assert required is not None
        assert required.oldest == (2, 9)

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            ("requirements.txt", "tensorflow\ntensorflow-hub>=0.12\ntensorflow @ https://example.org/tf-2.9.whl\n"),
            ("requirements.txt", "\0\x01"),
            ("pyproject.toml", "not toml ["),
            ("pyproject.toml", 'project = 3\n[tool]\npoetry = "x"'),
            ("pyproject.toml", "[project]\ndependencies = [3]\n[tool.poetry.dependencies]\ntensorflow = 3"),
            ("setup.cfg", "no section\n"),
            (
                "setup.py",
                "setup(name='x', description='TensorFlow 2.1 models', keywords='tensorflow 2', version='2.4')\n",
            ),
            ("setup.py", "setup(install_requires=['tensorflow', f'tensorflow=={version}', 'tensorflow-hub>=0.12'])\n"),
            ("setup.py", "print 'tensorflow==2.1'\n"),
            ("environment.yml", "- - -\n: :"),
            ("experiment.yml", "steps:\n  - tensorflow=2.9\n"),
        ],
    )
    def test_no_bound_and_odd_files_give_none(self, tmp_path: Path, file: str, text: str) -> None:
        tree(tmp_path, ".git/HEAD", **{file: text})
        assert required_by_project(tmp_path) is None

    def test_a_readme_says_nothing_where_a_requirement_does(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", "deep/train.py", **{"requirements.txt": "tensorflow>=2.12"})
        (tmp_path / "deep" / "README.md").write_text("pip install tensorflow==2.1.0")
        assert required_by_project(tmp_path / "deep") == ((2, 12), None)

    @pytest.mark.parametrize(
        ("text", "version"),
        [
            ("Trained with TensorFlow 2.4.1 on two machines, and on tf 2.3 before.", (2, 3)),
            ("- tensorflow-gpu >= 2.1", (2, 1)),
            ("Choose TensorFlow Enterprise 2.6; detection needs TensorFlow 2.7.", (2, 6)),
            ("![](https://img.shields.io/badge/TensorFlow-2.2-orange)", (2, 2)),
            ("# A network in TensorFlow 2.0\n\nSee also network-tf2.0.", None),
            ("# A network in TensorFlow 2.0\n\nRuns on TensorFlow 2.0.1; tensorflow: 2.0 is enough.", (2, 0)),
            ("## Requirements\n- Python 3.6\n- TensorFlow 2.0\n", (2, 0)),
            ("Requirements\n\nTensorflow 2.0<br>\nPillow", (2, 0)),
            ("1. `tensorflow 2.0` or higher\n", (2, 0)),
            ("- TensorFlow 2.0 tutorials\n- Written in TensorFlow 2.0\n", None),
            ("Rewritten from TensorFlow 1.14 for TensorFlow 2.x, with tf2.", None),
            ("https://www.tensorflow.org/versions/r2.3/api_docs", None),
            ("    pip install tensorflow-gpu==2.9.1 numpy\n", (2, 9)),
            ("    pip install tensorflow-gpu==1.14\n", (1, 14)),
            ("Was tensorflow==1.14; now needs tensorflow>=2.2\n", (2, 2)),
            ("First install tensorflow2.0-beta1.", (2, 0)),
            ("Checked under TensorFlow 2.4, 2.1 and 2.7.", (2, 1)),
            ("Runs on tf 2.6/2.3.1", (2, 3)),
            ("所有代码在TensorFlow 2.3 和 2.2版本测试", (2, 2)),
            ("Needs [TensorFlow](https://example.org/tf) (>= 2.3)", (2, 3)),
            ("| TensorFlow     | **2.8.x** |", (2, 8)),
            ("![](https://img.shields.io/badge/tensorflow-%3E%3D2.6-blue)", (2, 6)),
            ("pip install 'tensorflow<2.16'", (2, 15)),
            ("From the TF2.3_Phantoms collection; see other-tf2.1 and github.com/someone/tf2.2.", None),
            ("Any TensorFlow 2.x, tf2, tf.keras 2.2.4", None),
        ],
    )
    def test_a_readme_speaks_of_versions_without_asking_for_them(
        self, tmp_path: Path, text: str, version: tuple[int, int] | None
    ) -> None:
        tree(tmp_path, ".git/HEAD", "deep/train.py", **{"README.md": text})
        assert required_by_project(tmp_path) is None
        assert named_by_project(tmp_path / "deep").run_with == version

    @pytest.mark.parametrize(
        "name", ["readme.md", "README.rst", "Readme.MD", "README", "README.zh-CN.md", "docs/readme.txt"]
    )
    def test_a_readme_may_have_any_name_of_its_kind(self, tmp_path: Path, name: str) -> None:
        tree(tmp_path, ".git/HEAD", "deep/train.py", name, "notes.md")
        (tmp_path / name).write_text("Written with TensorFlow 2.2.")
        (tmp_path / "notes.md").write_text("TensorFlow 2.1 was slow.")
        assert named_by_project(tmp_path / "deep") == ((2, 2), None, None)

    def test_the_name_of_a_generation_is_what_code_is_written_for(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", "deep/train.py", **{"README.md": "# A network in TensorFlow 2.0"})
        assert named_by_project(tmp_path / "deep") == (None, (2, 0), None)
        (tmp_path / "README.md").write_text("# A network in TensorFlow 2.0\n\nRuns with TensorFlow 2.6.")
        assert named_by_project(tmp_path / "deep") == ((2, 6), None, None)

    def test_who_installs_any_tensorflow_has_the_newest_of_a_generation(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", **{"README.md": "Meta-learning in TF 2.0", "requirements.txt": "tensorflow-gpu\n"})
        assert named_by_project(tmp_path) == (None, None, None)

    @pytest.mark.parametrize(
        ("image", "version"),
        [
            ("FROM tensorflow/tensorflow:2.0.0b1-gpu-py3\nRUN pip install PyYAML\n", (2, 0)),
            ("FROM tensorflow/tensorflow:2.0.0\nRUN pip install -r requirements.txt\n", None),
            ("FROM tensorflow/tensorflow:2.0.0\nRUN pip3 install .\n", None),
        ],
    )
    def test_an_image_may_have_another_tensorflow_than_is_required(
        self, tmp_path: Path, image: str, version: tuple[int, int] | None
    ) -> None:
        tree(tmp_path, ".git/HEAD", **{"requirements.txt": "tensorflow==2.4.0", "Dockerfile": image})
        assert required_by_project(tmp_path) == ((2, 4), (2, 4))
        assert named_by_project(tmp_path) == (None, version, None)

    def test_the_nearest_requirement_counts_even_without_a_version(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", "second/deep/train.py", **{"requirements.txt": "tensorflow==1.15"})
        assert required_by_project(tmp_path / "second" / "deep") == ((1, 15), (1, 15))
        (tmp_path / "second" / "requirements.txt").write_text("tensorflow\n")
        assert required_by_project(tmp_path / "second" / "deep") is None

    def test_the_lowest_of_several_counts(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", **{"requirements.txt": "tensorflow>=2.12", "environment.yml": "- tensorflow=2.8"})
        assert required_by_project(tmp_path) == ((2, 8), None)

    def test_files_for_other_machines_admit_what_any_of_them_does(self, tmp_path: Path) -> None:
        tree(
            tmp_path,
            ".git/HEAD",
            **{"requirements.txt": "tensorflow==2.12", "conda.yml": "dependencies:\n- tensorflow=2.1"},
        )
        assert required_by_project(tmp_path) == ((2, 1), (2, 12))

    def test_requirements_of_another_name_count_where_the_main_ones_name_no_version(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", **{"requirements.txt": "tensorflow", "requirements.export.txt": "tensorflow==2.2"})
        assert required_by_project(tmp_path) == ((2, 2), (2, 2))
        (tmp_path / "requirements.txt").write_text("tensorflow==2.5")
        assert required_by_project(tmp_path) == ((2, 5), (2, 5))

    @pytest.mark.parametrize(
        ("file", "text"),
        [
            ("Dockerfile", "FROM tensorflow/tensorflow:2.5.0-gpu AS base\n# FROM tensorflow/tensorflow:1.15\n"),
            ("Dockerfile.train", "FROM --platform=linux/amd64 tensorflow/tensorflow:2.5.1\n"),
            ("gpu.Dockerfile", "from ubuntu\nRUN pip install numpy \\\n  tensorflow-gpu==2.5.* && rm -rf x\n"),
            (
                "docker/Dockerfile",
                "FROM tensorflow/tensorflow:2.5.0\nRUN pip install 'tensorflow==2.7.0' tensorflow-hub==1.2\n",
            ),
            (".devcontainer/Dockerfile", "FROM tensorflow/tensorflow:2.5.0\n"),
            ("Dockerfile", "ARG TF_VERSION=2.5.0\nFROM tensorflow/tensorflow:${TF_VERSION}-gpu\n"),
            ("Dockerfile", 'ARG BASE="nvcr.io/nvidia/tensorflow:21.08-tf2-py3"\nFROM $BASE\n'),
            ("Dockerfile", "FROM nvcr.io/nvidia/merlin/merlin-tensorflow-training:21.07\n"),
            ("README.md", "docker run -it tensorflow/tensorflow:2.5.0-gpu bash\n"),
            ("INSTALL.md", "pip install tensorflow==2.5.1\n"),
        ],
    )
    def test_an_image_is_where_code_may_run_and_no_requirement(self, tmp_path: Path, file: str, text: str) -> None:
        tree(tmp_path, ".git/HEAD", "deep/train.py", file)
        (tmp_path / file).write_text(text)
        assert required_by_project(tmp_path) is None
        assert named_by_project(tmp_path / "deep").run_with == (2, 5)

    @pytest.mark.parametrize(
        "text",
        [
            "FROM tensorflow/tensorflow:latest-gpu\n",
            "FROM tensorflow/tensorflow:${VERSION}\n",
            "FROM nvcr.io/nvidia/pytorch:21.08-py3\n",
            "FROM tensorflow/serving:2.5.0\nRUN pip install tensorflow tensorflow-text==2.5.0\n",
            "# tensorflow==2.5\n",
        ],
    )
    def test_an_image_without_a_version_says_nothing(self, tmp_path: Path, text: str) -> None:
        tree(tmp_path, ".git/HEAD", "other/Dockerfile", Dockerfile=text)
        (tmp_path / "other" / "Dockerfile").write_text("FROM tensorflow/tensorflow:2.5.0\n")
        assert named_by_project(tmp_path) == (None, None, None)

    @pytest.mark.parametrize(
        ("text", "version"),
        [
            ("tensorflow_addons==0.14.0\n", (2, 15)),
            ("tensorflow\ntensorflow-addons\n", (2, 15)),
            ("tensorflow<2.6\n", (2, 5)),
            ("tensorflow-model-analysis\nkeras>=3\n", None),
        ],
    )
    def test_requirements_may_have_an_end_alone_as_packages_that_need_keras_2_have_it(
        self, tmp_path: Path, text: str, version: tuple[int, int] | None
    ) -> None:
        tree(tmp_path, ".git/HEAD", **{"requirements.txt": text})
        assert required_by_project(tmp_path) is None
        assert named_by_project(tmp_path) == (None, None, version)

    def test_a_keras_2_has_the_version_of_its_tensorflow(self, tmp_path: Path) -> None:
        tree(tmp_path, ".git/HEAD", **{"requirements.txt": "keras==2.6.0\ntensorflow\n"})
        assert required_by_project(tmp_path) == ((2, 6), (2, 6))
        (tmp_path / "requirements.txt").write_text("keras==2.3.1\ntensorflow\n")
        assert required_by_project(tmp_path) is None

    @pytest.mark.parametrize(
        ("file", "text", "version"),
        [
            ("setup.py", "setup(name='x', python_requires='>=3.6.0, <3.9.0')\n", (2, 13)),
            ("setup.py", "setup(name='x', python_requires='>=3.6')\n", None),
            ("setup.py", "setup(name='x', python_requires=OLD)\n", None),
            ("setup.cfg", "[options]\npython_requires = >=3.5, <3.8\n", (2, 11)),
            ("pyproject.toml", '[project]\nrequires-python = "==3.6.*"\n', (2, 6)),
            ("pyproject.toml", '[project]\nrequires-python = ">=3.8,<3.10"\n', (2, 20)),
            ("pyproject.toml", '[project]\nrequires-python = ">=3.8,<3.13"\n', None),
            ("pyproject.toml", '[tool.poetry.dependencies]\npython = "~3.7"\n', (2, 11)),
            ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.7"\n', None),
            ("pyproject.toml", "requires-python [", None),
        ],
    )
    def test_old_pythons_have_old_tensorflows(
        self, tmp_path: Path, file: str, text: str, version: tuple[int, int] | None
    ) -> None:
        tree(tmp_path, ".git/HEAD", "deep/train.py", **{file: text})
        assert newest_for_its_python(tmp_path / "deep") == version

    def test_the_project_is_found_upwards_and_no_further(self, tmp_path: Path) -> None:
        tree(tmp_path, "p/.git/HEAD", "p/src/deep/train.py", "q/setup.py", "q/train.py")
        (tmp_path / "p" / "requirements.txt").write_text("tensorflow==2.7")
        (tmp_path / "requirements.txt").write_text("tensorflow==2.1")
        assert required_by_project(tmp_path / "p" / "src" / "deep" / "train.py") == ((2, 7), (2, 7))
        assert required_by_project(tmp_path / "q" / "train.py") is None
