# SPDX-License-Identifier: BSL-1.0
# What freehold's own executables are compiled with; users of the library never see it.
if(NOT DEFINED CMAKE_CXX_STANDARD)
    set(CMAKE_CXX_STANDARD 20)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

include(FreeholdWarnings)

# g++ collects garbage from 128 MB on. From 600 MB on, it compiles large files in 0.93 of the time.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>)

if(FREEHOLD_SANITIZE)
    add_compile_options(-fsanitize=${FREEHOLD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${FREEHOLD_SANITIZE})
    # The sanitizers' own code makes g++ take std::regex for uninitialised.
    target_compile_options(freehold_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# freehold_add_targets_below(FOLDER TARGET): makes TARGET depend on everything that `all` builds in FOLDER and below.
function(freehold_add_targets_below folder target)
    get_property(built DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(each IN LISTS built)
        get_target_property(type ${each} TYPE)
        get_target_property(is_excluded ${each} EXCLUDE_FROM_ALL)
        if(type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY|UTILITY)$" AND NOT is_excluded)
            add_dependencies(${target} ${each})
        endif()
    endforeach()
    get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(each IN LISTS folders)
        freehold_add_targets_below("${each}" ${target})
    endforeach()
endfunction()
