// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llvm-22
// What all threads of a workgroup agree on because of where it comes from. X is
// used in one alternative and Y in the other: they share their 256 bytes only
// if the condition is the same in all threads.
// RUN: %berth-opt --pass-pipeline='builtin.module(berth-arena)' %s | FileCheck %s

!shared = memref<64xf32, #gpu.address_space<workgroup>>
!row = memref<64xf32>

gpu.module @kernels {
  // Arithmetic of the affine dialect.
  // CHECK-LABEL: gpu.func @delinearized(
  // CHECK-SAME: memref<256xi8,
  gpu.func @delinearized(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %i, %j = affine.delinearize_index %b into (4, 8) : index, index
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @linearized(
  // CHECK-SAME: memref<256xi8,
  gpu.func @linearized(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %b = gpu.block_id x
    %i = affine.linearize_index [%b, %n] by (4, 8) : index
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @delinearized_thread(
  // CHECK-SAME: memref<512xi8,
  gpu.func @delinearized_thread(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %i, %j = affine.delinearize_index %t into (4, 8) : index, index
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Constants of any dialect.
  // CHECK-LABEL: gpu.func @index_constant(
  // CHECK-SAME: memref<256xi8,
  gpu.func @index_constant(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %i = index.constant 4
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @llvm_constant(
  // CHECK-SAME: memref<256xi8,
  gpu.func @llvm_constant(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = llvm.mlir.constant(4 : i32) : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // Sizes of the grid and its parts, and numbers of these.
  // CHECK-LABEL: gpu.func @num_subgroups(
  // CHECK-SAME: memref<256xi8,
  gpu.func @num_subgroups(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %i = gpu.num_subgroups : index
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // The last subgroup may be smaller.
  // CHECK-LABEL: gpu.func @subgroup_size(
  // CHECK-SAME: memref<512xi8,
  gpu.func @subgroup_size(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %i = gpu.subgroup_size : index
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @cluster_block_id(
  // CHECK-SAME: memref<256xi8,
  gpu.func @cluster_block_id(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %i = gpu.cluster_block_id x
    %p = arith.cmpi ult, %i, %n : index
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_ctaid_x(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_ctaid_x(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_nctaid_y(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_nctaid_y(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.nctaid.y : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_ntid_z(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_ntid_z(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.ntid.z : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_clusterid_x(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_clusterid_x(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.clusterid.x : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_nclusterid_x(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_nclusterid_x(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.nclusterid.x : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_cluster_ctarank(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_cluster_ctarank(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_nwarpid(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_nwarpid(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.nwarpid : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_warpsize(
  // CHECK-SAME: memref<256xi8,
  gpu.func @nvvm_warpsize(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.warpsize : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_tid_x(
  // CHECK-SAME: memref<512xi8,
  gpu.func @nvvm_tid_x(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.tid.x : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_laneid(
  // CHECK-SAME: memref<512xi8,
  gpu.func @nvvm_laneid(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.laneid : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_warpid(
  // CHECK-SAME: memref<512xi8,
  gpu.func @nvvm_warpid(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.warpid : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @nvvm_smid(
  // CHECK-SAME: memref<512xi8,
  gpu.func @nvvm_smid(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.smid : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rocdl_workgroup_id_x(
  // CHECK-SAME: memref<256xi8,
  gpu.func @rocdl_workgroup_id_x(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = rocdl.workgroup.id.x : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rocdl_workgroup_dim_y(
  // CHECK-SAME: memref<256xi8,
  gpu.func @rocdl_workgroup_dim_y(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = rocdl.workgroup.dim.y : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rocdl_grid_dim_z(
  // CHECK-SAME: memref<256xi8,
  gpu.func @rocdl_grid_dim_z(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = rocdl.grid.dim.z : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rocdl_wavefrontsize(
  // CHECK-SAME: memref<256xi8,
  gpu.func @rocdl_wavefrontsize(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = rocdl.wavefrontsize : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rocdl_workitem(
  // CHECK-SAME: memref<512xi8,
  gpu.func @rocdl_workitem(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = rocdl.workitem.id.x : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @grid(
  // CHECK-SAME: memref<256xi8,
  gpu.func @grid(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.gridid : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }

  // A workgroup may be moved to another processor while it runs.
  // CHECK-LABEL: gpu.func @processor(
  // CHECK-SAME: memref<512xi8,
  gpu.func @processor(%out: !row, %v: f32, %n: index, %e: i32) kernel {
    %t = gpu.thread_id x
    %x = memref.alloc() : !shared
    %y = memref.alloc() : !shared
    %k = nvvm.read.ptx.sreg.smid : i32
    %p = arith.cmpi ult, %k, %e : i32
    scf.if %p {
      memref.store %v, %x[%t] : !shared
      %r = memref.load %x[%t] : !shared
      memref.store %r, %out[%t] : !row
    } else {
      memref.store %v, %y[%t] : !shared
      %r = memref.load %y[%t] : !shared
      memref.store %r, %out[%t] : !row
    }
    gpu.return
  }
}
