// SPDX-License-Identifier: BSL-1.0
#include "advise/traces/ctf_graph.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace freehold {
namespace {

struct plugin_deleter {
    void operator()(const bt_plugin* plugin) const { bt_plugin_put_ref(plugin); }
};
using plugin_pointer = std::unique_ptr<const bt_plugin, plugin_deleter>;

struct value_deleter {
    void operator()(const bt_value* value) const { bt_value_put_ref(value); }
};

/// Reports the first cause, which is the deepest. The later causes are only its callers.
[[noreturn]] void fail(const std::string& otherwise) {
    std::string text = otherwise;
    if (const bt_error* error = bt_current_thread_take_error()) {
        if (bt_error_get_cause_count(error) != 0)
            text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
        bt_error_release(error);
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw ctf_error(text);
}

plugin_pointer plugin(const char* name) {
    const bt_plugin* found = nullptr;
    if (bt_plugin_find(name, BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &found) !=
        BT_PLUGIN_FIND_STATUS_OK)
        fail(std::string("libbabeltrace2 has no plugin '") + name + "'; install babeltrace2");
    return plugin_pointer(found);
}

const bt_component_source* add_source(bt_graph* graph, const bt_component_class_source* kind,
                                      const std::filesystem::path& folder,
                                      const std::string& name) {
    const std::unique_ptr<bt_value, value_deleter> parameters(bt_value_map_create());
    bt_value* inputs = nullptr;
    if (!parameters ||
        bt_value_map_insert_empty_array_entry(parameters.get(), "inputs", &inputs) !=
            BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK ||
        bt_value_array_append_string_element(inputs, folder.c_str()) !=
            BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK)
        throw std::bad_alloc();
    const bt_component_source* source = nullptr;
    if (bt_graph_add_source_component(graph, kind, name.c_str(), parameters.get(),
                                      BT_LOGGING_LEVEL_NONE,
                                      &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        fail("libbabeltrace2 does not open it");
    return source;
}

}  // namespace

ctf_graph::ctf_graph(const std::vector<std::filesystem::path>& folders, receiver receive)
    : receive_(std::move(receive)) {
    const plugin_pointer ctf = plugin("ctf");
    const plugin_pointer utils = plugin("utils");
    const auto* fs_class = bt_plugin_borrow_source_component_class_by_name_const(ctf.get(), "fs");
    const auto* muxer_class =
        bt_plugin_borrow_filter_component_class_by_name_const(utils.get(), "muxer");
    bt_graph* graph = bt_graph_create(0);
    graph_.reset(graph);
    if (fs_class == nullptr || muxer_class == nullptr || graph == nullptr)
        fail("libbabeltrace2 is incomplete; install babeltrace2");

    const bt_component_filter* muxer = nullptr;
    if (bt_graph_add_filter_component(graph, muxer_class, "muxer", nullptr, BT_LOGGING_LEVEL_NONE,
                                      &muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        fail("libbabeltrace2 makes no muxer");
    // The muxer always has exactly one unconnected input.
    std::uint64_t input = 0;
    for (std::size_t i = 0; i != folders.size(); ++i) {
        const auto* source = add_source(graph, fs_class, folders[i], "trace" + std::to_string(i));
        const std::uint64_t ports = bt_component_source_get_output_port_count(source);
        for (std::uint64_t port = 0; port != ports; ++port)
            if (bt_graph_connect_ports(
                    graph, bt_component_source_borrow_output_port_by_index_const(source, port),
                    bt_component_filter_borrow_input_port_by_index_const(muxer, input++),
                    nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
                fail("libbabeltrace2 does not read its streams");
    }
    const bt_component_sink* sink = nullptr;
    if (bt_graph_add_simple_sink_component(graph, "freehold", nullptr, &ctf_graph::consume, nullptr,
                                           this, &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
        bt_graph_connect_ports(graph,
                               bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
                               bt_component_sink_borrow_input_port_by_index_const(sink, 0),
                               nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
        fail("libbabeltrace2 does not connect its parts");
}

bt_graph_simple_sink_component_consume_func_status ctf_graph::consume(bt_message_iterator* messages,
                                                                      void* self) {
    auto& graph = *static_cast<ctf_graph*>(self);
    bt_message_array_const batch = nullptr;
    std::uint64_t count = 0;
    switch (bt_message_iterator_next(messages, &batch, &count)) {
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
            break;
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
            return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
            return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
        case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
            return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
        default:
            return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
    }
    try {
        for (std::uint64_t i = 0; i != count; ++i)
            if (!graph.thrown_) graph.receive_(batch[i]);
    } catch (...) {
        graph.thrown_ = std::current_exception();
    }
    for (std::uint64_t i = 0; i != count; ++i) bt_message_put_ref(batch[i]);
    return graph.thrown_ ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
                         : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

bool ctf_graph::run_once() {
    // A source that fails after it has made messages delivers these first, and fails again at the
    // next call. It leaves its error in the thread, and the error must not be there at the next
    // call.
    bt_current_thread_clear_error();
    switch (bt_graph_run_once(graph_.get())) {
        case BT_GRAPH_RUN_ONCE_STATUS_OK:
        case BT_GRAPH_RUN_ONCE_STATUS_AGAIN:
            return true;
        case BT_GRAPH_RUN_ONCE_STATUS_END:
            return false;
        case BT_GRAPH_RUN_ONCE_STATUS_MEMORY_ERROR:
            bt_current_thread_clear_error();
            throw std::bad_alloc();
        default:
            break;
    }
    if (thrown_) {
        bt_current_thread_clear_error();
        std::rethrow_exception(thrown_);
    }
    fail("libbabeltrace2 does not say why");
}

}  // namespace freehold
