// SPDX-License-Identifier: BSL-1.0
#include "project.hpp"

#include <cstdlib>

#include <clang/Basic/FileManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace freehold::check {

using namespace clang;

namespace {

using file_name = llvm::SmallString<256>;

bool is_below(llvm::StringRef name, llvm::StringRef folder) {
    return name.consume_front(folder) &&
           (name.empty() || name.front() == '/' || folder.empty() || folder.back() == '/');
}

}  // namespace

bool is_in_project(SourceLocation where, const SourceManager& sources) {
    const char* project = std::getenv("FREEHOLD_CHECK_PROJECT");
    if (project == nullptr || sources.isInMainFile(sources.getExpansionLoc(where))) return true;
    const PresumedLoc place = sources.getPresumedLoc(where, false);
    if (place.isInvalid()) return true;
    FileManager& files = sources.getFileManager();
    file_name name(place.getFilename());
    files.makeAbsolutePath(name);
    // A folder of links, and a project that is reached by a link.
    file_name real;
    file_name real_project;
    auto& system = files.getVirtualFileSystem();
    if (!system.getRealPath(name, real) && !system.getRealPath(project, real_project) &&
        is_below(real, real_project))
        return true;
    llvm::sys::path::remove_dots(name, true);
    return is_below(name, project);
}

}  // namespace freehold::check
