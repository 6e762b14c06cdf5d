# SPDX-License-Identifier: BSL-1.0
# node and npm, and the installation of locked packages into the build directory.
find_program(FREEHOLD_NODE NAMES node nodejs)
find_program(FREEHOLD_NPM npm)
mark_as_advanced(FREEHOLD_NODE FREEHOLD_NPM)
if(NOT FREEHOLD_NODE OR NOT FREEHOLD_NPM)
    message(FATAL_ERROR "The report's page is bundled with node and npm, which were not found. Install the packages "
        "nodejs and npm (apt-get install nodejs npm), or leave the program out with -DFREEHOLD_BUILD_PROGRAM=OFF.")
endif()
execute_process(COMMAND "${FREEHOLD_NODE}" --version OUTPUT_VARIABLE node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "v" "" node_version "${node_version}")
if(node_version VERSION_LESS 18)
    message(FATAL_ERROR "The report's page is bundled with node 18 or later; ${FREEHOLD_NODE} is ${node_version}. "
        "Install a later version of the package nodejs, or name its executable with -DFREEHOLD_NODE=...")
endif()

# freehold_npm_install(FOLDER): installs exactly what package-lock.json in this source folder locks into
# FOLDER/node_modules; FOLDER/installed is touched when it is there.
function(freehold_npm_install folder)
    set(manifests)
    foreach(name IN ITEMS package.json package-lock.json .npmrc)
        list(APPEND manifests "${CMAKE_CURRENT_SOURCE_DIR}/${name}")
    endforeach()
    add_custom_command(OUTPUT "${folder}/installed"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
        COMMAND "${CMAKE_COMMAND}" -E copy ${manifests} "${folder}"
        COMMAND "${CMAKE_COMMAND}" -E chdir "${folder}" "${FREEHOLD_NPM}" ci --prefer-offline --loglevel=error
        COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/installed"
        DEPENDS ${manifests}
        COMMENT "Installing the locked packages of ${CMAKE_CURRENT_SOURCE_DIR}"
        VERBATIM)
endfunction()
