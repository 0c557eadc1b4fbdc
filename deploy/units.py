"""Read the units of this installation, and run what they say without systemd: a command by hand, or all in a test.

    deploy/manage score drill /var/backups/heldout      (in words: as heldout-score.service runs, manage.py drill …)
    python3 deploy/units.py ROOT UNIT [COMMAND …]       without a command: what the unit itself starts, to its end

User, groups, environment, credentials, folders and command are the unit's; what the kernel or systemd would forbid it
besides (ProtectSystem=, MemoryMax=, …) is not done here. Below a ROOT other than / every path of the installation is
meant within it, so that a test needs no machine of its own. Needs nothing but Python.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OURS = re.compile(
    r"(?<![\w./-])/(?:opt/heldout|etc/heldout|var/lib/heldout|var/backups/heldout|run/nginx-heldout)\b"
)
UNITS = Path("etc/systemd/system")
SETTING = re.compile(r"([A-Za-z]+)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class ServiceUnit:
    """A service as its file and the drop-ins of its name say it: each setting with all its values."""

    name: str
    root: Path
    settings: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str, root: Path) -> "ServiceUnit":
        """From the units that are installed below `root`. FileNotFoundError where there is none of that name."""
        return cls(name, root, settings_of(name, root / UNITS))

    def one(self, key: str, default: str = "") -> str:
        """The value of a setting that has one."""
        return self.settings.get(key, [default])[-1]

    @property
    def port(self) -> str:
        """What stands between @ and the kind of the unit."""
        return self.name.partition("@")[2].rpartition(".")[0]

    def commands(self, key: str = "ExecStart", credentials: str = "") -> list[list[str]]:
        return [shlex.split(self._expanded(value, credentials)) for value in self.settings.get(key, [])]

    def credentials(self) -> dict[str, Path]:
        """Under which name it is given which file."""
        pairs = (self._expanded(value).partition(":") for value in self.settings.get("LoadCredential", []))
        return {name: Path(path) for name, _, path in pairs}

    def environment(self, credentials: str) -> dict[str, str]:
        """What its processes find in their environment, files of settings included, which win."""
        values = self.settings.get("Environment", [])
        told = [self._expanded(word, credentials) for value in values for word in shlex.split(value)]
        for value in self.settings.get("EnvironmentFile", []):
            lines = Path(self._expanded(value)).read_text("utf-8").splitlines()
            told += [line for line in lines if line and not line.startswith("#")]
        pairs = (word.partition("=") for word in told)
        return {name: value for name, _, value in pairs}

    def folders(self) -> list[Path]:
        """Those that are made anew for it, and are its user's alone."""
        temporary = [value.partition(":")[0] for value in self.settings.get("TemporaryFileSystem", [])]
        runtime = [f"/run/{value}" for value in self.settings.get("RuntimeDirectory", [])]
        return [Path(self._expanded(value)) for value in (*temporary, *runtime)]

    def start(self, command: Sequence[str], credentials: Path, **more: Any) -> "subprocess.Popen[bytes]":
        """A process as the unit says, with its credentials in that folder."""
        user, groups = self._user_and_groups()
        home = self._expanded("/var/lib/heldout")
        surroundings = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home}
        _give(credentials, {name: path.read_bytes() for name, path in self.credentials().items()}, user)
        for folder in self.folders():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.chown(folder, user, -1)
        process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603  # what a unit or an operator says, no shell
            command,
            cwd=self._expanded(self.one("WorkingDirectory", "/")),
            env=surroundings | self.environment(str(credentials)),
            user=user,
            group=groups[0],
            extra_groups=groups,
            umask=int(self.one("UMask", "0022"), 8),
            **more,
        )
        return process

    def _expanded(self, text: str, credentials: str = "") -> str:
        """With specifiers replaced, and our own paths below `root`."""
        known = {"%i": self.port, "%d": credentials, "%%": "%"}
        replaced = re.sub(r"%.", lambda found: known[found[0]], text)
        return OURS.sub(lambda found: f"{str(self.root).rstrip('/')}{found[0]}", replaced)

    def _user_and_groups(self) -> tuple[int, list[int]]:
        """The numbers of its user and groups in the installation, or else on this machine."""
        user = self.one("User")
        entry = _entry("passwd", user, self.root)
        group = int(_entry("group", self.one("Group"), self.root)[2]) if self.one("Group") else int(entry[3])
        return int(entry[2]), [group, *_groups_with(user, self.root)]


def settings_of(name: str, folder: Path) -> dict[str, list[str]]:
    """Of a unit and its drop-ins; an empty value takes away what was said before, as systemd reads it."""
    template = re.sub(r"@[^.]*", "@", name)
    stem, _, kind = template.rpartition(".")
    prefixes = [f"{stem[: found.end()]}.{kind}" for found in re.finditer("-", stem)]
    drop_ins = [
        path for one in (*prefixes, template) for path in sorted((folder / f"{one}.d").glob("*.conf"))
    ]
    settings: dict[str, list[str]] = {}
    for path in (folder / template, *drop_ins):
        text = re.sub(r"\\\n\s*", "", path.read_text("utf-8"))
        for line in text.splitlines():
            if found := SETTING.fullmatch(line.strip()):
                key, value = found.groups()
                settings[key] = [*settings.get(key, []), value] if value else []
    return settings


def _entry(table: str, name: str, root: Path) -> list[str]:
    """A line of /etc/passwd or /etc/group."""
    for path in (root / "etc" / table, Path("/etc") / table):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith(f"{name}:"):
                return line.split(":")
    raise LookupError(f"{name} does not stand in {root / 'etc' / table}. Run deploy/install.")


def _groups_with(user: str, root: Path) -> list[int]:
    lines = (line.split(":") for line in (root / "etc/group").read_text("utf-8").splitlines())
    return [int(line[2]) for line in lines if user in line[3].split(",")]


def _give(folder: Path, files: dict[str, bytes], user: int) -> None:
    """Write them for that user alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.unlink(missing_ok=True)
        with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o400)) as file:
            file.write(content)
        os.chown(path, user, -1)
    os.chown(folder, user, -1)


def main(arguments: Sequence[str]) -> int:
    """Run a command, or what a unit starts, to its end; gives the first exit status that is not 0."""
    root, name, *command = arguments
    unit = ServiceUnit.read(name, Path(root))
    # In memory, and removed whatever comes of it.
    credentials = Path(tempfile.mkdtemp(prefix="heldout-", dir="/run" if root == "/" else None))
    try:
        for one in [command] if command else unit.commands(credentials=str(credentials)):
            if status := unit.start(one, credentials).wait():
                return status
    finally:
        shutil.rmtree(credentials)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
