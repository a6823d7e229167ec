"""What the tests of the package share: a command that must end as it should, and environments that hold the wheel."""
from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Collection, Mapping
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path = ROOT, code: int = 0, env: Mapping[str, str] | None = None) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, text=True, capture_output=True, check=False,
                          timeout=300, env=env)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + (done.stderr if code else "")


def installed(wheel: Path, folder: Path, hidden: Collection[str] = ()) -> Path:
    """The command of a fresh environment that sees the dependencies of this one, without the hidden modules."""
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin/python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel)
    if hidden:
        line = f"import sys; sys.modules.update(dict.fromkeys({sorted(hidden)!r}))\n"
        (site / "hidden.pth").write_text(line, encoding="utf-8")
    return folder / "bin/records"


def modules_of_extras() -> set[str]:
    """The modules that no dependency of the core brings, directly or not: what an installation without extras lacks."""
    core: set[str] = set()
    waiting = ["specdil-records"]
    while waiting:
        name = normal(waiting.pop())
        if name not in core:
            core.add(name)
            try:
                required = metadata.requires(name) or []
            except metadata.PackageNotFoundError:
                continue
            waiting += [re.split(r"[^\w.-]", one)[0] for one in required if "extra ==" not in one]
    return {module for module, owners in metadata.packages_distributions().items()
            if not {normal(owner) for owner in owners} & core and module.isidentifier()}


def normal(name: str) -> str:
    """The name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
