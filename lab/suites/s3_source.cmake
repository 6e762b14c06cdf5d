# SPDX-License-Identifier: BSL-1.0
# The target lab_s3, freehold's s3_source, for the suites that read from S3. They have found libcurl before.
if(NOT TARGET lab_s3)
    file(GLOB s3_source_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/../../src/line/s3/*.cpp")
    add_library(lab_s3 STATIC ${s3_source_files})
    target_include_directories(lab_s3 PRIVATE "${CMAKE_CURRENT_LIST_DIR}/../../src")
    target_link_libraries(lab_s3 PRIVATE lab_own_options CURL::libcurl)
endif()
