# SPDX-License-Identifier: BSL-1.0
# The probes. The files that are disassembled or run are in `probes/` beside freehold-lab.

# lab_copy_object(target name): the object file of the target becomes probes/NAME.o.
function(lab_copy_object target name)
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/probes/${name}.o")
    add_custom_command(OUTPUT "${copy}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory probes
        COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_OBJECTS:${target}>" "${copy}"
        DEPENDS ${target} "$<TARGET_OBJECTS:${target}>" VERBATIM)
    set_property(GLOBAL APPEND PROPERTY lab_probe_copies "${copy}")
endfunction()

# One object file for each handle, with the code of its operations, for the suite `footprint`. A subject whose library
# is not installed has none.
if(FREEHOLD_LAB_SCOPE STREQUAL full OR NOT FREEHOLD_LAB_SECOND_COMPILER)
    file(GLOB handle_files CONFIGURE_DEPENDS subjects/handles/*.hpp)
    get_target_property(lab_definitions lab_options INTERFACE_COMPILE_DEFINITIONS)
    foreach(file IN LISTS handle_files)
        get_filename_component(subject "${file}" NAME_WE)
        file(READ "${file}" text)
        if(text MATCHES "#if LAB_HAS_([A-Z]+)")
            if(NOT "FREEHOLD_LAB_HAS_${CMAKE_MATCH_1}" IN_LIST lab_definitions)
                continue()
            endif()
        endif()
        add_library(probe_${subject} OBJECT probes/probe.cpp)
        target_link_libraries(probe_${subject} PRIVATE lab_options)
        target_compile_options(probe_${subject} PRIVATE -ffunction-sections)
        target_compile_definitions(probe_${subject} PRIVATE PROBED_SUBJECT=${subject}
            PROBED_HEADER="subjects/handles/${subject}.hpp")
        lab_copy_object(probe_${subject} ${subject})
    endforeach()
endif()

# The probes of zeroing. Each is an executable that the lab runs. The lab disassembles one of its object files. That one
# has a source of its own, so that no other code is inlined into it. Each probe is built with the compiler's own
# standard library and, where the compiler finds it, with libc++.
function(zeroing_probe name common library_options libraries)
    add_library(${name}-code OBJECT probes/makings.cpp)
    target_link_libraries(${name}-code PRIVATE lab_own_options)
    target_compile_options(${name}-code PRIVATE ${library_options} -ffunction-sections)
    lab_copy_object(${name}-code ${name})
    add_executable(${name} probes/makings_main.cpp probes/patterned_heap.cpp $<TARGET_OBJECTS:${name}-code>
        $<TARGET_OBJECTS:${common}>)
    target_link_libraries(${name} PRIVATE lab_own_options ${libraries})
    target_compile_options(${name} PRIVATE ${library_options})
    target_link_options(${name} PRIVATE ${libraries})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/probes")
endfunction()

zeroing_probe(makings lab_common "" "")
if(LAB_COMPILES_WITH_LIBCXX)
    zeroing_probe(makings-libc++ lab_common_libcxx "${libcxx_options}" "${libcxx_libraries}")
    set_source_files_properties(suites/packets/zeroing_probes.cpp PROPERTIES COMPILE_DEFINITIONS FREEHOLD_LAB_HAS_LIBCXX)
endif()

get_property(copies GLOBAL PROPERTY lab_probe_copies)
add_custom_target(lab_probes ALL DEPENDS ${copies})
