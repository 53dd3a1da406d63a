"""Prints HTML pages with Chromium and writes down the tables that are in them.

Usage: pages.py DIRECTORY < lines of a path, a tab, a name. Each becomes
DIRECTORY/NAME.pdf beside NAME.tables.json: the rows and cells of the DOM as they
are displayed (pages.js), hidden ones left out. Scripts don't run and nothing is
brought from the network, so a page looks as its own file says. Pages whose
tables are no clear truth (pages.js says which) are left out.

Chromium is driven by its DevTools protocol on a pipe: messages of JSON, each
ended by a NUL.
"""

import base64
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--disable-sync", "--disable-extensions"]

PATIENCE = 60  # seconds for an answer

# Each cell is printed once and whole; what CSS adds to a cell, and the names of
# pictures that are not there, are not in its text.
STYLE = """table img { visibility: hidden !important } thead, tfoot { display: table-row-group !important } tr { break-inside: avoid !important }
td li, th li { list-style: none !important } table *::before, table *::after { content: none !important }"""


class Browser:
    """A Chromium of its own, without a network."""

    def __init__(self, home):
        into, self._write = os.pipe()
        self._read, out = os.pipe()
        shell = 'exec chromium "$@" 3<&%d 4>&%d 2>/dev/null' % (into, out)
        self._process = subprocess.Popen(["bash", "-c", shell, "chromium", *FLAGS, f"--user-data-dir={home}"], pass_fds=(into, out), stdout=subprocess.DEVNULL)
        os.close(into)
        os.close(out)
        self._pending, self._last = b"", 0

    def close(self):
        self.call("Browser.close")
        self._process.wait(timeout=30)

    def call(self, method, session=None, **params):
        """Calls a method and waits for its answer."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        answer = self.wait(lambda m: m.get("id") == self._last)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait(self, wanted):
        """Waits for the message that is wanted; others are passed over."""
        while True:
            while b"\0" not in self._pending:
                if not select.select([self._read], [], [], PATIENCE)[0]:
                    raise RuntimeError("no answer")
                more = os.read(self._read, 1 << 16)
                if not more:
                    raise EOFError("chromium went away")
                self._pending += more
            line, self._pending = self._pending.split(b"\0", 1)
            message = json.loads(line)
            if wanted(message):
                return message


def opened(browser, source):
    """Opens a page in a tab of its own; returns the tab and its session."""
    tab = browser.call("Target.createTarget", url="about:blank")["targetId"]
    session = browser.call("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
    browser.call("Page.enable", session)
    browser.call("Emulation.setScriptExecutionDisabled", session, value=True)
    browser.call("Emulation.setEmulatedMedia", session, media="print")
    browser.call("Page.navigate", session, url=pathlib.Path(source).absolute().as_uri())
    browser.wait(lambda m: m.get("method") == "Page.loadEventFired" and m.get("sessionId") == session)
    return tab, session


def printed(browser, source, script):
    """Returns a page's tables and its PDF, None for a page that is left out."""
    tab, session = opened(browser, source)
    try:
        expression = f"({script})({json.dumps(STYLE)})"
        result = browser.call("Runtime.evaluate", session, expression=expression, returnByValue=True)["result"]
        tables = result.get("value")
        if not tables:
            return None
        pdf = browser.call("Page.printToPDF", session, printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"]
        return tables, base64.b64decode(pdf)
    finally:
        browser.call("Target.closeTarget", targetId=tab)


def main():
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    script = (pathlib.Path(__file__).parent / "pages.js").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(home)
        for line in sys.stdin:
            source, name = line.rstrip("\n").split("\t")
            pdf = target / f"{name}.pdf"
            if pdf.exists():
                continue
            copy = pathlib.Path(home) / "page.html"  # away from files beside it
            copy.write_bytes(pathlib.Path(source).read_bytes())
            try:
                found = printed(browser, copy, script)
            except RuntimeError as e:
                print(f"{source}: {e}", file=sys.stderr)
                continue
            if found:
                pdf.with_suffix(".tables.json").write_text(json.dumps({"tables": found[0]}, ensure_ascii=False), encoding="utf-8")
                pdf.write_bytes(found[1])
        browser.close()


if __name__ == "__main__":
    main()
