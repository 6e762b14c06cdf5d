// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/ctf_calls.hpp"

#include <cstring>
#include <string_view>

namespace freehold {
namespace {

const bt_field* borrow(const bt_field* structure, std::uint64_t index) {
    return bt_field_structure_borrow_member_field_by_index_const(structure, index);
}

std::uint64_t integer(const bt_field* field) {
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        return bt_field_integer_unsigned_get_value(field);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        return static_cast<std::uint64_t>(bt_field_integer_signed_get_value(field));
    return 0;
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? ~std::uint64_t{0} : product;
}

ctf_call::kind kind_of(std::string_view event) {
    using kind = ctf_call::kind;
    constexpr std::string_view provider = "lttng_ust_libc:";
    if (event == "lttng_ust_statedump:procname") return kind::process_begins;
    if (event.substr(0, provider.size()) != provider) return kind::other;
    const std::string_view call = event.substr(provider.size());
    if (call == "free") return kind::free;
    if (call == "realloc") return kind::reallocate;
    if (call == "malloc" || call == "calloc" || call == "memalign" || call == "posix_memalign")
        return kind::allocate;
    return kind::other;
}

}  // namespace

ctf_call_decoder::member ctf_call_decoder::member::of(const bt_field_class* structure,
                                                      const char* name) {
    if (structure == nullptr) return {};
    const std::uint64_t count = bt_field_class_structure_get_member_count(structure);
    for (std::uint64_t i = 0; i != count; ++i) {
        const auto* each = bt_field_class_structure_borrow_member_by_index_const(structure, i);
        if (std::strcmp(bt_field_class_structure_member_get_name(each), name) == 0)
            return member{i};
    }
    return {};
}

const ctf_call_decoder::layout& ctf_call_decoder::layout_of(const bt_event* event) {
    const bt_event_class* kind = bt_event_borrow_class_const(event);
    const auto [found, added] = layouts_.try_emplace(kind);
    layout& result = found->second;
    if (!added) return result;

    const char* name = bt_event_class_get_name(kind);
    result.what = name == nullptr ? ctf_call::kind::other : kind_of(name);
    if (result.what == ctf_call::kind::other) return result;

    const auto* payload = bt_event_class_borrow_payload_field_class_const(kind);
    result.size = member::of(payload, "size");
    result.count = member::of(payload, "nmemb");
    result.alignment = member::of(payload, "alignment");
    result.old_address = member::of(payload, "in_ptr");
    result.result = member::of(payload, "result");
    result.name = member::of(payload, "procname");
    result.address = member::of(payload, "ptr");
    if (!result.address.exists()) result.address = member::of(payload, "out_ptr");
    if (result.what != ctf_call::kind::process_begins && !result.address.exists())
        result.what = ctf_call::kind::other;

    const auto* stream = bt_event_class_borrow_stream_class_const(kind);
    result.has_time = bt_stream_class_borrow_default_clock_class_const(stream) != nullptr;
    const auto* context = bt_stream_class_borrow_event_common_context_field_class_const(stream);
    result.process = member::of(context, "vpid");
    result.thread = member::of(context, "vtid");

    const bt_trace* trace = bt_stream_borrow_trace_const(bt_event_borrow_stream_const(event));
    if (const auto* id = bt_trace_borrow_environment_entry_value_by_name_const(trace, "vpid");
        id != nullptr && bt_value_is_signed_integer(id))
        result.trace_process = static_cast<std::uint64_t>(bt_value_integer_signed_get(id));
    if (const auto* text = bt_trace_borrow_environment_entry_value_by_name_const(trace, "procname");
        text != nullptr && bt_value_is_string(text))
        result.trace_name = bt_value_string_get(text);
    return result;
}

void ctf_call_decoder::decode(const bt_message* event_message, ctf_call& call) {
    const bt_event* event = bt_message_event_borrow_event_const(event_message);
    const layout& where = layout_of(event);
    call.what = where.what;
    if (call.what == ctf_call::kind::other) return;

    call.has_time = where.has_time;
    if (where.has_time && bt_clock_snapshot_get_ns_from_origin(
                              bt_message_event_borrow_default_clock_snapshot_const(event_message),
                              &call.time) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
        bt_current_thread_clear_error();
    const bt_field* payload = bt_event_borrow_payload_field_const(event);
    const bt_field* context = bt_event_borrow_common_context_field_const(event);
    const auto number = [](const bt_field* structure, member which, std::uint64_t otherwise) {
        return which.exists() ? integer(borrow(structure, which.index)) : otherwise;
    };
    call.process = number(context, where.process, where.trace_process);
    call.has_thread = where.thread.exists();
    call.thread = number(context, where.thread, call.process);
    call.name = where.trace_name;
    if (where.name.exists())
        call.name = bt_field_string_get_value(borrow(payload, where.name.index));

    call.address = number(payload, where.address, 0);
    call.old_address = number(payload, where.old_address, 0);
    call.size = saturated_product(number(payload, where.size, 0), number(payload, where.count, 1));
    call.alignment = number(payload, where.alignment, 0);
    // A failed posix_memalign leaves a value in its pointer that is not a block.
    if (number(payload, where.result, 0) != 0) call.address = 0;
}

}  // namespace freehold
