# SPDX-License-Identifier: BSL-1.0
# The probes: what is disassembled, or run, is in `probes/` beside freehold-lab.

# lab_copy_object(target name property): appends the copy to a global property.
function(lab_copy_object target name property)
    set(copy "${CMAKE_CURRENT_BINARY_DIR}/probes/${name}.o")
    add_custom_command(OUTPUT "${copy}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory probes
        COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_OBJECTS:${target}>" "${copy}"
        DEPENDS ${target} "$<TARGET_OBJECTS:${target}>" VERBATIM)
    set_property(GLOBAL APPEND PROPERTY ${property} "${copy}")
endfunction()

# Of each handle an object file with the code of its operations, for the suite `footprint`. A subject whose library is not
# installed has none.
if(NOT FREEHOLD_LAB_SCOPE STREQUAL second)
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
        lab_copy_object(probe_${subject} ${subject} lab_probe_copies)
    endforeach()
endif()

# The probes of zeroing: executables which are run, and the object files in them that are disassembled. Each is built
# with the compiler's own standard library and, where it finds it, with libc++, which adds `-libc++` to the names.

# What the automatic fix of each check of clang-tidy makes of the file that is named after it: in `fixed/`.
find_program(CLANG_TIDY clang-tidy)
mark_as_advanced(CLANG_TIDY)
set(clang_tidy_definition)
set(fixed_files)
if(CLANG_TIDY)
    execute_process(COMMAND "${CLANG_TIDY}" --version OUTPUT_VARIABLE clang_tidy_version)
    string(REGEX MATCH "[0-9]+\\.[0-9]+" clang_tidy_version "${clang_tidy_version}")
    set(clang_tidy_definition "FREEHOLD_LAB_CLANG_TIDY=\"clang-tidy ${clang_tidy_version}\"")
    file(GLOB lint_files CONFIGURE_DEPENDS probes/hidden_zeroing/lint/*.cpp)
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fixed")
    foreach(source IN LISTS lint_files)
        get_filename_component(check "${source}" NAME_WE)
        set(fixed "${CMAKE_CURRENT_BINARY_DIR}/fixed/${check}.cpp")
        add_custom_command(OUTPUT "${fixed}"
            COMMAND "${CMAKE_COMMAND}" -E copy "${source}" "${fixed}"
            COMMAND "${CLANG_TIDY}" --quiet "--config={Checks: '-*,${check}'}" --fix "${fixed}" -- -std=c++20
                > "${check}.log" 2>&1
            WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/fixed" DEPENDS "${source}" VERBATIM)
        list(APPEND fixed_files "${fixed}")
    endforeach()
endif()
add_custom_target(lab_fixed_files DEPENDS ${fixed_files})

# zeroing_code(name source property library_options [option...]): one source on its own, so that no other's code is inlined into
# it or it into theirs.
function(zeroing_code name source property library_options)
    add_library(${name}-code OBJECT EXCLUDE_FROM_ALL ${source})
    if(property STREQUAL hidden_zeroing_copies)
        add_dependencies(${name}-code lab_fixed_files)
    endif()
    target_link_libraries(${name}-code PRIVATE lab_own_options)
    target_compile_options(${name}-code PRIVATE ${library_options} -ffunction-sections ${ARGN})
    lab_copy_object(${name}-code ${name} ${property})
endfunction()

# zeroing_probe(name main library_options libraries code...): what runs the functions of `code`, whose names are those
# of zeroing_code.
function(zeroing_probe name main library_options libraries)
    set(objects ${ARGN})
    list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:\\1-code>")
    add_executable(${name} ${main} probes/patterned_heap.cpp ${objects})
    target_link_libraries(${name} PRIVATE lab_own_options ${libraries})
    target_compile_options(${name} PRIVATE ${library_options})
    target_link_options(${name} PRIVATE ${libraries})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/probes")
endfunction()

# That memory is left uninitialised is what the constructs are about; that g++ 12 sees overflows in libc++, which is no
# system header to it after inlining, is not.
set(construct_options -O2)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND construct_options -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
endif()

function(zeroing_probes suffix library_options libraries)
    zeroing_code(makings${suffix} probes/makings.cpp lab_probe_copies "${library_options}")
    zeroing_probe(makings${suffix} probes/makings_main.cpp "${library_options}" "${libraries}" makings${suffix})

    set(constructs constructs${suffix})
    set(of_cpp23 constructs_cpp23${suffix})
    zeroing_code(${constructs} probes/hidden_zeroing/constructs.cpp hidden_zeroing_copies "${library_options}" ${construct_options})
    zeroing_code(${of_cpp23} probes/hidden_zeroing/constructs_cpp23.cpp hidden_zeroing_copies "${library_options}" ${construct_options})
    if("cxx_std_23" IN_LIST CMAKE_CXX_COMPILE_FEATURES)
        set_target_properties(${of_cpp23}-code PROPERTIES CXX_STANDARD 23)
    endif()
    zeroing_probe(${constructs} probes/hidden_zeroing/main.cpp "${library_options}" "${libraries}" ${constructs}
        ${of_cpp23})
    set_target_properties(${constructs} PROPERTIES EXCLUDE_FROM_ALL ON)
    set_property(GLOBAL APPEND PROPERTY hidden_zeroing_copies ${constructs})
    foreach(target IN ITEMS ${constructs} ${constructs}-code)
        target_compile_definitions(${target} PRIVATE ${clang_tidy_definition})
    endforeach()
endfunction()

zeroing_probes("" "" "")
if(LAB_COMPILES_WITH_LIBCXX)
    zeroing_probes("-libc++" "${libcxx_options}" "${libcxx_libraries}")
    set_source_files_properties(suites/packets/zeroing_probes.cpp PROPERTIES COMPILE_DEFINITIONS FREEHOLD_LAB_HAS_LIBCXX)
endif()

get_property(copies GLOBAL PROPERTY lab_probe_copies)
add_custom_target(lab_probes ALL DEPENDS ${copies})

# What scripts/hidden-zeroing reads; no suite does.
get_property(copies GLOBAL PROPERTY hidden_zeroing_copies)
add_custom_target(lab_hidden_zeroing DEPENDS ${copies})
