# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks a plugin of mlir-opt for its passes, from a program without MLIR."""

import ctypes
import sys


class Info(ctypes.Structure):
    _fields_ = [("api_version", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("version", ctypes.c_char_p), ("callback", ctypes.c_void_p)]


plugin = ctypes.CDLL(sys.argv[1])
plugin.mlirGetPassPluginInfo.restype = Info
print("API version", plugin.mlirGetPassPluginInfo().api_version)
