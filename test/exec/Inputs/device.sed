# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes memory of a device the host's own, to run what is planned for it.
s/gpu\.alloc *() /memref.alloc() /
s/gpu\.dealloc */memref.dealloc /
s/gpu\.memcpy *\(%[^,]*\), *\(%[^ ]*\) : \(memref<[^>]*>\), \(memref<[^>]*>\)/memref.copy \2, \1 : \4 to \3/
