// SPDX-License-Identifier: BSL-1.0
#include "line/disk/tier_read.hpp"

#include "line/reads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

namespace {

// The read of lines that a guest asked for, in the owner. It drops the bytes that arrive: the tier
// puts the lines on the disk, and the guest reads them there. Used by one thread at a time. Throws
// std::bad_alloc.
class kept_read final : public line_read {
public:
    kept_read(disk_core& core, const node_call& call)
        : line_read(std::string(call.object), call.question.number * core.options().line_size,
                    lines(core, call) * core.options().line_size, std::string(call.entity_tag)),
          call_(call) {}

    bool begin(const object_info& object) noexcept override {
        try {
            left_ = static_cast<std::size_t>(std::min(size(), object.size - offset()));
            bytes_ = unzeroed_bytes(left_);
            at_ = bytes_.get();
        } catch (...) {
            left_ = 0;
            return false;
        }
        return wanted();
    }
    std::span<std::byte> room() noexcept override { return {at_, left_}; }
    bool arrived(std::size_t bytes) noexcept override {
        at_ += bytes;
        left_ -= bytes;
        return wanted();
    }
    [[nodiscard]] bool wanted() const noexcept override { return call_.is_wanted(); }
    // answer() looks for the line in any case.
    void finish() noexcept override {}
    void fail(std::exception_ptr /*why*/) noexcept override {}

private:
    [[nodiscard]] static std::uint64_t lines(disk_core& core, const node_call& call) noexcept {
        const std::uint64_t first = call.question.number;
        const std::uint64_t end = core.next(call.object, call.entity_tag, first, call.question.end);
        return std::clamp<std::uint64_t>(end - first, 1, core.options().write_buffers);
    }

    const node_call& call_;
    std::unique_ptr<std::byte[]> bytes_;
    std::byte* at_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace

tier_state::tier_state(any_line_source& from, const disk_tier_options& options)
    : source(from),
      disk(options),
      threads(options.threads, [](tier_read* read) { read->advance(true); }) {
    disk.open([this](const node_call& call) { return tier_read::answer(*this, call); });
}

object_info tier_state::describe(std::string_view object) {
    const std::shared_ptr<disk_core> core = disk.core();
    if (std::optional<object_info> known = core->trusted_info(object)) {
        return *std::move(known);
    }
    core->counters().checks.add(1);
    object_info now = source.describe(object);
    core->confirm(object, now);
    return now;
}

void tier_read::fetch(state& tier, line_read& to) noexcept {
    if (to.size() != 0) {
        try {
            tier_read read(tier, to, false);
            return read.advance(true);
        } catch (...) {
            // The source may get by without the memory that this thread lacks.
        }
    }
    fetch_from_source(tier, to);
}

void tier_read::start(state& tier, line_read& to) noexcept {
    tier_read* made = nullptr;
    try {
        if (to.size() != 0) made = new tier_read(tier, to, true);
    } catch (...) {
        // As above.
    }
    if (made == nullptr) return start_at_source(tier, to);
    tier.operations.enter();
    made->advance(false);
}

node_answer tier_read::answer(state& tier, const node_call& call) {
    const std::shared_ptr<disk_core> core = tier.disk.core();
    const node_question& asked = call.question;
    if (asked.request == node_request::drop) {
        core->drop(call.object, {});
        return {};
    }
    if (call.entity_tag.empty() || asked.end <= asked.number) return {};
    if (asked.damaged != 0) {
        core->drop_copy(call.object, call.entity_tag, asked.number, asked.damaged);
    }
    for (bool has_fetched = false;; has_fetched = true) {
        core->wait_for_line(call.object, call.entity_tag, asked.number, call.is_wanted);
        const auto found = core->acquire(call.object, call.entity_tag, asked.number);
        if (found) {
            core->release(found->slot, true);
            core->counters().served.add(1);
            return {.reply = node_reply::found,
                    .slot = found->slot,
                    .content = found->content,
                    .sequence = found->sequence,
                    .object_size = found->object.size};
        }
        if (has_fetched || !core->can_keep()) return {};
        kept_read read(*core, call);
        fetch(tier, read);
    }
}

void tier_read::advance(bool may_block) noexcept {
    while (at_ < end_) {
        if (!is_wanted()) return end_cancelled();
        if (core().is_guest()) core_ = tier_.disk.core();
        if (is_on_disk()) {
            if (!may_block && pass_to_threads()) return;
            if (may_block && serve_from_disk()) continue;
        }
        if (!claim_lines(may_block)) {
            if (may_block) continue;
            if (pass_to_threads()) return;
        }
        if (!request_from_source()) return;
    }
    end(nullptr);
}

tier_read::part::part(tier_read& owner, std::uint64_t end, std::string tag)
    : line_read(std::string(owner.to_.object()), owner.at_, end - owner.at_, std::move(tag)),
      owner_(owner),
      claim_(std::exchange(owner.claim_, nullptr)) {}

bool tier_read::part::begin(const object_info& object) noexcept {
    keeps_ = !object.entity_tag.empty() &&
             slot_header::fits(owner_.to_.object(), object.entity_tag, line_size());
    owner_.core().confirm(owner_.to_.object(), object);
    return owner_.begin(object);
}

std::span<std::byte> tier_read::part::room() noexcept {
    room_ = owner_.to_.room();
    const std::uint64_t left = offset() + size() - owner_.at_;
    if (room_.size() > left) room_ = room_.first(static_cast<std::size_t>(left));
    return room_;
}

bool tier_read::part::arrived(std::size_t bytes) noexcept {
    if (bytes > room_.size()) {
        keeps_ = false;  // the reader refuses it
        owner_.core().discard(line_);
    } else {
        copy(room_.first(bytes));
    }
    owner_.core().counters().bytes_from_source.add(bytes);
    return owner_.arrived(bytes);
}

void tier_read::part::finish() noexcept {
    owner_.core().keep(complete_);
    settle();
    owner_.part_ended(nullptr, owner_.at_ < std::min(offset() + size(), owner_.end_));
}

void tier_read::part::fail(std::exception_ptr why) noexcept {
    if (has_changed(why)) {
        owner_.core().drop(owner_.to_.object(), owner_.tag());
    }
    settle();
    owner_.part_ended(std::move(why), false);
}

void tier_read::part::settle() noexcept {
    owner_.core().discard(line_);
    owner_.core().discard(complete_);
    owner_.core().end_claim(claim_);
}

void tier_read::part::copy(std::span<const std::byte> bytes) noexcept {
    for (std::uint64_t at = owner_.at_; !bytes.empty();) {
        const std::uint64_t in_line = at % line_size();
        if (at == offset() || in_line == 0) begin_line(at);
        const std::uint64_t content =
            std::min<std::uint64_t>(line_size(), owner_.info_.size - (at - in_line));
        const auto some =
            static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), content - in_line));
        if (!line_.empty()) {
            std::memcpy(line_.front().bytes.get() + in_line, bytes.data(), some);
            // The last line is kept when the source has confirmed all bytes.
            if (in_line + some == content) {
                owner_.core().keep(complete_);
                complete_.splice(complete_.end(), line_);
            }
        }
        bytes = bytes.subspan(some);
        at += some;
    }
}

void tier_read::part::begin_line(std::uint64_t at) noexcept {
    owner_.core().counters().misses.add(1);
    const std::uint64_t number = at / line_size();
    const std::uint64_t size =
        std::min<std::uint64_t>(line_size(), owner_.info_.size - number * line_size());
    if (!keeps_ || at % line_size() != 0 || offset() + this->size() < at + size) {
        return owner_.core().counters().not_whole.add(1);
    }
    line_ = owner_.core().begin_line(owner_.to_.object(), owner_.info_, number,
                                     static_cast<std::uint32_t>(size), claim_);
}

bool tier_read::part::has_changed(const std::exception_ptr& why) noexcept {
    try {
        std::rethrow_exception(why);
    } catch (const source_error& error) {
        return error.reason() == source_failure::changed;
    } catch (...) {
        return false;
    }
}

void tier_read::fetch_from_source(state& tier, line_read& to) noexcept {
    try {
        tier.source.fetch(to);
    } catch (...) {
        to.fail(std::current_exception());
    }
}

void tier_read::start_at_source(state& tier, line_read& to) noexcept {
    try {
        tier.source.start(to);
    } catch (...) {
        to.fail(std::current_exception());
    }
}

tier_read::tier_read(state& tier, line_read& to, bool is_started)
    : tier_(tier),
      to_(to),
      is_started_(is_started),
      core_(tier.disk.core()),
      at_(to.offset()),
      end_(to.offset() +
           std::min(to.size(), std::numeric_limits<std::uint64_t>::max() - to.offset())),
      tag_(to.entity_tag()) {}

bool tier_read::is_on_disk() noexcept {
    if (!may_use_disk()) return false;
    if (core().is_guest()) {
        return core().file().fault().empty() &&
               slot_header::fits(to_.object(), tag(), core().options().line_size);
    }
    return core().holds(to_.object(), tag(), number());
}

bool tier_read::begin(const object_info& object) noexcept {
    if (has_begun_) {
        if (info_.entity_tag == object.entity_tag && info_.size == object.size) {
            return is_wanted();
        }
        fail_with(source_failure::changed, "the object has changed since its first bytes");
        return is_wanted_ = false;
    }
    try {
        info_ = object;
    } catch (...) {
        failure_ = std::current_exception();
        return is_wanted_ = false;
    }
    has_begun_ = true;
    end_ = std::min(end_, info_.size);
    is_wanted_ = to_.begin(info_);
    return is_wanted();
}

bool tier_read::arrived(std::size_t bytes) noexcept {
    at_ += bytes;
    is_wanted_ = to_.arrived(bytes) && is_wanted_;
    return is_wanted_ && !tier_.operations.is_closing();
}

bool tier_read::pass_to_threads() noexcept {
    try {
        if (tier_.threads.waiting() < core().options().most_waiting) {
            tier_.threads.push(this);
            return true;
        }
    } catch (...) {
        // There is no thread, or no memory.
    }
    core().counters().passed_on.add(1);
    only_source_ = true;
    return false;
}

bool tier_read::serve_from_disk() noexcept {
    std::unique_ptr<read_scratch> scratch;
    std::optional<disk_core::acquired> line;
    try {
        if (tag().empty()) choose_version();
        if (tag().empty()) return false;
        scratch = core().take_scratch();
        if (core().is_guest()) {
            const bool is_served = serve_as_guest(*scratch);
            core().give_back(std::move(scratch));
            return is_served;
        }
        line = core().acquire(to_.object(), tag(), number());
        // The source says what is wrong with a read past the end.
        only_source_ = line && at_ >= line->object.size;
    } catch (...) {
        only_source_ = true;
    }
    bool is_served = false;
    if (line) {
        const bool is_usable = only_source_ || read_line(*line, *scratch);
        core().release(line->slot, is_usable);
        is_served = is_usable && !only_source_;
    }
    if (scratch) core().give_back(std::move(scratch));
    return is_served;
}

bool tier_read::serve_as_guest(read_scratch& scratch) {
    node_question question{.number = number(), .end = end_line()};
    for (;;) {
        const auto line =
            tier_.disk.locate(core_, question, to_.object(), tag(), [this] { return is_wanted(); });
        constexpr int most_owners = 10;
        if (!line && !is_wanted()) return true;
        if (!line && tier_.disk.core() != core_ && ++owners_ != most_owners) return true;
        if (line && at_ < line->object.size) {
            if (read_line(*line, scratch)) return true;
            // The copy is damaged, or was overwritten before it was read.
            const bool is_first = question.damaged == 0;
            question.damaged = line->sequence;
            if (is_first) continue;
        }
        only_source_ = true;
        return false;
    }
}

void tier_read::choose_version() {
    try {
        tag_ = tier_.describe(to_.object()).entity_tag;
    } catch (...) {
        only_source_ = true;  // it will say what is wrong
    }
}

bool tier_read::read_line(const disk_core::acquired& line, read_scratch& scratch) noexcept {
    const std::span<std::byte> bytes(scratch.header.get(), core().file().header_size());
    if (!has_read(core().file().read_header(line.slot, bytes))) return false;
    const slot_header header(bytes, line.slot, core().options().line_size);
    if (!header.is_whole() || !is_expected(header.line(), line)) return found_damage();
    if (!has_begun_ && !begin(line.object)) return true;
    const std::uint64_t begin_of_line = number() * core().options().line_size;
    const std::uint64_t end = std::min(end_, begin_of_line + line.content);
    while (at_ != end) {
        if (!is_wanted()) return true;
        const auto from = static_cast<std::size_t>(at_ - begin_of_line);
        const auto wanted = static_cast<std::size_t>(end - at_);
        const std::size_t whole = whole_chunks(line, from, std::min(to_.room().size(), wanted));
        if (!(whole != 0 ? read_chunks(line, header, from, whole)
                         : read_within_chunk(line, header, from, wanted, scratch))) {
            return false;
        }
    }
    core().counters().hits.add(1);
    return true;
}

bool tier_read::is_expected(const slot_line& found,
                            const disk_core::acquired& line) const noexcept {
    return found.object == to_.object() && found.entity_tag == line.object.entity_tag &&
           found.object_size == line.object.size && found.number == number() &&
           found.sequence == line.sequence && found.content == line.content;
}

std::size_t tier_read::whole_chunks(const disk_core::acquired& line, std::size_t from,
                                    std::size_t room) noexcept {
    constexpr std::size_t chunk = slot_header::chunk_size, most = 8 * chunk;
    if (from % chunk != 0) return 0;
    if (room >= line.content - from && line.content - from <= most) return line.content - from;
    return std::min(room, most) / chunk * chunk;
}

bool tier_read::read_chunks(const disk_core::acquired& line, const slot_header& header,
                            std::size_t from, std::size_t size) noexcept {
    const std::span<std::byte> to = to_.room().first(size);
    if (!has_read(core().file().read_content(line.slot, to, from))) return false;
    for (std::size_t at = 0; at < size; at += slot_header::chunk_size) {
        const auto chunk = to.subspan(at, std::min(slot_header::chunk_size, size - at));
        if (!header.is_chunk((from + at) / slot_header::chunk_size, chunk)) {
            if (at != 0) deliver(at);
            return found_damage();
        }
    }
    deliver(size);
    return true;
}

bool tier_read::read_within_chunk(const disk_core::acquired& line, const slot_header& header,
                                  std::size_t from, std::size_t wanted,
                                  read_scratch& scratch) noexcept {
    const std::size_t begin_of_chunk = from - from % slot_header::chunk_size;
    const std::span<std::byte> chunk(
        scratch.chunk.get(),
        std::min<std::size_t>(slot_header::chunk_size, line.content - begin_of_chunk));
    if (!has_read(core().file().read_content(line.slot, chunk, begin_of_chunk))) return false;
    if (!header.is_chunk(from / slot_header::chunk_size, chunk)) return found_damage();
    std::span<const std::byte> rest = chunk.subspan(from - begin_of_chunk);
    rest = rest.first(std::min(rest.size(), wanted));
    while (!rest.empty() && is_wanted()) {
        const std::span<std::byte> room = to_.room();
        const std::size_t some = std::min(room.size(), rest.size());
        std::memcpy(room.data(), rest.data(), some);
        rest = rest.subspan(some);
        deliver(some);
    }
    return true;
}

bool tier_read::has_read(int error) noexcept {
    if (error == ENODATA) return found_damage();
    if (error != 0) core().counters().failed_reads.add(1);
    return error == 0;
}

bool tier_read::claim_lines(bool may_wait) noexcept {
    if (!core().has_claims() || !may_use_disk()) return true;
    try {
        const disk_core::claim_result result = core().claim(
            to_.object(), tag(), number(), end_line(), may_wait, [this] { return is_wanted(); });
        claim_ = result.claim;
        return result.is != disk_core::claim_result::outcome::in_use;
    } catch (...) {
        return true;
    }
}

bool tier_read::request_from_source() noexcept {
    try {
        // A version that the reader has not yet seen is not required of the source.
        std::string required(has_begun_ ? std::string_view(info_.entity_tag) : to_.entity_tag());
        part_.emplace(*this, end_of_part(required), std::move(required));
    } catch (...) {
        core().end_claim(claim_);
        end(std::current_exception());
        return false;
    }
    try {
        if (is_started_) {
            tier_.source.start(*part_);
            return false;
        }
        tier_.source.fetch(*part_);
    } catch (...) {
        part_->fail(std::current_exception());
        if (is_started_) return false;
    }
    part_.reset();
    if (!failure_ && !is_short_) return true;
    end(std::move(failure_));
    return false;
}

std::uint64_t tier_read::end_of_part(std::string_view required) noexcept {
    const std::uint64_t size = core().options().line_size, lines = end_line();
    if (claim_ != nullptr && claim_->end < lines) return claim_->end * size;
    if (claim_ != nullptr || only_source_ || number() + 1 >= lines) return end_;
    const std::uint64_t next = core().next(to_.object(), required, number() + 1, lines);
    return next == lines ? end_ : next * size;
}

void tier_read::part_ended(std::exception_ptr why, bool is_short) noexcept {
    if (!failure_) failure_ = std::move(why);
    is_short_ = is_short;
    if (!is_started_) return;
    if (failure_ || is_short) return end(std::move(failure_));
    advance(false);
}

void tier_read::fail_with(source_failure reason, const char* why) noexcept {
    try {
        failure_ = std::make_exception_ptr(source_error(reason, read_name(to_) + ": " + why));
    } catch (...) {
        failure_ = std::current_exception();
    }
}

void tier_read::end(std::exception_ptr why) noexcept {
    line_read& to = to_;
    state& tier = tier_;
    const bool is_started = is_started_;
    if (is_started) delete this;
    if (why) {
        to.fail(std::move(why));
    } else {
        to.finish();
    }
    if (is_started) tier.operations.leave();
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
