// SPDX-License-Identifier: BSL-1.0
// fresh_memory<Source>: a line_source that gives a line's memory back to the system before it is
// filled, so that each line costs what new memory costs, as if it were allocated for itself.
#pragma once

#include <freehold/line/line_source.hpp>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>

#include <sys/mman.h>

namespace lab::cold_query {

template <freehold::line_source Source>
class fresh_memory {
public:
    explicit fresh_memory(Source& source) : source_(source) {}

    void fetch(freehold::line_read& read) { source_.fetch(*new passed_on(read)); }
    void start(freehold::line_read& read) { source_.start(*new passed_on(read)); }
    freehold::object_info describe(std::string_view object) { return source_.describe(object); }

private:
    /// Lives until the source's last call.
    class passed_on final : public freehold::line_read {
    public:
        explicit passed_on(freehold::line_read& to)
            : line_read(std::string(to.object()), to.offset(), to.size(),
                        std::string(to.entity_tag())),
              to_(to) {}

        bool begin(const freehold::object_info& object) noexcept override {
            return to_.begin(object);
        }
        std::span<std::byte> room() noexcept override {
            const std::span<std::byte> room = to_.room();
            // A line begins: lines are aligned to pages.
            if (!room.empty() && room.data() != next_) {
                madvise(room.data(), room.size(), MADV_DONTNEED);
                next_ = room.data();
            }
            return room;
        }
        bool arrived(std::size_t bytes) noexcept override {
            next_ += bytes;
            return to_.arrived(bytes);
        }
        [[nodiscard]] bool wanted() const noexcept override { return to_.wanted(); }
        void finish() noexcept override {
            to_.finish();
            delete this;
        }
        void fail(std::exception_ptr why) noexcept override {
            to_.fail(std::move(why));
            delete this;
        }

    private:
        freehold::line_read& to_;
        std::byte* next_ = nullptr;
    };

    Source& source_;
};

}  // namespace lab::cold_query
