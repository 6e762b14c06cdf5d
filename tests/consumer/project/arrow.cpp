// SPDX-License-Identifier: BSL-1.0
// A user of freehold::arrow: what it brings is enough to compile, to link and to be told what is
// wrong.
#include <freehold/line/arrow_filesystem.hpp>
#include <freehold/line/file_source.hpp>
#include <freehold/line/line_cache.hpp>

#include <cstdio>
#include <filesystem>

int main() {
    freehold::file_source files(std::filesystem::current_path());
    freehold::line_cache<freehold::file_source> lines(files, {.capacity = std::size_t{16} << 20});
    freehold::arrow_filesystem objects(lines);
    const auto info = objects.GetFileInfo("no such file");
    if (!info.ok() || info->type() != arrow::fs::FileType::NotFound) {
        std::puts("a missing file is found");
        return 1;
    }
    const auto file = objects.OpenInputFile("CMakeCache.txt");
    const auto bytes = file.ok() ? (*file)->ReadAt(0, 10) : file.status();
    if (!bytes.ok() || (*bytes)->size() != 10) {
        std::printf("a file is not read: %s\n", bytes.status().ToString().c_str());
        return 1;
    }
}
