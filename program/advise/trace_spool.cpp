// SPDX-License-Identifier: BSL-1.0
#include "advise/trace_spool.hpp"

#include "results/replace_file.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace freehold {

namespace {

constexpr std::size_t buffer_size = 256 * 1024;
/// An event takes at most one byte of flags, one of alignment, and five numbers.
constexpr std::size_t longest_event = 2 + 5 * 10;

constexpr unsigned is_free = 1;
constexpr unsigned has_place = 2;
constexpr unsigned has_alignment = 4;
constexpr unsigned time_shift = 3;
constexpr std::uint64_t time_follows = 31;

std::string folder() {
    const char* chosen = std::getenv("TMPDIR");
    return chosen != nullptr && *chosen != '\0' ? chosen : "/var/tmp";
}

[[noreturn]] void fail(const char* what) {
    throw file_error("temporary file in " + folder() + " " + what + ": " + std::strerror(errno) +
                     "; name a folder with more space in the variable TMPDIR");
}

int open_unnamed() {
    std::string name = folder() + "/freehold-XXXXXX";
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) fail("cannot be made");
    ::unlink(name.c_str());
    return descriptor;
}

}  // namespace

trace_spool::trace_spool() : descriptor_(open_unnamed()) {
    buffer_.reserve(buffer_size + longest_event);
}

trace_spool::trace_spool(const place& of_another)
    : descriptor_(
          ::open(fmt::format("/proc/{}/fd/{}", of_another.process, of_another.descriptor).c_str(),
                 O_RDONLY | O_CLOEXEC)),
      written_(of_another.bytes),
      events_(of_another.events) {
    if (descriptor_ < 0) fail("cannot be opened again");
}

trace_spool::place trace_spool::where() const noexcept {
    return {static_cast<std::uint64_t>(::getpid()), descriptor_, written_, events_};
}

trace_spool::~trace_spool() {
    ::close(descriptor_);
}

void trace_spool::put(std::uint64_t number) {
    for (; number >= 128; number >>= 7U) {
        buffer_.push_back(static_cast<unsigned char>(number | 128U));
    }
    buffer_.push_back(static_cast<unsigned char>(number));
}

void trace_spool::add(const trace_event& event) {
    // Events can arrive out of order. One with an earlier time than the last counts as simultaneous
    // with it.
    const std::uint64_t passed = event.time > last_.time ? event.time - last_.time : 0;
    const bool moved = event.thread != last_.thread || event.process != last_.process;
    const bool frees = event.what == trace_event::kind::free;
    unsigned flags = frees ? is_free : 0;
    if (moved) flags |= has_place;
    if (!frees && event.alignment != 0) flags |= has_alignment;
    flags |= static_cast<unsigned>(std::min(passed, time_follows)) << time_shift;

    buffer_.push_back(static_cast<unsigned char>(flags));
    if (passed >= time_follows) put(passed - time_follows);
    if (moved) {
        put(event.thread);
        put(event.process);
    }
    put(event.block);
    if (!frees) put(event.size);
    if ((flags & has_alignment) != 0) {
        buffer_.push_back(static_cast<unsigned char>(std::bit_width(event.alignment - 1)));
    }
    last_.time += passed;
    last_.thread = event.thread;
    last_.process = event.process;
    ++events_;
    if (buffer_.size() >= buffer_size) flush();
}

void trace_spool::flush() {
    for (std::size_t done = 0; done != buffer_.size();) {
        const auto wrote = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) fail("cannot be written");
        done += static_cast<std::size_t>(wrote);
    }
    written_ += buffer_.size();
    buffer_.clear();
}

void trace_spool::finish() {
    flush();
}

trace_spool::cursor::cursor(const trace_spool& spool)
    : spool_(spool),
      buffer_(buffer_size),
      at_(buffer_.data()),
      end_(buffer_.data()),
      left_(spool.events_) {}

void trace_spool::cursor::refill() {
    const auto kept = static_cast<std::size_t>(end_ - at_);
    std::memmove(buffer_.data(), at_, kept);
    std::size_t filled = kept;
    while (filled != buffer_.size() && offset_ != spool_.written_) {
        const auto got = ::pread(spool_.descriptor_, buffer_.data() + filled,
                                 buffer_.size() - filled, static_cast<off_t>(offset_));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail("cannot be read back");
        filled += static_cast<std::size_t>(got);
        offset_ += static_cast<std::uint64_t>(got);
    }
    at_ = buffer_.data();
    end_ = at_ + filled;
}

std::uint64_t trace_spool::cursor::number() {
    std::uint64_t value = *at_ & 127U;
    for (unsigned shift = 7; (*at_++ & 128U) != 0; shift += 7) {
        value |= static_cast<std::uint64_t>(*at_ & 127U) << shift;
    }
    return value;
}

bool trace_spool::cursor::next(trace_event& event) {
    if (left_ == 0) return false;
    --left_;
    if (static_cast<std::size_t>(end_ - at_) < longest_event) refill();
    const unsigned flags = *at_++;
    const std::uint64_t passed = flags >> time_shift;
    last_.time += passed;
    if (passed == time_follows) last_.time += number();
    if ((flags & has_place) != 0) {
        last_.thread = static_cast<std::uint32_t>(number());
        last_.process = static_cast<std::uint32_t>(number());
    }
    last_.block = static_cast<std::uint32_t>(number());
    const bool frees = (flags & is_free) != 0;
    last_.what = frees ? trace_event::kind::free : trace_event::kind::allocate;
    last_.size = frees ? 0 : number();
    last_.alignment = (flags & has_alignment) != 0 ? std::uint64_t{1} << *at_++ : 0;
    event = last_;
    return true;
}

}  // namespace freehold
