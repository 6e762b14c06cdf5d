// SPDX-License-Identifier: BSL-1.0
// Decodes what LTTng-UST's wrapper of the C library writes for each call. The events are malloc,
// calloc, realloc, free, memalign and posix_memalign of the provider lttng_ust_libc.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include <babeltrace2/babeltrace.h>

namespace freehold {

struct ctf_call {
    enum class kind : std::uint8_t { other, allocate, free, reallocate, process_begins };

    kind what = kind::other;
    bool has_thread = false;
    bool has_time = false;
    std::int64_t time = 0;      // ns
    std::uint64_t process = 0;  // 0: not recorded
    std::uint64_t thread = 0;
    std::uint64_t address = 0;      // 0: the call failed
    std::uint64_t old_address = 0;  // of reallocate
    std::uint64_t size = 0;
    std::uint64_t alignment = 0;
    std::string name;  // of the process; empty if not known
};

/// Knows where the needed fields are in each event. The look-up by name is done once for each class
/// of events.
class ctf_call_decoder {
public:
    /// Overwrites `call`.
    void decode(const bt_message* event_message, ctf_call& call);

private:
    struct layout;
    using layouts = std::unordered_map<const bt_event_class*, layout>;

    struct member {
        static constexpr std::uint64_t none = ~std::uint64_t{0};
        std::uint64_t index = none;

        [[nodiscard]] bool exists() const { return index != none; }
        static member of(const bt_field_class* structure, const char* name);
    };
    struct layout {
        ctf_call::kind what = ctf_call::kind::other;
        bool has_time = false;
        member size, count, alignment, address, old_address, result, name;  // of the payload
        member process, thread;                                             // of the context
        std::uint64_t trace_process = 0;  // of the whole trace: LTTng's buffers per process
        std::string trace_name;
    };

    const layout& layout_of(const bt_event* event);

    layouts layouts_;
};

}  // namespace freehold
