# SPDX-License-Identifier: BSL-1.0
# Every ```cpp block of README.md and docs/ is compiled as it stands. One with a main is a program: it is run as a test,
# called documented_code.FILE.LINE. The one that reads from S3 is run by documented_s3_test.cpp. Those of lab/README.md
# are headers of the lab: a subject, and a suite that measures it.
file(GLOB documents CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/docs/*.md")
list(APPEND documents "${PROJECT_SOURCE_DIR}/lab/README.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${documents}")

# The line number at which TEXT ends.
function(count_lines text out)
    string(REGEX MATCHALL "\n" breaks "${text}")
    list(LENGTH breaks count)
    set(${out} ${count} PARENT_SCOPE)
endfunction()

set(passages)
set(lab_includes)
foreach(document IN LISTS documents)
    get_filename_component(document_name "${document}" NAME_WE)
    file(READ "${document}" rest)
    set(line 1)
    string(FIND "${rest}" "\n```cpp\n" begin)
    while(NOT begin EQUAL -1)
        math(EXPR begin "${begin} + 8")
        string(SUBSTRING "${rest}" 0 ${begin} before)
        string(SUBSTRING "${rest}" ${begin} -1 rest)
        count_lines("${before}" lines)
        math(EXPR line "${line} + ${lines}")
        string(FIND "${rest}" "```" end)
        string(SUBSTRING "${rest}" 0 ${end} code)

        set(source "${CMAKE_CURRENT_BINARY_DIR}/documented/${document_name}_${line}.cpp")
        if(document MATCHES "/lab/README.md$")
            set(source "${CMAKE_CURRENT_BINARY_DIR}/documented/lab_${line}.hpp")
        endif()
        file(CONFIGURE OUTPUT "${source}" CONTENT "#line ${line} \"${document}\"\n@code@" @ONLY)
        if(document MATCHES "/lab/README.md$")
            string(APPEND lab_includes "#include \"lab_${line}.hpp\"\n")
        elseif(code MATCHES "freehold/cache/s3_source" AND NOT TARGET freehold::s3)
            message(STATUS "${document_name}, line ${line}: not compiled, because freehold::s3 is missing")
        elseif(code MATCHES "freehold/cache/arrow_|<arrow/" AND NOT TARGET freehold::parquet_library)
            message(STATUS "${document_name}, line ${line}: not compiled, because freehold::arrow with Parquet is missing")
        elseif(code MATCHES "<yaml-cpp/")
            message(STATUS "${document_name}, line ${line}: not compiled, because it needs the sources of yaml-cpp")
        elseif(code MATCHES "int main\\(")
            add_executable(documented_${document_name}_${line} "${source}")
            target_link_libraries(documented_${document_name}_${line} PRIVATE
                freehold::freehold $<TARGET_NAME_IF_EXISTS:freehold::s3>
                $<TARGET_NAME_IF_EXISTS:freehold::arrow> $<TARGET_NAME_IF_EXISTS:freehold::parquet_library> freehold_warnings)
            target_compile_options(documented_${document_name}_${line} PRIVATE ${freehold_test_optimisation})
            add_test(NAME documented_code.${document_name}.${line} COMMAND documented_${document_name}_${line})
        elseif(code MATCHES "count_newlines\\(")
            freehold_test(documented_s3 documented_s3_test.cpp "${source}" LINK freehold::s3 s3_server LABELS repository)
        else()
            list(APPEND passages "${source}")
        endif()
        string(FIND "${rest}" "\n```cpp\n" begin)
    endwhile()
endforeach()

file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/documented/lab.cpp" CONTENT
    "${lab_includes}template class lab::registered<lab::exchange::suite, lab::handles::dumb>;\n" @ONLY)
add_library(repository_documented_lab OBJECT "${CMAKE_CURRENT_BINARY_DIR}/documented/lab.cpp")
target_include_directories(repository_documented_lab PRIVATE "${PROJECT_SOURCE_DIR}/lab")
target_link_libraries(repository_documented_lab PRIVATE freehold::freehold freehold_support freehold_warnings)

if(passages)
    add_subdirectory(passages)
endif()
