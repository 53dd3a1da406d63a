"""Converts files with LibreOffice, many in one run: it takes seconds to start."""

import pathlib
import subprocess

BATCH = 12  # files a run


def convert(home, sources, form, into):
    """Converts files into a directory; one that brings LibreOffice down is left out."""
    sources = [pathlib.Path(s) for s in sources]

    def missing(some):
        return [s for s in some if not (pathlib.Path(into) / f"{s.stem}.{form}").exists()]

    for k in range(0, len(sources), BATCH):
        _run(home, sources[k : k + BATCH], form, into)
        for s in missing(sources[k : k + BATCH]):  # a run ends at its first bad file
            _run(home, [s], form, into)
    return missing(sources)


def _run(home, sources, form, into):
    command = ["soffice", f"-env:UserInstallation=file://{home}/profile", "--headless", "--convert-to", form, "--outdir", str(into)]
    try:
        subprocess.run(command + [str(s) for s in sources], check=False, capture_output=True, timeout=90 + 10 * len(sources))
    except subprocess.TimeoutExpired:
        pass  # what is missing is seen by the caller
