# SPDX-License-Identifier: BSL-1.0
# The subjects' libraries. `lab_options` has the include folders and definitions of the installed ones.
add_library(lab_options INTERFACE)
target_link_libraries(lab_options INTERFACE lab_own_options)

# lab_library(NAME include_folder library version): an empty library means that the headers are enough.
function(lab_library name include library version)
    target_include_directories(lab_options SYSTEM INTERFACE "${include}")
    target_compile_definitions(lab_options INTERFACE FREEHOLD_LAB_HAS_${name} "LAB_${name}_VERSION=\"${version}\"")
    if(library)
        target_link_libraries(lab_options INTERFACE "${library}")
    endif()
endfunction()

find_package(Boost QUIET)
if(Boost_FOUND)
    lab_library(BOOST "${Boost_INCLUDE_DIRS}" "" "${Boost_VERSION_STRING}")
endif()

find_path(LOKI_INCLUDE_DIR loki/SmartPtr.h)
find_library(LOKI_LIBRARY loki)
if(LOKI_INCLUDE_DIR AND LOKI_LIBRARY)
    # Its headers do not state their version, but the library's file name does.
    file(REAL_PATH "${LOKI_LIBRARY}" loki_file)
    string(REGEX MATCH "[0-9]+(\\.[0-9]+)+$" loki_version "${loki_file}")
    lab_library(LOKI "${LOKI_INCLUDE_DIR}" "${LOKI_LIBRARY}" "${loki_version}")
endif()

# lab_version(result file prefix): reads MAJOR.MINOR.PATCH from three macros.
function(lab_version result file major minor patch)
    set(numbers)
    foreach(macro IN ITEMS ${major} ${minor} ${patch})
        file(STRINGS "${file}" line REGEX "#[ \t]*define[ \t]+${macro}[ \t]")
        string(REGEX MATCH "[0-9]+[^0-9]*$" number "${line}")
        string(REGEX MATCH "^[0-9]+" number "${number}")
        list(APPEND numbers "${number}")
    endforeach()
    list(JOIN numbers "." version)
    set(${result} "${version}" PARENT_SCOPE)
endfunction()

find_path(BOEHM_INCLUDE_DIR gc.h)
find_library(BOEHM_LIBRARY gc)
if(BOEHM_INCLUDE_DIR AND BOEHM_LIBRARY)
    lab_version(boehm_version "${BOEHM_INCLUDE_DIR}/gc/gc_version.h"
        GC_TMP_VERSION_MAJOR GC_TMP_VERSION_MINOR GC_TMP_VERSION_MICRO)
    lab_library(BOEHM "${BOEHM_INCLUDE_DIR}" "${BOEHM_LIBRARY}" "${boehm_version}")
endif()

find_path(TBB_INCLUDE_DIR tbb/scalable_allocator.h)
find_library(TBB_MALLOC_LIBRARY tbbmalloc)
if(TBB_INCLUDE_DIR AND TBB_MALLOC_LIBRARY)
    lab_library(TBB "${TBB_INCLUDE_DIR}" "${TBB_MALLOC_LIBRARY}" "")
endif()

find_path(URCU_INCLUDE_DIR urcu/urcu-memb.h)
find_library(URCU_MEMB_LIBRARY urcu-memb)
find_library(URCU_QSBR_LIBRARY urcu-qsbr)
if(URCU_INCLUDE_DIR AND URCU_MEMB_LIBRARY AND URCU_QSBR_LIBRARY)
    # The library states its version only in its file for pkg-config.
    get_filename_component(urcu_folder "${URCU_MEMB_LIBRARY}" DIRECTORY)
    set(urcu_version "")
    if(EXISTS "${urcu_folder}/pkgconfig/liburcu-memb.pc")
        file(STRINGS "${urcu_folder}/pkgconfig/liburcu-memb.pc" urcu_version REGEX "^Version:")
        string(REGEX REPLACE "^Version:[ \t]*" "" urcu_version "${urcu_version}")
    endif()
    lab_library(URCU "${URCU_INCLUDE_DIR}" "${URCU_MEMB_LIBRARY};${URCU_QSBR_LIBRARY}" "${urcu_version}")
endif()

find_path(CDS_INCLUDE_DIR cds/gc/hp.h)
find_library(CDS_LIBRARY cds)
if(CDS_INCLUDE_DIR AND CDS_LIBRARY)
    lab_library(CDS "${CDS_INCLUDE_DIR}" "${CDS_LIBRARY}" "")
endif()

find_package(foonathan_memory QUIET)
if(foonathan_memory_FOUND)
    lab_library(FOONATHAN "" foonathan_memory "${foonathan_memory_VERSION}")
endif()

# These libraries need only headers. Their packages are large, so the default scope does without them.
if(FREEHOLD_LAB_SCOPE STREQUAL full)
    file(GLOB llvm_folders /usr/include/llvm-*)
    list(SORT llvm_folders COMPARE NATURAL ORDER DESCENDING)
    find_path(LLVM_INCLUDE_DIR llvm/ADT/IntrusiveRefCntPtr.h HINTS ${llvm_folders})
    if(LLVM_INCLUDE_DIR)
        lab_library(LLVM "${LLVM_INCLUDE_DIR}" "" "")
    endif()
    find_path(QT_INCLUDE_DIR QtCore/QSharedPointer PATH_SUFFIXES qt5)
    if(QT_INCLUDE_DIR)
        lab_library(QT "${QT_INCLUDE_DIR}" "" "")
        target_compile_definitions(lab_options INTERFACE QT_NO_DEBUG QT_NO_VERSION_TAGGING)
    endif()
endif()
