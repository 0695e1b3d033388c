# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor that asks berth-lsp-server, and holds its answers against what it should say.

    python3 lsp.py SERVER
"""

import json
import os
import subprocess
import sys
import tempfile

CHAIN = """func.func @chain(%x: memref<1024xf32>, %y: memref<1024xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  %c = memref.alloc() : memref<1024xf32>
  %d = memref.alloc() : memref<4xf32>
  linalg.exp  ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>)
  linalg.sqrt ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>)
  linalg.tanh ins(%b : memref<1024xf32>) outs(%c : memref<1024xf32>)
  memref.copy %c, %y : memref<1024xf32> to memref<1024xf32>
  return %d : memref<4xf32>
}
"""


class Editor:
    def __init__(self, *options, **environment):
        self.process = subprocess.Popen(
            [sys.argv[1], *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(os.environ, **environment),
        )
        self.count, self.told = 0, []
        server = self.ask("initialize", {"processId": None, "capabilities": {}})
        # The server keeps the last change only, as it may if each is a whole text.
        assert server["capabilities"]["textDocumentSync"]["change"] == 1

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, **body):
        data = json.dumps(dict(jsonrpc="2.0", **body)).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def tell(self, method, **params):
        self.send(method=method, params=params)

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line, "the server is gone"
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def answer(self, number):
        while True:
            message = self.receive()
            assert not str(message.get("id", "")).startswith("berth/"), message
            if message.get("id") == number:
                return message.get("result")
            self.told.append(message)

    def ask(self, method, params):
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        return self.answer(self.count)

    def open(self, uri, text, version=1):
        item = {"uri": uri, "languageId": "mlir", "version": version, "text": text}
        self.tell("textDocument/didOpen", textDocument=item)

    def change(self, uri, text, version):
        self.tell(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": version},
            contentChanges=[{"text": text}],
        )

    def planned(self, uri, version=1):
        """What is told of a version once it is planned: MLIR's server goes first."""
        while True:
            found = [
                message["params"]["diagnostics"]
                for message in self.told
                if message.get("params", {}).get("uri") == uri
                and message["params"].get("version") == version
            ]
            if len(found) == 2:
                return found[1]
            self.told.append(self.receive())

    def hover(self, uri, line, column):
        position = {"line": line, "character": column}
        params = {"textDocument": {"uri": uri}, "position": position}
        result = self.ask("textDocument/hover", params)
        return result["contents"]["value"] if result else ""

    def end(self):
        assert self.ask("shutdown", None) is None
        self.tell("exit")
        assert self.process.wait() == 0


def expect(text, *parts):
    for part in parts:
        assert part in text, f"no '{part}' in\n{text}"


def planned_text(uri, text, *options, **environment):
    editor = Editor(*options, **environment)
    editor.open(uri, text)
    return editor, editor.planned(uri)


def test_hover():
    uri = "file:///chain.mlir"
    editor, told = planned_text(uri, CHAIN, "--arena=in-place=false")
    sharing = (
        "placed at offset 4096, 4096 bytes",
        "- live: linalg.exp at line 6 .. linalg.sqrt at line 7\n",
        "- live together with: `%b` (line 3)\n",
        "- shares bytes with: `%c` (line 4)\n",
        "- arena of `chain`: 8192 bytes instead of 12288, memory default\n",
    )
    on_name, on_op, on_use = (editor.hover(uri, *at) for at in ((1, 3), (1, 10), (6, 19)))
    expect(on_name, "Type: `memref<1024xf32>`", *sharing)
    expect(on_op, "Generic Form", *sharing)
    expect(on_use, *sharing)
    # The type is no name.
    assert "Berth" not in editor.hover(uri, 1, 25)
    why = "not placed: it is returned (func.return at line 10); let callers bring the memory"
    expect(editor.hover(uri, 4, 3), why)
    expect(editor.hover(uri, 0, 5), "3 of 4 buffers in an arena of 8192 bytes")
    assert len(told) == 1 and told[0]["severity"] == 4, told
    expect(told[0]["message"], why)
    assert told[0]["range"] == {
        "start": {"line": 4, "character": 7},
        "end": {"line": 4, "character": 19},
    }
    editor.end()


def test_broken():
    uri = "file:///broken.mlir"
    editor, told = planned_text(uri, CHAIN.replace("linalg.sqrt ins(%a", "linalg.sqrt ins(%z"))
    assert [each["severity"] for each in told] == [1], told
    assert editor.hover(uri, 1, 3) == ""
    editor.change(uri, CHAIN, 2)
    assert len(editor.planned(uri, 2)) == 1
    expect(editor.hover(uri, 1, 3), "placed at offset")
    editor.end()


def test_nothing():
    uri = "file:///nothing.mlir"
    editor, told = planned_text(uri, "func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n")
    assert told == [], told
    assert "Berth" not in editor.hover(uri, 0, 5)
    empty = "file:///empty.mlir"
    editor.open(empty, "")
    assert editor.planned(empty) == []
    # Tensors have no bytes yet; that is said, but is no warning.
    tensors = "file:///tensors.mlir"
    editor.open(tensors, "func.func @f() {\n  %x = tensor.empty() : tensor<4xf32>\n  return\n}\n")
    told = editor.planned(tensors)
    assert [each["severity"] for each in told] == [4], told
    expect(told[0]["message"], "run one-shot-bufferize before")
    editor.end()


def test_edits():
    """Who types faster than plans are made gets the plan of the last text."""
    uri, last = "file:///edits.mlir", 60
    editor = Editor()
    editor.open(uri, CHAIN)
    for version in range(2, last + 1):
        editor.change(uri, CHAIN.replace("1024", str(1024 + version)), version)
        if version % 10 == 0:
            editor.hover(uri, 1, 3)
    editor.planned(uri, last)
    expect(editor.hover(uri, 1, 3), f"placed at offset 0, {(1024 + last) * 4} bytes")
    # A request that is called off has an answer too, and so has one while the
    # text is being planned, or is not there.
    editor.change(uri, CHAIN, last + 1)
    editor.send(id="x", method="textDocument/hover", params={
        "textDocument": {"uri": uri}, "position": {"line": 1, "character": 3}})
    editor.tell("$/cancelRequest", id="x")
    editor.answer("x")
    editor.planned(uri, last + 1)
    editor.tell("textDocument/didClose", textDocument={"uri": uri})
    assert editor.hover(uri, 1, 3) == ""
    editor.hover("file:///nowhere.mlir", 1, 3)
    editor.end()


def test_big():
    """More than a pipe holds, each way; %b<i> lives with its neighbours."""
    uri, count = "file:///big.mlir", 1500
    lines = ["func.func @big(%x: memref<64xf32>) {"]
    lines += [f"  %b{i} = memref.alloc() : memref<64xf32>" for i in range(count)]
    names = ["%x"] + [f"%b{i}" for i in range(count)] + ["%x"]
    lines += [f"  linalg.exp ins({a} : memref<64xf32>) outs({b} : memref<64xf32>)"
              for a, b in zip(names, names[1:])]
    text = "\n".join(lines + ["  return", "}", ""])
    editor, told = planned_text(uri, text, "--arena=in-place=false")
    assert told == [], told
    expect(editor.hover(uri, 701, 4),
           "live together with: `%b699` (line 701), `%b701` (line 703)\n",
           "and 741 more\n", "512 bytes instead of 384000")
    editor.end()


def test_files():
    """Several modules a file, columns beyond ASCII, several files."""
    split, other = "file:///split.mlir", "file:///a%20b.mlir"
    editor = Editor("--arena=in-place=false")
    # An op whose text has five bytes that are three columns, on the same line.
    wide = '"x.y"() {t = "\N{SNOWMAN}\N{MUSICAL SYMBOL G CLEF}"} : () -> () '
    editor.open(split, CHAIN + "// -----\n" + CHAIN.replace("  %d = memref", wide + "%d = memref"))
    editor.open(other, CHAIN)
    assert len(editor.planned(other)) == 1
    told = editor.planned(split)
    starts = [each["range"]["start"] for each in told if each.get("source") == "berth"]
    column = len(wide) + 1 + len("%d = ")
    assert starts == [{"line": 4, "character": 7}, {"line": 16, "character": column}], told
    expect(editor.hover(split, 16, column - 5), "not placed: it is returned (func.return at line 22)")
    assert "Berth" not in editor.hover(split, 16, 3)
    expect(editor.hover(split, 13, 3), "`%b` (line 15)")
    expect(editor.hover(other, 1, 3), "`%b` (line 3)")
    editor.end()


def test_capacity():
    uri = "file:///capacity.mlir"
    editor, told = planned_text(uri, CHAIN, "--arena=capacity=1K")
    errors = [each["message"] for each in told if each["severity"] == 1]
    assert len(errors) == 1, told
    expect(errors[0], "the buffers do not fit", "the capacity is 1024 bytes", "note: ")
    expect(editor.hover(uri, 1, 3), "not planned: ", "the capacity is 1024 bytes")
    editor.end()


def test_another_space():
    """Nothing is planned where berth-arena does not look: it says so, once."""
    uri = "file:///space.mlir"
    text = CHAIN.replace("memref<1024xf32>", "memref<1024xf32, 1>").replace("memref<4xf32>", "memref<4xf32, 1>")
    editor, told = planned_text(uri, text)
    assert [each["severity"] for each in told] == [4], told
    expect(told[0]["message"], "there are allocations in: 1", "[berth-E002]")
    expect(editor.hover(uri, 1, 3), "not planned: ", "there are allocations in: 1")
    assert "Berth" not in editor.hover(uri, 5, 3)
    editor.end()


def test_kernels():
    """A kernel of another text, or of none yet, is nothing to complain of."""
    uri = "file:///kernels.mlir"
    text = CHAIN + "// -----\n" + CHAIN.replace("@chain", "@other")
    editor, told = planned_text(uri, text, "--arena=kernels={other, elsewhere} capacity=64K")
    assert not [each for each in told if each["severity"] == 1], told
    expect(editor.hover(uri, 1, 3), "placed at offset 0, 4096 bytes")
    editor.end()


def test_target():
    uri = "file:///npu.mlir"
    text = """func.func @f() {
  %a = memref.alloc() : memref<16xf32, "L1">
  "npu.use"(%a) : (memref<16xf32, "L1">) -> ()
  return
}
"""
    description = {
        "memories": [{"space": "L1", "capacity": 4096}],
        "ops": [{"name": "npu.use", "reads": [0]}],
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(description, file)
        file.flush()
        for options, environment in (([], {"BERTH_TARGET": file.name}), ([f"--target={file.name}"], {})):
            editor, _ = planned_text(uri, text, *options, **environment)
            expect(editor.hover(uri, 1, 3), "placed at offset 0, 64 bytes", 'memory "L1"')
            editor.end()


def test_ends():
    """An editor that goes away, or talks nonsense, leaves no server behind."""
    editor = Editor()
    editor.open("file:///chain.mlir", CHAIN)
    editor.process.stdin.close()
    editor.process.stdout.read()
    editor.process.wait()
    editor = Editor()
    editor.write(b"Content-Length: 3\r\n\r\n{x}Content-Length: 2\r\n\r\n[]")
    editor.process.stdin.close()
    editor.process.stdout.read()
    editor.process.wait()


def test_nonsense():
    """What is no message is sent back, and all goes on; --stdio is an editor's word."""
    editor = Editor("--stdio")
    deep = b"[" * 200000 + b"]" * 200000
    for body, code in (
        (b"[1,2]", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"2.0"}', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"x"}', -32600),
        (b"hello", -32700),
        (b"", -32700),
        (deep, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"x","params":' + deep + b"}", -32700),
    ):
        editor.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        answer = editor.receive()
        assert answer["id"] is None and answer["error"]["code"] == code, (body[:40], answer)
    # Brackets in a text are none.
    uri = "file:///brackets.mlir"
    editor.open(uri, CHAIN + "//" + "[" * 5000 + '"{{\\')
    editor.planned(uri)
    expect(editor.hover(uri, 1, 3), "placed at offset")
    editor.end()


def main():
    tests = [value for name, value in globals().items() if name.startswith("test_")]
    for test in tests:
        test()
        print("ok", test.__name__)


if __name__ == "__main__":
    main()
