# SPDX-License-Identifier: BSL-1.0
# The external processes (../README.md). freehold-lab starts the files in `freehold-lab.processes/` beside it. Most are
# scripts. A script starts an executable in `hosted/` and passes what to measure, or the reason why that is impossible.
# One host object for each standard library.
set(host_sources processes/host.cpp runner/process_setting.cpp runner/subject.cpp)
add_library(lab_host OBJECT ${host_sources})
target_link_libraries(lab_host PRIVATE lab_own_options)
if(LAB_COMPILES_WITH_LIBCXX)
    add_library(lab_host_libcxx OBJECT ${host_sources})
    target_link_libraries(lab_host_libcxx PRIVATE lab_own_options)
    target_compile_options(lab_host_libcxx PRIVATE ${libcxx_options})
endif()

# lab_hosted(target source library optimisation [option...]): an executable in `hosted/`.
function(lab_hosted target source library optimisation)
    set(flags "${optimisation}")
    set(host $<TARGET_OBJECTS:lab_host> $<TARGET_OBJECTS:lab_common>)
    set(options ${optimisation} ${ARGN})
    if(library STREQUAL "libc++")
        set(host $<TARGET_OBJECTS:lab_host_libcxx> $<TARGET_OBJECTS:lab_common_libcxx>)
        list(APPEND options ${libcxx_options})
        set(flags "${flags} -stdlib=libc++")
    endif()
    # A separate object library, so that its objects precede the host's. If both define the same inline function, the
    # linker takes the first.
    add_library(${target}_objects OBJECT ${source})
    target_link_libraries(${target}_objects PRIVATE lab_own_options)
    target_compile_options(${target}_objects PRIVATE ${options})
    target_compile_definitions(${target}_objects PRIVATE "LAB_PROCESS_FLAGS=\"${flags} -DNDEBUG -std=c++20\"")
    add_executable(${target} $<TARGET_OBJECTS:${target}_objects> ${host})
    target_link_libraries(${target} PRIVATE lab_own_options)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/hosted")
    if(library STREQUAL "libc++")
        target_link_options(${target} PRIVATE ${libcxx_libraries})
        target_link_libraries(${target} PRIVATE ${libcxx_libraries})
    endif()
endfunction()

# lab_process(name executable preloaded word...): a script that starts an executable in `hosted/` with these words.
set(processes_folder "${CMAKE_CURRENT_BINARY_DIR}/freehold-lab.processes")
file(REMOVE_RECURSE "${processes_folder}")
function(lab_process name executable preloaded)
    set(words)
    foreach(word IN LISTS ARGN)
        string(REPLACE "'" "'\\''" word "${word}")
        string(APPEND words " '${word}'")
    endforeach()
    set(environment)
    if(preloaded)
        set(environment "env LD_PRELOAD='${preloaded}' ")
    endif()
    set(script "${processes_folder}/${name}")
    file(WRITE "${script}" "#!/bin/sh
exec ${environment}\"\${0%/*}/../hosted/${executable}\"${words} \"$@\"
")
    file(CHMOD "${script}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
        WORLD_EXECUTE)
endfunction()

set(no_libcxx "install libc++ (Debian: libc++-dev libc++abi-dev), and build the lab again")

# The program of the article of 2016, and std::shared_ptr with libc++.
foreach(optimisation IN ITEMS O0 O3)
    lab_hosted(article_${optimisation} processes/article.cpp libstdc++ -${optimisation})
    string(TOLOWER ${optimisation} level)
    lab_process(article-${level}-libstdc++ article_${optimisation} "" article.${level}.libstdc++)
    if(LAB_COMPILES_WITH_LIBCXX)
        lab_hosted(article_${optimisation}_libcxx processes/article.cpp libc++ -${optimisation})
        lab_process(article-${level}-libc++ article_${optimisation}_libcxx "" article.${level}.libc++)
    endif()
endforeach()
if(LAB_COMPILES_WITH_LIBCXX)
    lab_hosted(standard_library processes/standard_library.cpp libc++ -O3)
    lab_process(standard_library-libc++ standard_library "")
else()
    lab_hosted(standard_library processes/standard_library.cpp libstdc++ -O3)
    lab_process(standard_library-libc++ standard_library "" "${no_libcxx}")
endif()

if(NOT FREEHOLD_LAB_SECOND_COMPILER)
    include(processes/allocators.cmake)
    include(processes/rust.cmake)
endif()
