// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/compressed_lines.hpp"

#include "support/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold {
namespace {

constexpr std::size_t longest_line = std::size_t{16} << 20;  // for a path or a command line
constexpr std::size_t part = std::size_t{1} << 18;

/// The command that decompresses a file with this beginning. Null if the file is not compressed.
const char* command_for(std::string_view beginning) {
    using namespace std::string_view_literals;
    if (beginning.substr(0, 2) == "\x1f\x8b"sv) return "gzip";
    if (beginning.substr(0, 4) == "\x28\xb5\x2f\xfd"sv) return "zstd";
    return nullptr;
}

}  // namespace

compressed_lines::compressed_lines(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_.get() < 0)
        throw unreadable_file(fmt::format("cannot be opened: {}", std::strerror(errno)));
    struct stat information {};
    if (::fstat(file_.get(), &information) == 0)
        size_ = static_cast<std::uint64_t>(information.st_size);
    std::array<char, 4> beginning{};
    const ssize_t count = ::pread(file_.get(), beginning.data(), beginning.size(), 0);
    if (count < 0) throw unreadable_file(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (const char* command = command_for({beginning.data(), static_cast<std::size_t>(count)}))
        start(command);
}

void compressed_lines::start(const char* command) {
    command_name_ = command;
    try {
        support::pipe_ends pipe;
        command_ = support::start({.command = {command, "-dcq"},
                                   .descriptors = {{file_.get(), STDIN_FILENO},
                                                   {pipe.write.get(), STDOUT_FILENO},
                                                   {support::null_device(), STDERR_FILENO}}});
        output_ = std::move(pipe.read);
    } catch (const std::system_error& error) {
        throw unreadable_file(
            fmt::format("is compressed by {0}, which cannot be run here ({1}); "
                        "install {0}, or decompress the file",
                        command, error.code().message()));
    }
}

compressed_lines::~compressed_lines() {
    if (command_ <= 0) return;
    ::kill(command_, SIGKILL);
    end_command();
}

/// If the command fails, the file is not complete.
void compressed_lines::end_command() {
    if (command_ <= 0) return;
    const int status = support::wait_for(std::exchange(command_, -1));
    if (status != 0) broken_ = fmt::format("{} cannot decompress it to its end", command_name_);
}

bool compressed_lines::fill() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    if (buffer_.size() > longest_line) throw unreadable_file("has a line without an end");
    const std::size_t before = buffer_.size();
    // The decompressor takes far longer; C++20 has no way to leave the bytes as they are.
    buffer_.resize(before + part);  // NOLINT(freehold-hidden-zeroing)
    const int from = output_.get() < 0 ? file_.get() : output_.get();
    ssize_t count = 0;
    while ((count = ::read(from, buffer_.data() + before, part)) < 0 && errno == EINTR) {
    }
    if (count < 0) broken_ = fmt::format("cannot be read: {}", std::strerror(errno));
    buffer_.resize(before + static_cast<std::size_t>(count < 0 ? 0 : count));
    return count > 0;
}

bool compressed_lines::next(std::string_view& line) {
    std::size_t searched = begin_;
    for (;;) {
        const std::size_t end = buffer_.find('\n', searched);
        if (end != std::string::npos) {
            line = std::string_view(buffer_).substr(begin_, end - begin_);
            begin_ = end + 1;
            return true;
        }
        if (at_end_) break;
        const std::size_t pending = buffer_.size() - begin_;
        if (!fill()) {
            at_end_ = true;
            end_command();
        }
        searched = pending;
    }
    if (begin_ == buffer_.size()) return false;
    // heaptrack ends each line. A line without an end was cut.
    if (!broken_) broken_ = "ends in the middle of a line";
    begin_ = buffer_.size();
    return false;
}

double compressed_lines::progress() const {
    const off_t position = ::lseek(file_.get(), 0, SEEK_CUR);
    if (at_end_ || size_ == 0 || position < 0) return at_end_ ? 1 : 0;
    return static_cast<double>(position) / static_cast<double>(size_);
}

}  // namespace freehold
