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
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_source.hpp>

#include "line/active_operations.hpp"
#include "line/disk/disk_core.hpp"
#include "line/disk/node_messages.hpp"
#include "line/disk/node_server.hpp"
#include "line/disk/tier_disk.hpp"
#include "line/job_threads.hpp"
#include "line/reads.hpp"

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

class tier_read;

// What the reads of a tier share.
struct tier_state {
    tier_state(any_line_source& from, const disk_tier_options& options);

    // Asks the source, unless what it has told before is trusted. Throws source_error and
    // std::bad_alloc.
    [[nodiscard]] object_info describe(std::string_view object);

    any_line_source& source;
    tier_disk disk;
    active_operations operations;
    job_threads<tier_read*> threads;
};

class tier_read {
public:
    using state = tier_state;

    static void fetch(state& tier, line_read& to) noexcept;
    static void start(state& tier, line_read& to) noexcept;

    // Answers a guest, in the owner. The line may be overwritten before the guest reads it.
    static node_answer answer(state& tier, const node_call& call);

    tier_read(const tier_read&) = delete;
    tier_read& operator=(const tier_read&) = delete;

    // Delivers as much as possible without waiting for another thread. `may_block` allows it to
    // wait for the disk, and for the source's description. The read may be gone afterwards.
    void advance(bool may_block) noexcept;

private:
    // A request to the source for consecutive bytes.
    class part final : public line_read {
    public:
        part(tier_read& owner, std::uint64_t end, std::string tag);
        part(const part&) = delete;
        part& operator=(const part&) = delete;
        ~part() { settle(); }

        bool begin(const object_info& object) noexcept override;
        std::span<std::byte> room() noexcept override;
        bool room_is_recycled() const noexcept override { return owner_.to_.room_is_recycled(); }
        bool arrived(std::size_t bytes) noexcept override;
        bool wanted() const noexcept override { return owner_.is_wanted(); }
        void finish() noexcept override;
        void fail(std::exception_ptr why) noexcept override;

    private:
        [[nodiscard]] std::size_t line_size() const noexcept {
            return owner_.core().options().line_size;
        }
        // Before the next part, which may wait for what this one gives back.
        void settle() noexcept;
        // Copies what has arrived into the buffers of lines.
        void copy(std::span<const std::byte> bytes) noexcept;
        void begin_line(std::uint64_t at) noexcept;
        static bool has_changed(const std::exception_ptr& why) noexcept;

        tier_read& owner_;
        line_claim* claim_;  // none if the lines are not claimed
        std::span<std::byte> room_;
        pending_lines line_;      // at most one, which is being filled
        pending_lines complete_;  // at most one
        bool keeps_ = false;
    };

    static void fetch_from_source(state& tier, line_read& to) noexcept;
    static void start_at_source(state& tier, line_read& to) noexcept;

    tier_read(state& tier, line_read& to, bool is_started);
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
    [[nodiscard]] bool is_on_disk() noexcept;

    bool begin(const object_info& object) noexcept;
    bool arrived(std::size_t bytes) noexcept;

    // Returns false if the source is to deliver the next bytes instead.
    bool pass_to_threads() noexcept;

    // Delivers the bytes of the line at at_, as long as they are wanted. Returns false if the
    // source is to deliver the next ones.
    bool serve_from_disk() noexcept;
    // The same, in a guest. It also returns true if the process has another owner now, or has
    // become the owner. Throws std::bad_alloc.
    bool serve_as_guest(read_scratch& scratch);
    // Sets the tag to that of the version that the source has now.
    void choose_version();

    // Returns false if the slot does not hold the line. What was delivered before is right.
    bool read_line(const disk_core::acquired& line, read_scratch& scratch) noexcept;
    [[nodiscard]] bool is_expected(const slot_line& found,
                                   const disk_core::acquired& line) const noexcept;
    // How many bytes from there on are whole chunks, of at most 512 KiB, that fit into the room.
    [[nodiscard]] static std::size_t whole_chunks(const disk_core::acquired& line, std::size_t from,
                                                  std::size_t room) noexcept;
    // Reads straight into the reader's memory.
    bool read_chunks(const disk_core::acquired& line, const slot_header& header, std::size_t from,
                     std::size_t size) noexcept;
    // Reads a chunk beside, and copies the wanted part of it.
    bool read_within_chunk(const disk_core::acquired& line, const slot_header& header,
                           std::size_t from, std::size_t wanted, read_scratch& scratch) noexcept;
    void deliver(std::size_t bytes) noexcept {
        core().counters().bytes_from_disk.add(bytes);
        arrived(bytes);
    }
    bool has_read(int error) noexcept;
    bool found_damage() noexcept {
        if (!core().is_guest()) core().counters().damaged.add(1);
        return false;
    }

    // Returns false if another read requests the next line, or has just requested it. Otherwise the
    // caller requests it, without a claim if the disk cannot keep it.
    bool claim_lines(bool may_wait) noexcept;

    // Requests the bytes up to the next line that is on the disk. Returns whether advance() is to
    // continue.
    bool request_from_source() noexcept;
    [[nodiscard]] std::uint64_t end_of_part(std::string_view required) noexcept;
    // The source has ended the part: with all bytes, with a failure, or too soon.
    void part_ended(std::exception_ptr why, bool is_short) noexcept;

    void fail_with(source_failure reason, const char* why) noexcept;
    void end_cancelled() noexcept {
        if (!failure_) fail_with(source_failure::cancelled, "cancelled");
        end(std::move(failure_));
    }
    // Ends the reader's read. This read is gone before, if it was started, because the reader may
    // destroy everything else.
    void end(std::exception_ptr why) noexcept;

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

}  // namespace freehold::inline FREEHOLD_ABI::detail
