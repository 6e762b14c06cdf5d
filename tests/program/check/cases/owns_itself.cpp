// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Rings of a closure or a bound function and the object that keeps it.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

void use(const void*);

// A public member, by a variable and by a parameter.
namespace plain_member {
struct connection {
    std::function<void()> on_close;
    int id = 0;
};
std::shared_ptr<connection> open() {
    auto self = std::make_shared<connection>();
    self->on_close = [self] { use(self.get()); };  // finds: this closure owns 'self', which keeps it in 'on_close'
    return self;
}
void watch(const std::shared_ptr<connection>& given) {
    given->on_close = [id = 3, kept = given] { use(kept.get() + id); };  // finds: owns 'given'
}
void watch_any(std::shared_ptr<connection> given) {
    (*given).on_close = [=] { use(given.get()); };  // finds: owns 'given'
}
void watch_by_name(std::shared_ptr<connection> given) {
    auto closure = [given] { use(given.get()); };  // finds: owns 'given'
    given->on_close = std::move(closure);
}
}  // namespace plain_member

// Setters, as of IXWebSocket's socket (its issue 224).
namespace setters {
class socket {
public:
    using callback = std::function<void(const std::string&)>;
    void set_on_message(const callback& given) { on_message_ = given; }
    void set_on_open(callback given) { on_open_ = std::move(given); }
    template <class F>
    void set_on_error(F&& given) {
        on_error_ = std::forward<F>(given);
    }
    void add_listener(callback given) { listeners_.push_back(std::move(given)); }
    void set_named(int name, callback given) { named_[name] = std::move(given); }
    void forward(callback given) { set_on_open(std::move(given)); }
    void wrap(callback given) {
        on_wrapped_ = [this, given](const std::string& text) { given(text + name_); };
    }
    void run() const { on_message_(""), on_error_(""); }

private:
    callback on_message_, on_open_, on_error_, on_wrapped_;
    std::vector<callback> listeners_;
    std::map<int, callback> named_;
    std::string name_;
};
void start(std::shared_ptr<socket> socket, int state) {
    socket->set_on_message([socket, state](const std::string&) { use(&state); });  // finds: keeps it in 'on_message_'
    socket->set_on_open([socket](const std::string&) {});   // finds: keeps it in 'on_open_'
    socket->set_on_error([socket](const std::string&) { use(&socket); });  // finds: keeps it in 'on_error_'
    socket->add_listener([socket](const std::string&) {});  // finds: keeps it in 'listeners_'
    socket->set_named(1, [socket](const std::string&) {});  // finds: keeps it in 'named_'
    socket->wrap([socket](const std::string&) {});          // finds: keeps it in 'on_wrapped_'
}
void forward(std::shared_ptr<socket> socket) {
    socket->forward([socket](const std::string&) {});  // finds: keeps it in 'on_open_'
}

// A proxy's state that owns its socket (IXWebSocket's issue 490).
class proxy_state {
public:
    socket& upstream() { return upstream_; }
    socket* downstream() { return downstream_.get(); }

private:
    socket upstream_;
    std::unique_ptr<socket> downstream_ = std::make_unique<socket>();
};
void proxy(std::shared_ptr<proxy_state> state) {
    state->upstream().set_on_message([state](const std::string&) {});  // finds: keeps it in 'upstream_.on_message_'
    state->downstream()->set_on_open([state](const std::string&) {});  // finds: keeps it in 'downstream_.on_open_'
}
void set(socket& into, socket::callback given) { into.set_on_message(std::move(given)); }
void by_function(std::shared_ptr<proxy_state> state) {
    set(state->upstream(), [state](const std::string&) {});  // finds: keeps it in 'upstream_.on_message_'
}
}  // namespace setters

// Member functions that own their object.
namespace members {
template <class F>
class callback {
public:
    callback() = default;
    template <class G>
    callback(G given) : keeper_(std::make_shared<holder<G>>(std::move(given))) {}

private:
    template <class G>
    struct holder {
        explicit holder(G given) : kept(std::move(given)) {}
        G kept;
    };
    std::shared_ptr<void> keeper_;
};

class timer {
public:
    timer(int period, std::function<void()> given) : period_(period), tick_(std::move(given)) {}
    void run() const { tick_(); }

private:
    int period_ = 0;
    std::function<void()> tick_;
};

class session : public std::enable_shared_from_this<session> {
public:
    void start() {
        on_data_ = [self = shared_from_this()] { self->work(); };  // finds: owns '*this', which keeps it in 'on_data_'
        auto self = shared_from_this();
        handlers_.push_back([this, self] { work(); });  // finds: owns '*this', which keeps it in 'handlers_'
        bound_ = std::bind(&session::work, shared_from_this());  // finds: this bound function owns '*this', which keeps it in 'bound_'
        front_ = std::bind_front(&session::work, own());  // finds: this bound function owns '*this'
        any_ = [self] { self->work(); };  // finds: keeps it in 'any_'
        timer_ = std::make_unique<timer>(5, [self] { self->work(); });  // finds: keeps it in 'timer_'
        parts_ = {1, [self] { self->work(); }};  // finds: keeps it in 'parts_'
        by_key_.emplace("key", [self] { self->work(); });  // finds: keeps it in 'by_key_'
        auto base = std::static_pointer_cast<session>(shared_from_this());
        based_ = [base] { base->work(); };  // finds: keeps it in 'based_'
    }
    void work() const { use(this); }

private:
    struct parts {
        int number = 0;
        std::function<void()> call;
    };
    std::shared_ptr<session> own() { return shared_from_this(); }
    std::function<void()> on_data_, bound_, front_, based_;
    std::vector<std::function<void()>> handlers_;
    std::map<std::string, std::function<void()>> by_key_;
    callback<void()> any_;
    std::unique_ptr<timer> timer_;
    parts parts_;
};
void start() { std::make_shared<session>()->start(); }

// A websocket session whose stream keeps the control callback (Beast's issue 1539).
class stream {
public:
    void control_callback(std::function<void(int)> given) { control_ = std::move(given); }
    void read() const { control_(1); }

private:
    std::function<void(int)> control_;
};
class reader : public std::enable_shared_from_this<reader> {
public:
    void run() {
        ws_.control_callback(
            std::bind(&reader::on_control, shared_from_this(), std::placeholders::_1));  // finds: keeps it in 'ws_.control_'
    }
    void on_control(int) { ws_.read(); }

private:
    stream ws_;
};
void read() { std::make_shared<reader>()->run(); }

// The example of llvm/llvm-project's issue 120924.
struct captured_by_field : std::enable_shared_from_this<captured_by_field> {
    std::function<void()> captured;
    void init() {
        captured = [self = shared_from_this()] {};  // finds: owns '*this', which keeps it in 'captured'
    }
};

template <class T>
class general : public std::enable_shared_from_this<general<T>> {
public:
    void start() {
        auto self = this->shared_from_this();
        done_ = [self](T) { use(self.get()); };  // finds: owns '*this', which keeps it in 'done_'
    }

private:
    std::function<void(T)> done_;
};
void start_general() { std::make_shared<general<int>>()->start(); }
}  // namespace members

// A function that captures itself.
namespace itself {
void loop() {
    auto f = std::make_shared<std::function<void(int)>>();
    *f = [f](int n) {  // finds: this closure owns 'f', which keeps it in '*f'
        if (n != 0) (*f)(n - 1);
    };
    (*f)(3);
}
}  // namespace itself
