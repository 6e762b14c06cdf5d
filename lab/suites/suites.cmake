# SPDX-License-Identifier: BSL-1.0
# The kernels of all suites, as the object libraries `lab_first` and `lab_rest`. CMake finds the files:
#
#   suites/<suite>/suite.json        describes the suite
#   suites/<suite>/suite.cmake       optional: its libraries, or why it is missing; not in a first suite
#   suites/<suite>/*.cpp             kernels that register themselves
#   suites/<suite>/<kind>.hpp        kernels for each subject of a kind: it defines lab::<suite>::suite
#   subjects/<kind>/<subject>.hpp    a subject of that kind: it defines lab::<kind>::<subject>
#
# For each subject, this file makes a source that registers the kernels of every suite of the subject's kind. So no
# source takes long to compile, and all processors can compile at the same time.
set(LAB_KINDS handles collectors blocks pointers)

set(suite_libraries)
set(suite_texts)
set(first_sources)
# The code for `footprint` and `packets` that reads the probes (../probes/probes.cmake).
set(rest_sources probes/disassembly.cpp probes/made_packets.cpp probes/operands.cpp probes/probe_file.cpp
    probes/zeroing.cpp)
file(GLOB suite_files CONFIGURE_DEPENDS suites/*/suite.json)
foreach(kind IN LISTS LAB_KINDS)
    set(${kind}_first)
    set(${kind}_rest)
endforeach()

foreach(file IN LISTS suite_files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(JSON suite GET "${text}" key)
    string(JSON first GET "${text}" first)
    get_filename_component(folder "${file}" DIRECTORY)

    # A second compiler's lab has only the files that the suite's description names, or all if it names none and the
    # scope is full.
    set(wanted "")
    if(FREEHOLD_LAB_SECOND_COMPILER)
        string(JSON count ERROR_VARIABLE unnamed LENGTH "${text}" second_compiler)
        if(unnamed AND FREEHOLD_LAB_SCOPE STREQUAL default OR count EQUAL 0)
            string(APPEND suite_texts "    R\"json(${text})json\",\n")
            continue()
        elseif(NOT unnamed)
            math(EXPR last "${count} - 1")
            foreach(i RANGE ${last})
                string(JSON name GET "${text}" second_compiler ${i})
                list(APPEND wanted ${name})
            endforeach()
        endif()
    endif()

    set(missing "")
    include("${folder}/suite.cmake" OPTIONAL)
    if(missing)
        message(STATUS "The suite ${suite} will be skipped: ${missing}")
        foreach(mode IN ITEMS quick default full)
            string(JSON text SET "${text}" schedule ${mode} typical_seconds 1)
        endforeach()
    endif()
    string(APPEND suite_texts "    R\"json(${text})json\",\n")
    if(missing)
        string(JSON first_case GET "${text}" cases 0 key)
        file(CONFIGURE OUTPUT "missing/${suite}.cpp" CONTENT [[
#include "runner/registry.hpp"
#include "subjects/shared_identities.hpp"
static const lab::registration here(
    "@suite@",
    [](lab::plan& into, const lab::selection&) {
        into.skipped.push_back({lab::key_of(lab::identities::lower_bound.name), "@first_case@", "@missing@"});
    },
    lab::subjects_of({lab::identities::lower_bound}));
]] @ONLY)
        list(APPEND rest_sources "${CMAKE_CURRENT_BINARY_DIR}/missing/${suite}.cpp")
        continue()
    endif()

    file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
    foreach(source IN LISTS sources)
        get_filename_component(name "${source}" NAME_WE)
        if(wanted AND NOT name IN_LIST wanted)
            continue()
        elseif(first)
            list(APPEND first_sources "${source}")
        else()
            list(APPEND rest_sources "${source}")
        endif()
    endforeach()
    foreach(kind IN LISTS LAB_KINDS)
        if(EXISTS "${folder}/${kind}.hpp" AND (NOT wanted OR kind IN_LIST wanted))
            if(first)
                list(APPEND ${kind}_first ${suite})
            else()
                list(APPEND ${kind}_rest ${suite})
            endif()
        endif()
    endforeach()
endforeach()

# lab_registration(result kind subject name suite...): makes a source that registers the suites' kernels for a subject.
function(lab_registration result kind subject name)
    set(file "${CMAKE_CURRENT_BINARY_DIR}/registrations/${name}.cpp")
    set(content "#include \"subjects/${kind}/${subject}.hpp\"\n")
    foreach(suite IN LISTS ARGN)
        string(APPEND content "#include \"suites/${suite}/${kind}.hpp\"\n")
    endforeach()
    foreach(suite IN LISTS ARGN)
        string(APPEND content
            "static const lab::registered<lab::${suite}::suite, lab::${kind}::${subject}> in_${suite}(\"${suite}\");\n")
    endforeach()
    file(CONFIGURE OUTPUT "${file}" CONTENT "${content}" @ONLY)
    set(${result} ${${result}} "${file}" PARENT_SCOPE)
endfunction()

foreach(kind IN LISTS LAB_KINDS)
    file(GLOB files CONFIGURE_DEPENDS subjects/${kind}/*.hpp)
    foreach(file IN LISTS files)
        get_filename_component(subject "${file}" NAME_WE)
        file(READ "${file}" text)
        if(${kind}_first AND text MATCHES "family::(lower_bound|freehold|standard|boost)" AND
            NOT text MATCHES "\\.folded = true")
            lab_registration(first_sources ${kind} ${subject} ${kind}/${subject} ${${kind}_first})
            if(${kind}_rest)
                lab_registration(rest_sources ${kind} ${subject} ${kind}/${subject}_rest ${${kind}_rest})
            endif()
        elseif(${kind}_first OR ${kind}_rest)
            lab_registration(rest_sources ${kind} ${subject} ${kind}/${subject} ${${kind}_first} ${${kind}_rest})
        endif()
    endforeach()
endforeach()

file(CONFIGURE OUTPUT suite_texts.hpp CONTENT [[
#pragma once
#include <string_view>
inline constexpr std::string_view suite_texts[] = {
@suite_texts@};
]] @ONLY)

add_library(lab_first OBJECT ${first_sources})
add_library(lab_rest OBJECT ${rest_sources})
foreach(target IN ITEMS lab_first lab_rest)
    target_link_libraries(${target} PRIVATE lab_options)
    # The kernels of `operations` are long sequences of inlined operations. g++ must not stop inlining when they grow
    # long.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE
            --param=large-function-insns=1000000 --param=large-unit-insns=10000000)
    endif()
endforeach()
target_link_libraries(lab_rest PRIVATE ${suite_libraries})

# These headers take a third of the time to compile most kernels.
target_precompile_headers(lab_first PRIVATE
    <algorithm> <array> <chrono> <cmath> <fstream> <functional> <map> <memory> <mutex> <optional> <random> <semaphore>
    <span> <string> <thread> <vector>)
target_precompile_headers(lab_rest REUSE_FROM lab_first)
