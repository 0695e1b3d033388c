# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C surface (berth-c/Session.h), and how the package finds its library."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import berth
from berth import _library

SOURCE = Path(__file__).resolve().parents[2]


def run(code, **environment):
    """Python in a process of its own, with nothing of Berth in its environment
    but what is given."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith("BERTH_") and k != "PYTHONPATH"}
    return subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, encoding="utf-8",
                          env={**clean, **environment})


class SizedStructs(unittest.TestCase):
    def arrays(self, kind):
        column = (ctypes.c_int64 * 2)(1, 2)
        pointer = ctypes.cast(column, ctypes.POINTER(ctypes.c_int64))
        lowers = ctypes.cast((ctypes.c_int64 * 2)(), type(pointer))
        return kind(structSize=ctypes.sizeof(kind), numBuffers=2, sizes=pointer,
                    lowers=lowers, uppers=pointer)

    def pack(self, arrays):
        session = _library.Session()
        session.call("berthSessionSetArrays",
                     ctypes.cast(ctypes.byref(arrays),
                                 ctypes.POINTER(_library.Arrays)))
        session.call("berthSessionPack", None)
        return session

    def test_older_caller(self):
        """Fields that a caller does not know have their defaults, and what it
        has no room for is not written."""
        class Old(ctypes.Structure):
            _fields_ = _library.Arrays._fields_[:5]

        class OldFigures(ctypes.Structure):
            _fields_ = _library.Figures._fields_[:6] + [
                ("guard", ctypes.c_int64)]

        session = self.pack(self.arrays(Old))
        self.assertEqual(session.figures().peak, 3)
        old = OldFigures(structSize=ctypes.sizeof(OldFigures) - 8, guard=77)
        session.call("berthSessionGetFigures",
                     ctypes.cast(ctypes.byref(old),
                                 ctypes.POINTER(_library.Figures)))
        self.assertEqual((old.peak, old.guard), (3, 77))

    def test_newer_caller(self):
        class New(ctypes.Structure):
            _fields_ = _library.Arrays._fields_ + [("later", ctypes.c_int64)]

        arrays = self.arrays(New)
        self.assertEqual(self.pack(arrays).figures().peak, 3)
        arrays.later = 1
        with self.assertRaisesRegex(berth.InvalidError, "does not know"):
            self.pack(arrays)

    def test_order_of_calls(self):
        session = _library.Session()
        for name, arguments in (("berthSessionPack", (None,)),
                                ("berthSessionVerify", (None, None, None)),
                                ("berthSessionGetFigures",
                                 (_library.Figures(),))):
            with self.assertRaisesRegex(berth.InvalidError, "has no problem"):
                session.call(name, *arguments)
        text = b'{"buffers": [{"size": 1, "lower": 0, "upper": 1}]}'
        session.call("berthSessionSetText", text, len(text), None, 0)
        with self.assertRaisesRegex(berth.InvalidError, "has no plan"):
            session.figures()
        with self.assertRaisesRegex(berth.InvalidError, "no plan to verify"):
            session.call("berthSessionVerify", None, None, None)
        with self.assertRaises(berth.InvalidError):
            session.call("berthSessionSetText", b"{", 1, None, 0)
        with self.assertRaisesRegex(berth.InvalidError, "has no problem"):
            session.call("berthSessionPack", None)

    def test_plan_in_text(self):
        plan = berth.pack([berth.Buffer(4, 0, 2), berth.Buffer(4, 1, 3)])
        session = _library.Session()
        text = plan.to_json().encode()
        session.call("berthSessionSetText", text, len(text), "json".encode(), 0)
        session.call("berthSessionVerify", None, None, None)
        self.assertEqual(session.figures().peak, 8)


class Finding(unittest.TestCase):
    def test_version(self):
        self.assertRegex(berth.library_version(), r"^\d+\.\d+\.\d+$")

    def test_missing(self):
        done = run("import berth; berth.packers()", BERTH_LIBRARY="/nonexistent",
                   PYTHONPATH=str(SOURCE / "lib/Python"))
        self.assertIn("BerthError: cannot load libberth-pack from "
                      "the file that BERTH_LIBRARY names: /nonexistent",
                      done.stderr)

    def test_another_library(self):
        done = run("import berth; berth.packers()", BERTH_LIBRARY="libm.so.6",
                   PYTHONPATH=str(SOURCE / "lib/Python"))
        self.assertIn("has session interface 0, and this package needs 1",
                      done.stderr)

    @unittest.skipUnless("BERTH_BUILD" in os.environ and shutil.which("cmake"),
                         "no build to install")
    def test_installed(self):
        """Nothing but PYTHONPATH is set: the library and berth-opt are found
        under the prefix."""
        with tempfile.TemporaryDirectory() as prefix:
            subprocess.run(["cmake", "--install", os.environ["BERTH_BUILD"],
                            "--prefix", prefix], check=True,
                           stdout=subprocess.DEVNULL)
            packages = os.path.join(prefix, os.environ["BERTH_PYTHON_DIR"])
            self.assertTrue(os.path.exists(
                os.path.join(packages, "berth", "py.typed")))
            code = "import berth; print(berth.pack([berth.Buffer(4, 0, 2)]).peak)"
            if "BERTH_OPT" in os.environ:
                code += "; berth.plan('func.func @f() { return }')"
            done = run(code, PYTHONPATH=packages)
            self.assertEqual((done.stdout, done.stderr), ("4\n", ""))


if __name__ == "__main__":
    unittest.main()
