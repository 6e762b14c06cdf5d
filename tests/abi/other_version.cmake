# SPDX-License-Identifier: BSL-1.0
# cmake -DFROM=... -DTO=... -P other_version.cmake
# Copies the headers of the project in FROM to TO, as those of another version whose thread_cache has one word more.
file(REMOVE_RECURSE "${TO}/include")
file(COPY "${FROM}/include" DESTINATION "${TO}")

function(replace file from to)
    file(READ "${TO}/include/freehold/${file}" text)
    string(REPLACE "${from}" "${to}" changed "${text}")
    if(changed STREQUAL text)
        message(FATAL_ERROR "${file} has no '${from}' any more: tell other_version.cmake what to change instead")
    endif()
    file(WRITE "${TO}/include/freehold/${file}" "${changed}")
endfunction()
replace(version.hpp "#define FREEHOLD_ABI_VERSION " "#define FREEHOLD_ABI_VERSION 9")
replace(memory/detail/thread_cache.hpp "    magazine* loaded_ = nullptr;" "    void* added_ = nullptr;\n    magazine* loaded_ = nullptr;")
file(TOUCH "${TO}/stamp")
