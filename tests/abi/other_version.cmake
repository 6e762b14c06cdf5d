# SPDX-License-Identifier: BSL-1.0
# cmake -DFROM=... -DTO=... -P other_version.cmake
# Copies the headers of the project in FROM to TO, as those of another version, in which what each part shares has one
# word more.
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
replace(buffer/detail/buffer_thread_cache.hpp "    std::size_t limit_ = 0;" "    std::size_t limit_ = 0;\n    std::size_t added_ = 0;")
replace(line/line_source.hpp "    std::uint64_t offset_;" "    std::uint64_t added_ = 0;\n    std::uint64_t offset_;")
file(TOUCH "${TO}/stamp")
