# SPDX-License-Identifier: BSL-1.0
# The probes of zeroing (makings.hpp): for the compiler's own standard library and for libc++, an executable in
# `probes/` beside freehold-lab, which runs it, and the object file that freehold-lab disassembles.
function(lab_makings name)
    cmake_parse_arguments(arg "" "" "OPTIONS;LIBRARIES" ${ARGN})
    # On its own, so that no other file's code is inlined into it or it into theirs.
    add_library(${name}-code OBJECT probes/makings.cpp)
    target_link_libraries(${name}-code PRIVATE lab_own_options)
    target_compile_options(${name}-code PRIVATE ${arg_OPTIONS} -ffunction-sections)
    add_executable(${name} probes/makings_main.cpp probes/patterned_heap.cpp "$<TARGET_OBJECTS:${name}-code>")
    target_link_libraries(${name} PRIVATE lab_own_options ${arg_LIBRARIES})
    target_compile_options(${name} PRIVATE ${arg_OPTIONS})
    target_link_options(${name} PRIVATE ${arg_LIBRARIES})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/probes")
    lab_copy_object(${name}-code ${name})
endfunction()

lab_makings(makings)
if(LAB_COMPILES_WITH_LIBCXX)
    lab_makings(makings-libc++ OPTIONS ${libcxx_options} LIBRARIES ${libcxx_libraries})
    set_source_files_properties(suites/packets_zeroing.cpp PROPERTIES COMPILE_DEFINITIONS FREEHOLD_LAB_HAS_LIBCXX)
endif()
