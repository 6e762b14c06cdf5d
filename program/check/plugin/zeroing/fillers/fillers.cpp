// SPDX-License-Identifier: BSL-1.0
#include "fillers.hpp"

#include <algorithm>
#include <charconv>

namespace freehold::check {
namespace {

constexpr int none = no_argument;

filler total(const char* name, int buffer, int size) {
    return {name, buffer, size};
}
filler result(const char* name, int buffer, int size, int unit = none) {
    return {name, buffer, size, unit, filled::by_result};
}
filler status(const char* name, int buffer, int size, success when) {
    return {name, buffer, size, none, filled::by_status, none, when};
}
filler argument(const char* name, int buffer, int size, int count, success when) {
    return {name, buffer, size, none, filled::by_argument, count, when};
}
filler stream(const char* name, int buffer, int size) {
    return {name, buffer, size, none, filled::by_stream};
}
filler string(const char* name, int buffer, int size) {
    return {name, buffer, size, none, filled::by_string, none, success::if_nonzero};
}
filler parts(const char* name, int array, int count) {
    return {name, array, count, none, filled::by_parts};
}
filler harmless(const char* name) {
    return {name, 0, none, none, filled::nothing};
}
/// zlib and similar libraries: the first argument points to the struct.
filler room(const char* name) {
    return {name,
            0,
            none,
            none,
            filled::by_room,
            none,
            success::if_zero,
            {"next_out", "avail_out", ""}};
}
filler zstd_room(const char* name) {
    return {name, 1, none, none, filled::by_room, none, success::if_zero, {"dst", "size", "pos"}};
}

}  // namespace

const std::vector<filler>& known_fillers() {
    static const std::vector<filler> all = {
        // The C library and POSIX.
        total("memcpy", 0, 2),
        total("memmove", 0, 2),
        total("memset", 0, 2),
        total("__builtin_memcpy", 0, 2),
        total("__builtin_memmove", 0, 2),
        total("__builtin_memset", 0, 2),
        total("bcopy", 1, 2),
        total("bzero", 0, 1),
        total("explicit_bzero", 0, 1),
        total("strncpy", 0, 2),
        total("arc4random_buf", 0, 1),
        result("read", 1, 2),
        result("pread", 1, 2),
        result("pread64", 1, 2),
        result("recv", 1, 2),
        result("recvfrom", 1, 2),
        result("getrandom", 0, 1),
        result("_read", 1, 2),
        result("readlink", 1, 2),
        result("readlinkat", 2, 3),
        result("strftime", 0, 1),
        string("getcwd", 0, 1),
        string("realpath", 1, none),
        parts("readv", 1, 2),
        parts("preadv", 1, 2),
        {"recvmsg", 1, none, none, filled::by_message},
        string("fgets", 0, 1),
        {"snprintf", 0, 1, none, filled::by_format},
        {"vsnprintf", 0, 1, none, filled::by_format},
        {"sprintf", 0, none, none, filled::by_format},
        result("fread", 0, 2, 1),
        result("fread_unlocked", 0, 2, 1),
        status("getentropy", 0, 1, success::if_zero),
        // Windows.
        argument("ReadFile", 1, 2, 3, success::if_nonzero),
        argument("ReadProcessMemory", 2, 3, 4, success::if_nonzero),
        // iostreams.
        stream("std::basic_istream::read", 0, 1),
        result("std::basic_istream::readsome", 0, 1),
        string("std::basic_istream::get", 0, 1),
        string("std::basic_istream::getline", 0, 1),
        result("std::basic_streambuf::sgetn", 0, 1),
        result("std::basic_string::copy", 0, 1),
        result("std::basic_string_view::copy", 0, 1),
        // Decompressors.
        argument("uncompress", 0, 1, 1, success::if_zero),
        argument("uncompress2", 0, 1, 1, success::if_zero),
        argument("compress", 0, 1, 1, success::if_zero),
        argument("compress2", 0, 1, 1, success::if_zero),
        room("inflate"),
        room("deflate"),
        room("BZ2_bzDecompress"),
        room("lzma_code"),
        zstd_room("ZSTD_decompressStream"),
        zstd_room("ZSTD_compressStream2"),
        harmless("inflateInit_"),
        harmless("inflateInit2_"),
        harmless("inflateReset"),
        harmless("inflateEnd"),
        harmless("deflateInit_"),
        harmless("deflateInit2_"),
        harmless("deflateReset"),
        harmless("deflateEnd"),
        harmless("BZ2_bzDecompressInit"),
        harmless("BZ2_bzDecompressEnd"),
        harmless("lzma_end"),
        result("gzread", 1, 2),
        result("gzfread", 0, 2, 1),
        result("LZ4_decompress_safe", 1, 3),
        result("LZ4_decompress_safe_usingDict", 1, 3),
        result("LZ4_compress_default", 1, 3),
        status("LZ4_decompress_fast", 1, 2, success::if_not_negative),
        result("ZSTD_decompress", 0, 1),
        result("ZSTD_decompressDCtx", 1, 2),
        result("ZSTD_decompress_usingDict", 1, 2),
        result("ZSTD_compress", 0, 1),
        result("ZSTD_compressCCtx", 1, 2),
        status("snappy::RawUncompress", 2, none, success::if_nonzero),
        argument("snappy_uncompress", 2, 3, 3, success::if_zero),
        argument("lzo1x_decompress", 2, 3, 3, success::if_zero),
        argument("lzo1x_decompress_safe", 2, 3, 3, success::if_zero),
        argument("lzo1x_1_compress", 2, 3, 3, success::if_zero),
        argument("BrotliDecoderDecompress", 3, 2, 2, success::if_nonzero),
        argument("BrotliEncoderCompress", 6, 5, 5, success::if_nonzero),
        argument("BZ2_bzBuffToBuffDecompress", 0, 1, 1, success::if_zero),
        result("BZ2_bzRead", 2, 3),
        // Readers of libraries.
        argument("curl_easy_recv", 1, 2, 3, success::if_zero),
        status("sqlite3_blob_read", 1, 2, success::if_zero),
        result("SSL_read", 1, 2),
        result("BIO_read", 1, 2),
        argument("SSL_read_ex", 1, 2, 3, success::if_nonzero),
        status("RAND_bytes", 0, 1, success::if_nonzero),
        result("zip_fread", 1, 2),
        result("SDL_RWread", 1, 3, 2),
        result("PHYSFS_readBytes", 1, 2),
        result("archive_read_data", 1, 2),
    };
    return all;
}

std::vector<filler> parse_fillers(std::string_view option, std::string& problem) {
    std::vector<filler> result;
    while (!option.empty()) {
        const std::string_view entry = option.substr(0, option.find(';'));
        option.remove_prefix(std::min(option.size(), entry.size() + 1));
        if (entry.empty()) continue;
        // A name contains `::`, so the fields begin at the first single colon.
        std::vector<std::string> fields(1);
        for (std::size_t i = 0; i < entry.size(); ++i) {
            if (entry[i] != ':') {
                fields.back() += entry[i];
            } else if (fields.size() == 1 && entry.substr(i, 2) == "::") {
                fields.back() += "::";
                ++i;
            } else {
                fields.emplace_back();
            }
        }
        filler each{fields[0]};
        const auto number = [&](std::size_t index, int& into) {
            if (fields.size() <= index) return true;
            const char* end = fields[index].data() + fields[index].size();
            const auto parsed = std::from_chars(fields[index].data(), end, into);
            return parsed.ec == std::errc() && parsed.ptr == end && into >= 0;
        };
        bool good = !each.name.empty() && fields.size() <= 4 && number(1, each.buffer) &&
                    number(2, each.size);
        if (good && fields.size() == 4) {
            const std::string& how = fields[3];
            if (how == "result") {
                each.how = filled::by_result;
            } else if (how == "zero" || how == "nonzero" || how == "notnegative") {
                each.how = filled::by_status;
                each.when = how == "zero"      ? success::if_zero
                            : how == "nonzero" ? success::if_nonzero
                                               : success::if_not_negative;
            } else {
                good = how == "all";
            }
        }
        if (good)
            result.push_back(std::move(each));
        else
            problem = "FillFunctions: '" + std::string(entry) +
                      "' is not of the form name:buffer:size:how";
    }
    return result;
}

}  // namespace freehold::check
