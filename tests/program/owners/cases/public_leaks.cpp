// SPDX-License-Identifier: BSL-1.0
// Leaks that public bug reports describe, each in a few lines:
//
//   machinezone/IXWebSocket#224   a socket keeps a callback that captures the socket
//   includeos/IncludeOS#602       a shared function captures itself
//   OpenGenus/cosmos#2985         the nodes of a tree own their parent, left and right
//   ReactiveX/RxCpp#196           a subscription is a lambda that captures what it ends
//   boostorg/beast#1539           a stream keeps a bound function that owns its session
//   Corvusoft/restbed#85          a session's implementation keeps a bound function that owns it
//
// and one that this command found in the tests of google/minja (commit 021c229): the values of a
// context have a callable that captures the context.
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

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

template <class Unsubscribe>
struct subscription {
    Unsubscribe unsubscribe_call;
};
struct lifetime {
    std::vector<std::shared_ptr<void>> subscriptions;
};
struct binder {
    std::shared_ptr<lifetime> state = std::make_shared<lifetime>();
    bool is_casting = true;
};

struct session;
struct stream {
    std::function<void(int)> ctrl_cb;
};
struct session : std::enable_shared_from_this<session> {
    std::shared_ptr<stream> ws = std::make_shared<stream>();
    void on_control(int) {}
};

struct served {
    struct implementation {
        std::string id;
        std::function<void(int)> keep_alive;
    };
    implementation* pimpl = new implementation;
    served() = default;
    served(const served&) = delete;
    ~served() { delete pimpl; }
};

struct closes_door {
    std::shared_ptr<struct door> kept;
    void operator()() const {}
};
struct door {
    std::function<void()> on_close;
};

template <class Unsubscribe>
static std::shared_ptr<void> subscribed(Unsubscribe call) {
    return std::make_shared<subscription<Unsubscribe>>(subscription<Unsubscribe>{call});
}

static void __attribute__((noinline)) observe() {
    auto keep_alive = std::make_shared<binder>();
    keep_alive->state->subscriptions.push_back(
        subscribed([keep_alive] { keep_alive->is_casting = false; }));
}

static void __attribute__((noinline)) listen() {
    auto made = std::make_shared<session>();
    made->ws->ctrl_cb =
        std::bind(&session::on_control, made->shared_from_this(), std::placeholders::_1);
}

static void parse_request(int, const std::shared_ptr<served>&) {}
static void __attribute__((noinline)) serve() {
    auto made = std::make_shared<served>();
    made->pimpl->keep_alive = std::bind(&parse_request, std::placeholders::_1, made);
}

static void __attribute__((noinline)) open_door() {
    auto made = std::make_shared<door>();
    made->on_close = closes_door{made};
}

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
    for (int i = 0; i != 6; ++i) serve();
    for (int i = 0; i != 40; ++i) connect();
    for (int i = 0; i != 30; ++i) read_sectors();
    for (int i = 0; i != 20; ++i) insert();
    for (int i = 0; i != 10; ++i) render();
    for (int i = 0; i != 9; ++i) observe();
    for (int i = 0; i != 8; ++i) listen();
    for (int i = 0; i != 7; ++i) open_door();
    std::puts("ends");
}
