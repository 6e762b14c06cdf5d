// SPDX-License-Identifier: BSL-1.0
// The graph of libbabeltrace2 that merges trace folders into one sequence of messages in the order
// of time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <babeltrace2/babeltrace.h>

namespace freehold {

/// what() is libbabeltrace2's own description of the cause, in one line.
class ctf_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class ctf_graph {
public:
    using receiver = std::function<void(const bt_message*)>;

    /// Throws ctf_error if libbabeltrace2 or its plugin is incomplete, or if a folder's metadata or
    /// packets are.
    ctf_graph(const std::vector<std::filesystem::path>& folders, receiver receive);
    ctf_graph(const ctf_graph&) = delete;
    ctf_graph& operator=(const ctf_graph&) = delete;

    /// Passes the next few messages to the receiver. Returns false at the end. Throws what the
    /// receiver throws. Throws ctf_error where the trace cannot be decoded, after it has delivered
    /// all messages before that place.
    bool run_once();

private:
    struct graph_release {
        void operator()(bt_graph* graph) const { bt_graph_put_ref(graph); }
    };

    static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* messages,
                                                                      void* self);

    receiver receive_;
    std::exception_ptr thrown_;  // by the receiver, which libbabeltrace2's C functions call
    std::unique_ptr<bt_graph, graph_release> graph_;
};

}  // namespace freehold
