# SPDX-License-Identifier: BSL-1.0
# The target s3_server, for the lab and for the tests, if libcurl is found. The project has added ../../support before.
find_package(CURL 7.87 QUIET)
if(CURL_FOUND AND NOT TARGET s3_server)
    find_package(Threads REQUIRED)
    add_library(s3_server STATIC EXCLUDE_FROM_ALL
        "${CMAKE_CURRENT_LIST_DIR}/s3_server.cpp" "${CMAKE_CURRENT_LIST_DIR}/s3_upload.cpp")
    target_include_directories(s3_server PUBLIC "${CMAKE_CURRENT_LIST_DIR}/..")
    target_link_libraries(s3_server PUBLIC freehold_support CURL::libcurl Threads::Threads)
endif()
