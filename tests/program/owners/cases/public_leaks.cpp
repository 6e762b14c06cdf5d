// SPDX-License-Identifier: BSL-1.0
// Leaks that public bug reports describe, each in a few lines:
//
//   machinezone/IXWebSocket#224   a socket keeps a callback that captures the socket
//   includeos/IncludeOS#602       a shared function captures itself
//   OpenGenus/cosmos#2985         the nodes of a tree own their parent, left and right
//
// and one that this command found in the tests of google/minja (commit 021c229): the values of a
// context have a callable that captures the context.
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>

struct web_socket {
    std::function<void(const std::string&)> on_message;
    std::string received;
};

using next_step = std::function<void(unsigned)>;

struct context {
    std::map<std::string, std::shared_ptr<std::function<void()>>> values;
};

struct node {
    int data = 0;
    std::shared_ptr<node> left, right, parent;
};

static void __attribute__((noinline)) connect() {
    auto socket = std::make_shared<web_socket>();
    socket->on_message = [socket](const std::string& text) { socket->received = text; };
}

static void __attribute__((noinline)) read_sectors() {
    auto next = std::make_shared<next_step>();
    *next = [next](unsigned sector) {
        if (sector != 0) (*next)(sector - 1);
    };
    (*next)(3);
}

static void __attribute__((noinline)) insert() {
    auto root = std::make_shared<node>();
    root->left = std::make_shared<node>();
    root->left->parent = root;
    root->right = std::make_shared<node>();
    root->right->parent = root;
}

static void __attribute__((noinline)) render() {
    auto macro_context = std::make_shared<context>();
    macro_context->values["macro"] =
        std::make_shared<std::function<void()>>([macro_context] { macro_context->values.clear(); });
}

int main() {
    for (int i = 0; i != 40; ++i) connect();
    for (int i = 0; i != 30; ++i) read_sectors();
    for (int i = 0; i != 20; ++i) insert();
    for (int i = 0; i != 10; ++i) render();
    std::puts("ends");
}
