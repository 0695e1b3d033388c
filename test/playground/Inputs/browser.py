# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page in a headless Chromium, used as a person would use it.

Speaks the DevTools protocol through --remote-debugging-pipe: messages end in a
zero byte, the browser reads descriptor 3 and writes descriptor 4.
"""

import base64
import json
import os
import subprocess
import tempfile

FLAGS = (
    "headless no-sandbox disable-gpu disable-quic no-first-run disable-sync hide-scrollbars"
    " disable-background-networking disable-component-update remote-debugging-pipe"
).split()


class Browser:
    def __init__(self, browser, width=1280, height=800, scale=1):
        self.profile = tempfile.TemporaryDirectory()
        command = [browser, *("--" + flag for flag in FLAGS)]
        command += [f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]
        for_browser, self.to = os.pipe()
        self.back, from_browser = os.pipe()
        shell = 'exec "$@" 3<&%d 4>&%d' % (for_browser, from_browser)
        self.process = subprocess.Popen(
            ["sh", "-c", shell, "sh", *command],
            pass_fds=(for_browser, from_browser),
            stderr=subprocess.DEVNULL,
        )
        os.close(for_browser)
        os.close(from_browser)
        self.count, self.session, self.rest, self.events = 0, None, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.resize(width, height, scale)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        os.close(self.to)
        self.process.kill()
        self.process.wait()
        os.close(self.back)
        try:
            self.profile.cleanup()
        except OSError:
            pass  # a process of the browser still writes there

    def receive(self):
        while b"\0" not in self.rest:
            part = os.read(self.back, 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def resize(self, width, height, scale=1, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=mobile)

    def open(self, address):
        self.call("Page.navigate", url=address)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive())
        self.events = [e for e in self.events if e.get("method") != "Page.loadEventFired"]

    def run(self, script):
        """The value of an expression, awaited; its exception is one here."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, script):
        """Until the expression is true; returns its value."""
        return self.run(
            "new Promise(done => { const look = () => { const value = (() => "
            f"{script})(); value ? done(value) : setTimeout(look, 20); }}; look(); }})"
        )

    def mouse(self, kind, x, y, buttons=0, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=buttons,
                  button="left" if buttons or kind == "mouseReleased" else "none",
                  clickCount=1, **more)

    def drag(self, from_x, from_y, to_x, to_y, drop=True):
        self.mouse("mouseMoved", from_x, from_y)
        self.mouse("mousePressed", from_x, from_y, 1)
        for k in range(1, 6):
            self.mouse("mouseMoved", from_x + (to_x - from_x) * k / 5,
                       from_y + (to_y - from_y) * k / 5, 1)
        if drop:
            self.mouse("mouseReleased", to_x, to_y)

    def drop_file(self, path, selector):
        """Drops a file, as the events that a browser makes of it."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(path)
        self.run(
            "(() => { const dataTransfer = new DataTransfer();"
            f"dataTransfer.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));"
            "for (const kind of ['dragenter', 'dragover', 'drop'])"
            f"document.querySelector({json.dumps(selector)}).dispatchEvent("
            "new DragEvent(kind, {dataTransfer, bubbles: true, cancelable: true})); })()"
        )

    def key(self, key, modifiers=0, text=""):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=modifiers,
                      text=text if kind == "keyDown" else "")

    def screenshot(self, path):
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def emulate(self, scheme="light", media=""):
        self.call("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
