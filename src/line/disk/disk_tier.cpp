// SPDX-License-Identifier: BSL-1.0
// One read of a disk_tier. It delivers the bytes in order: lines from the disk, and from the source
// what lies between them.
//
// | thread | what it does for a started read |
// |---|---|
// | the caller | starts a request to the source, or passes the read to the tier's threads |
// | a thread of the tier | reads from the disk, asks the source for the entity tag, and waits |
// | a thread of the source | delivers bytes; then it does what the caller did, for the rest |
//
// A fetched read does all of this on the calling thread. A read without a tag gets the version that
// the source has now: its first line is served from the disk only if the source confirms its tag.
// All other bytes are of the version that the first ones came from.
//
// In a shared folder, the owner claims lines before it requests them, and waits for those that
// another read has claimed. A guest asks the owner for each line, and the owner requests it if it
// must.
//
// If the disk, the owner or memory fails, the source delivers the rest.
#include <freehold/line/disk_tier.hpp>

#include "line/active_operations.hpp"
#include "line/disk/disk_core.hpp"
#include "line/disk/node_messages.hpp"
#include "line/disk/node_server.hpp"
#include "line/disk/shared_folder.hpp"
#include "line/disk/slot_header.hpp"
#include "line/job_threads.hpp"
#include "line/reads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

class tier_read;

// What the reads of a tier share.
struct tier_state {
    tier_state(any_line_source& from, const disk_tier_options& options);

    // Asks the source, unless what it has told before is trusted. Throws source_error and
    // std::bad_alloc.
    [[nodiscard]] object_info describe(std::string_view object) {
        const std::shared_ptr<disk_core> core = folder.core();
        if (std::optional<object_info> known = core->trusted_info(object)) {
            return *std::move(known);
        }
        core->counters().checks.add(1);
        object_info now = source.describe(object);
        core->confirm(object, now);
        return now;
    }

    any_line_source& source;
    shared_folder folder;
    active_operations operations;
    job_threads<tier_read*> threads;
};

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

class tier_read {
public:
    using state = tier_state;

    static void fetch(state& tier, line_read& to) noexcept {
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
    static void start(state& tier, line_read& to) noexcept {
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

    // Answers a guest, in the owner. The line may be overwritten before the guest reads it.
    static node_answer answer(state& tier, const node_call& call) {
        const std::shared_ptr<disk_core> core = tier.folder.core();
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

    tier_read(const tier_read&) = delete;
    tier_read& operator=(const tier_read&) = delete;

    // Delivers as much as possible without waiting for another thread. `may_block` allows it to
    // wait for the disk, and for the source's description. The read may be gone afterwards.
    void advance(bool may_block) noexcept {
        while (at_ < end_) {
            if (!is_wanted()) return end_cancelled();
            if (core().is_guest()) core_ = tier_.folder.core();
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

private:
    // A request to the source for consecutive bytes.
    class part final : public line_read {
    public:
        part(tier_read& owner, std::uint64_t end, std::string tag)
            : line_read(std::string(owner.to_.object()), owner.at_, end - owner.at_,
                        std::move(tag)),
              owner_(owner),
              claim_(std::exchange(owner.claim_, nullptr)) {}
        part(const part&) = delete;
        part& operator=(const part&) = delete;
        ~part() { settle(); }

        bool begin(const object_info& object) noexcept override {
            keeps_ = !object.entity_tag.empty() &&
                     slot_header::fits(owner_.to_.object(), object.entity_tag, line_size());
            owner_.core().confirm(owner_.to_.object(), object);
            return owner_.begin(object);
        }
        std::span<std::byte> room() noexcept override {
            room_ = owner_.to_.room();
            const std::uint64_t left = offset() + size() - owner_.at_;
            if (room_.size() > left) room_ = room_.first(static_cast<std::size_t>(left));
            return room_;
        }
        bool room_is_recycled() const noexcept override { return owner_.to_.room_is_recycled(); }
        bool arrived(std::size_t bytes) noexcept override {
            if (bytes > room_.size()) {
                keeps_ = false;  // the reader refuses it
                owner_.core().discard(line_);
            } else {
                copy(room_.first(bytes));
            }
            owner_.core().counters().bytes_from_source.add(bytes);
            return owner_.arrived(bytes);
        }
        bool wanted() const noexcept override { return owner_.is_wanted(); }
        void finish() noexcept override {
            owner_.core().keep(complete_);
            settle();
            owner_.part_ended(nullptr, owner_.at_ < std::min(offset() + size(), owner_.end_));
        }
        void fail(std::exception_ptr why) noexcept override {
            if (is_of_a_change(why)) {
                owner_.core().drop(owner_.to_.object(), owner_.tag());
            }
            settle();
            owner_.part_ended(std::move(why), false);
        }

    private:
        [[nodiscard]] std::size_t line_size() const noexcept {
            return owner_.core().options().line_size;
        }
        // Before the next part, which may wait for what this one gives back.
        void settle() noexcept {
            owner_.core().discard(line_);
            owner_.core().discard(complete_);
            owner_.core().end_claim(claim_);
        }
        // Copies what has arrived into the buffers of lines.
        void copy(std::span<const std::byte> bytes) noexcept {
            for (std::uint64_t at = owner_.at_; !bytes.empty();) {
                const std::uint64_t in_line = at % line_size();
                if (at == offset() || in_line == 0) begin_line(at);
                const std::uint64_t content =
                    std::min<std::uint64_t>(line_size(), owner_.info_.size - (at - in_line));
                const auto some = static_cast<std::size_t>(
                    std::min<std::uint64_t>(bytes.size(), content - in_line));
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
        void begin_line(std::uint64_t at) noexcept {
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

        tier_read& owner_;
        line_claim* claim_;  // none if the lines are not claimed
        std::span<std::byte> room_;
        pending_lines line_;      // at most one, which is being filled
        pending_lines complete_;  // at most one
        bool keeps_ = false;
    };

    static void fetch_from_source(state& tier, line_read& to) noexcept {
        try {
            tier.source.fetch(to);
        } catch (...) {
            to.fail(std::current_exception());
        }
    }
    static void start_at_source(state& tier, line_read& to) noexcept {
        try {
            tier.source.start(to);
        } catch (...) {
            to.fail(std::current_exception());
        }
    }

    tier_read(state& tier, line_read& to, bool is_started)
        : tier_(tier),
          to_(to),
          is_started_(is_started),
          core_(tier.folder.core()),
          at_(to.offset()),
          end_(to.offset() +
               std::min(to.size(), std::numeric_limits<std::uint64_t>::max() - to.offset())),
          tag_(to.entity_tag()) {}
    ~tier_read() = default;

    [[nodiscard]] disk_core& core() const noexcept { return *core_; }
    [[nodiscard]] std::uint64_t number() const noexcept { return at_ / core().options().line_size; }
    // The version that the next bytes must have; empty if any will do.
    [[nodiscard]] std::string_view tag() const noexcept {
        return has_begun_ ? std::string_view(info_.entity_tag) : std::string_view(tag_);
    }
    [[nodiscard]] bool is_wanted() const noexcept {
        return is_wanted_ && to_.wanted() && !tier_.operations.is_closing();
    }
    // The first line after the read's last one, as far as its end is known.
    [[nodiscard]] std::uint64_t end_line() const noexcept {
        const std::uint64_t size = core().options().line_size;
        return end_ / size + (end_ % size != 0 ? 1 : 0);
    }
    [[nodiscard]] bool may_use_disk() const noexcept {
        return !only_source_ && (!has_begun_ || !info_.entity_tag.empty());
    }
    // A guest's owner may have any line.
    [[nodiscard]] bool is_on_disk() noexcept {
        if (!may_use_disk()) return false;
        if (core().is_guest()) {
            return core().file().fault().empty() &&
                   slot_header::fits(to_.object(), tag(), core().options().line_size);
        }
        return core().holds(to_.object(), tag(), number());
    }

    bool begin(const object_info& object) noexcept {
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
    bool arrived(std::size_t bytes) noexcept {
        at_ += bytes;
        is_wanted_ = to_.arrived(bytes) && is_wanted_;
        return is_wanted_ && !tier_.operations.is_closing();
    }

    // Returns false if the source is to deliver the next bytes instead.
    bool pass_to_threads() noexcept {
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

    // Delivers the bytes of the line at at_, as long as they are wanted. Returns false if the
    // source is to deliver the next ones.
    bool serve_from_disk() noexcept {
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
    // The same, in a guest. It also returns true if the process has another owner now, or has
    // become the owner. Throws std::bad_alloc.
    bool serve_as_guest(read_scratch& scratch) {
        node_question question{.number = number(), .end = end_line()};
        for (;;) {
            const auto line = tier_.folder.locate(core_, question, to_.object(), tag(),
                                                  [this] { return is_wanted(); });
            constexpr int most_owners = 10;
            if (!line && !is_wanted()) return true;
            if (!line && tier_.folder.core() != core_ && ++owners_ != most_owners) return true;
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
    // Sets the tag to that of the version that the source has now.
    void choose_version() {
        try {
            tag_ = tier_.describe(to_.object()).entity_tag;
        } catch (...) {
            only_source_ = true;  // it will say what is wrong
        }
    }

    // Returns false if the slot does not hold the line. What was delivered before is right.
    bool read_line(const disk_core::acquired& line, read_scratch& scratch) noexcept {
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
    [[nodiscard]] bool is_expected(const slot_line& found,
                                   const disk_core::acquired& line) const noexcept {
        return found.object == to_.object() && found.entity_tag == line.object.entity_tag &&
               found.object_size == line.object.size && found.number == number() &&
               found.sequence == line.sequence && found.content == line.content;
    }
    // How many bytes from there on are whole chunks, of at most 512 KiB, that fit into the room.
    [[nodiscard]] static std::size_t whole_chunks(const disk_core::acquired& line, std::size_t from,
                                                  std::size_t room) noexcept {
        constexpr std::size_t chunk = slot_header::chunk_size, most = 8 * chunk;
        if (from % chunk != 0) return 0;
        if (room >= line.content - from && line.content - from <= most) return line.content - from;
        return std::min(room, most) / chunk * chunk;
    }
    // Reads straight into the reader's memory.
    bool read_chunks(const disk_core::acquired& line, const slot_header& header, std::size_t from,
                     std::size_t size) noexcept {
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
    // Reads a chunk beside, and copies the wanted part of it.
    bool read_within_chunk(const disk_core::acquired& line, const slot_header& header,
                           std::size_t from, std::size_t wanted, read_scratch& scratch) noexcept {
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
    void deliver(std::size_t bytes) noexcept {
        core().counters().bytes_from_disk.add(bytes);
        arrived(bytes);
    }
    bool has_read(int error) noexcept {
        if (error == ENODATA) return found_damage();
        if (error != 0) core().counters().failed_reads.add(1);
        return error == 0;
    }
    bool found_damage() noexcept {
        if (!core().is_guest()) core().counters().damaged.add(1);
        return false;
    }

    // Returns false if another read requests the next line, or has just requested it. Otherwise the
    // caller requests it, without a claim if the disk cannot keep it.
    bool claim_lines(bool may_wait) noexcept {
        if (!core().has_claims() || !may_use_disk()) return true;
        try {
            const disk_core::claim_result result =
                core().claim(to_.object(), tag(), number(), end_line(), may_wait,
                             [this] { return is_wanted(); });
            claim_ = result.claim;
            return result.is != disk_core::claim_result::outcome::in_use;
        } catch (...) {
            return true;
        }
    }

    // Requests the bytes up to the next line that is on the disk. Returns whether advance() is to
    // continue.
    bool request_from_source() noexcept {
        try {
            // A version that the reader has not yet seen is not required of the source.
            std::string required(has_begun_ ? std::string_view(info_.entity_tag)
                                            : to_.entity_tag());
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
    [[nodiscard]] std::uint64_t end_of_part(std::string_view required) noexcept {
        const std::uint64_t size = core().options().line_size, lines = end_line();
        if (claim_ != nullptr && claim_->end < lines) return claim_->end * size;
        if (claim_ != nullptr || only_source_ || number() + 1 >= lines) return end_;
        const std::uint64_t next = core().next(to_.object(), required, number() + 1, lines);
        return next == lines ? end_ : next * size;
    }
    // The source has ended the part: with all bytes, with a failure, or too soon.
    void part_ended(std::exception_ptr why, bool is_short) noexcept {
        if (!failure_) failure_ = std::move(why);
        is_short_ = is_short;
        if (!is_started_) return;
        if (failure_ || is_short) return end(std::move(failure_));
        advance(false);
    }

    void fail_with(source_failure reason, const char* why) noexcept {
        try {
            failure_ = std::make_exception_ptr(source_error(reason, read_name(to_) + ": " + why));
        } catch (...) {
            failure_ = std::current_exception();
        }
    }
    void end_cancelled() noexcept {
        if (!failure_) fail_with(source_failure::cancelled, "cancelled");
        end(std::move(failure_));
    }
    // Ends the reader's read. This read is gone before, if it was started, because the reader may
    // destroy everything else.
    void end(std::exception_ptr why) noexcept {
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

    state& tier_;
    line_read& to_;
    const bool is_started_;
    std::shared_ptr<disk_core> core_;
    std::uint64_t at_;   // of the next byte
    std::uint64_t end_;  // of the read, or of the object as soon as its size is known
    std::string tag_;    // required, or chosen
    object_info info_;   // as the reader knows it
    bool has_begun_ = false;
    bool is_wanted_ = true;
    bool only_source_ = false;
    line_claim* claim_ = nullptr;  // for the next part
    int owners_ = 1;               // that were asked
    std::optional<part> part_;
    bool is_short_ = false;
    std::exception_ptr failure_;
};

tier_state::tier_state(any_line_source& from, const disk_tier_options& options)
    : source(from),
      folder(options),
      threads(options.threads, [](tier_read* read) { read->advance(true); }) {
    folder.open([this](const node_call& call) { return tier_read::answer(*this, call); });
}

}  // namespace detail

any_disk_tier::any_disk_tier(any_line_source& source, const disk_tier_options& options)
    : state_(std::make_unique<detail::tier_state>(source, options)) {}

any_disk_tier::~any_disk_tier() {
    state_->operations.close();
    state_->folder.close();
}

void any_disk_tier::fetch(line_read& read) noexcept {
    detail::tier_read::fetch(*state_, read);
}

void any_disk_tier::start(line_read& read) noexcept {
    detail::tier_read::start(*state_, read);
}

object_info any_disk_tier::describe(std::string_view object) {
    return state_->describe(object);
}

void any_disk_tier::invalidate(std::string_view object) noexcept {
    state_->folder.drop(object);
}

void any_disk_tier::flush() noexcept {
    state_->folder.core()->flush();
}

void any_disk_tier::stop_serving() noexcept {
    state_->folder.close();
}

std::string any_disk_tier::fault() const {
    return state_->folder.fault();
}

disk_tier_statistics any_disk_tier::statistics() noexcept {
    return state_->folder.core()->statistics();
}

const disk_tier_options& any_disk_tier::options() const noexcept {
    return state_->folder.options();
}

}  // namespace freehold::inline FREEHOLD_ABI
