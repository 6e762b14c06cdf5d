# SPDX-License-Identifier: BSL-1.0
# The lab is a project of its own (lab/CMakeLists.txt), built here once for each compiler, always optimised. The program
# `freehold` runs `<build>/lab/<compiler>/freehold-lab`. What the lab measures besides the library may be installed
# later: every build looks again.
#
#   freehold_lab_first   `freehold-lab-first` of the first compiler: what the report's first page needs
#   freehold_lab         `freehold-lab` of every compiler; those after the first have only what their figures differ by
include(ExternalProject)

set(found_compilers)
foreach(name IN ITEMS g++ clang++)
    find_program(FREEHOLD_COMPILER_${name} ${name})
    mark_as_advanced(FREEHOLD_COMPILER_${name})
    if(FREEHOLD_COMPILER_${name})
        list(APPEND found_compilers ${name})
    endif()
endforeach()
set(FREEHOLD_LAB_COMPILERS "${found_compilers}" CACHE STRING "The compilers that the lab is built with")
set(FREEHOLD_LAB_SCOPE default CACHE STRING
    "default, or full: also what needs a language or a large package of its own")
set_property(CACHE FREEHOLD_LAB_SCOPE PROPERTY STRINGS default full)

# A lab's build shows its steps as such. scripts/lib/progress.sh reads them.
set(build_lab "${CMAKE_COMMAND}" -E env "NINJA_STATUS=[lab %f/%t] " "${CMAKE_COMMAND}" --build)
set(second OFF)
add_custom_target(freehold_lab)
foreach(compiler IN LISTS FREEHOLD_LAB_COMPILERS)
    get_filename_component(name "${compiler}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" target)
    ExternalProject_Add(freehold_lab_${target}
        SOURCE_DIR "${PROJECT_SOURCE_DIR}/lab"
        BINARY_DIR "${PROJECT_BINARY_DIR}/lab/${name}"
        CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${compiler} -DFREEHOLD_PYARROW=${FREEHOLD_PYARROW}
            -DFREEHOLD_LAB_SCOPE=${FREEHOLD_LAB_SCOPE} -DFREEHOLD_LAB_SECOND_COMPILER=${second}
            -DFREEHOLD_WARNINGS_AS_ERRORS=${FREEHOLD_WARNINGS_AS_ERRORS}
        STEP_TARGETS look_again
        BUILD_COMMAND ${build_lab} <BINARY_DIR>
        INSTALL_COMMAND ""
        BUILD_ALWAYS ON
        USES_TERMINAL_BUILD ON)
    ExternalProject_Add_Step(freehold_lab_${target} look_again
        COMMAND "${CMAKE_COMMAND}" -S <SOURCE_DIR> -B <BINARY_DIR>
        COMMENT "Looking for what is measured with ${name}"
        DEPENDEES configure DEPENDERS build ALWAYS ON USES_TERMINAL ON)
    add_dependencies(freehold_lab freehold_lab_${target})
    if(NOT TARGET freehold_lab_first)
        add_custom_target(freehold_lab_first
            COMMAND ${build_lab} "${PROJECT_BINARY_DIR}/lab/${name}" --target freehold-lab-first
            COMMENT "Building the first page's lab with ${name}" USES_TERMINAL VERBATIM)
        add_dependencies(freehold_lab_first freehold_lab_${target}-look_again)
        set(second ON)
    endif()
endforeach()
