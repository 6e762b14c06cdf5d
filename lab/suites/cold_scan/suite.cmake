# SPDX-License-Identifier: BSL-1.0
# The suite uses the lab's own server. If the lab's scope is full, it also uses versitygw.
find_package(CURL 7.87 QUIET)
if(CURL_FOUND)
    list(APPEND suite_libraries CURL::libcurl)
    if(FREEHOLD_LAB_SCOPE STREQUAL full)
        include("${CMAKE_CURRENT_SOURCE_DIR}/servers/servers.cmake")
        list(APPEND suite_libraries s3_server)
    endif()
    add_executable(file_server servers/file_server.cpp)
    target_link_libraries(file_server PRIVATE lab_own_options)
else()
    set(missing "install libcurl's headers (Debian: libcurl4-openssl-dev), and build the lab again")
endif()
