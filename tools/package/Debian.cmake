# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages, a component each: `ninja -C build package` (needs dpkg-dev).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME berth)
set(CPACK_PACKAGE_VENDOR Berth)
set(CPACK_PACKAGE_CONTACT "The Berth developers <berth@localhost>" CACHE STRING
    "Who made the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Memory planner for MLIR")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_COMPONENTS_ALL runtime development tools python)
if(BERTH_ENABLE_MLIR)
  list(APPEND CPACK_COMPONENTS_ALL mlir)
endif()

# debian_package(<component> <name> <section> <summary> <packages>...): which
# other packages it needs, besides the libraries that its programs link.
set(same "(= ${PROJECT_VERSION})")
# isl is opened at run time, where nobody sees it.
set(isl)
if(TARGET berth-fold)
  get_target_property(definitions berth-fold COMPILE_DEFINITIONS)
  if(definitions MATCHES "BERTH_ISL_LIBRARY=\"(lib[a-z]+)\\.so\\.([0-9]+)")
    set(isl ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
  endif()
endif()
macro(debian_package component name section summary)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}")
  string(REPLACE ";" ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGN}")
endmacro()
debian_package(runtime libberth${PROJECT_VERSION_MAJOR} libs
  "Packs buffers with lifetimes into one block of memory: the library")
debian_package(development libberth-dev libdevel
  "Headers, archives and CMake files of Berth"
  "libberth${PROJECT_VERSION_MAJOR} ${same}" "berth-tools ${same}")
debian_package(tools berth-tools devel
  "berth-pack, which packs buffers, and berth-smith, which writes programs"
  ${isl})
debian_package(mlir berth-mlir-plugin devel
  "Memory planning passes for mlir-opt ${LLVM_VERSION_MAJOR}, a driver and a language server"
  "berth-tools ${same}" ${isl})
set(CPACK_DEBIAN_MLIR_PACKAGE_RECOMMENDS mlir-${LLVM_VERSION_MAJOR}-tools)
debian_package(python python3-berth python
  "Berth for Python" "python3" "libberth${PROJECT_VERSION_MAJOR} ${same}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
    ${CMAKE_CURRENT_SOURCE_DIR}/python/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS berth-mlir-plugin)
include(CPack)
