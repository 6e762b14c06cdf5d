// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// What looks like a ring, and is none or is opened.
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

void use(const void*);
using callback = std::function<void()>;

// Each case has a class of its own: what empties a member silences all that store in it.
#define CONNECTION                             \
    struct connection {                        \
        callback on_close;                     \
        callback on_data;                      \
        connection* parent = nullptr;          \
        void set_on_data(callback given) {     \
            on_data = std::move(given);        \
        }                                      \
    }

namespace weak {
CONNECTION;
void watch(const std::shared_ptr<connection>& self) {
    self->on_close = [weak = std::weak_ptr<connection>(self)] { use(weak.lock().get()); };
    std::weak_ptr<connection> other = self;
    self->set_on_data([other] { use(other.lock().get()); });
}
}  // namespace weak
namespace weak_by_bind {
CONNECTION;
void lock(const std::weak_ptr<connection>& given) {
    use(given.lock().get());
}
void watch(const std::shared_ptr<connection>& self) {
    self->set_on_data(std::bind(lock, std::weak_ptr<connection>(self)));
}
}  // namespace weak_by_bind
namespace by_reference_and_pointer {
CONNECTION;
void watch(const std::shared_ptr<connection>& self) {
    self->set_on_data([&self] { use(self.get()); });
    self->set_on_data([raw = self.get()] { use(raw); });
    self->set_on_data([none = std::shared_ptr<connection>()] { use(none.get()); });
}
}  // namespace by_reference_and_pointer
namespace another {
CONNECTION;
void watch(const std::shared_ptr<connection>& one, const std::shared_ptr<connection>& two) {
    one->set_on_data([two] { use(two.get()); });
}
}  // namespace another
namespace by_parent {
CONNECTION;
void watch(const std::shared_ptr<connection>& one) {
    one->parent->set_on_data([one] { use(one.get()); });
}
}  // namespace by_parent
namespace replaced {
CONNECTION;
void watch(std::shared_ptr<connection> one, std::shared_ptr<connection> two) {
    auto old = one;
    one = two;
    one->set_on_data([old] { use(old.get()); });
}
}  // namespace replaced
namespace of_many {
CONNECTION;
void watch(std::vector<std::shared_ptr<connection>>& all) {
    all[0]->set_on_data([other = all[1]] { use(other.get()); });
    for (const auto& each : all)
        for (const auto& other : all) each->set_on_data([other] { use(other.get()); });
}
}  // namespace of_many
// A closure that releases what it owns.
namespace once {
CONNECTION;
void watch(const std::shared_ptr<connection>& self) {
    self->set_on_data([own = self]() mutable {
        use(own.get());
        own.reset();
    });
}
}  // namespace once
namespace of_global {
CONNECTION;
std::shared_ptr<connection> global = std::make_shared<connection>();
void watch() {
    global->set_on_data([kept = global] { use(kept.get()); });
}
}  // namespace of_global

CONNECTION;
// Another object keeps the closure.
struct server {
    std::vector<callback> jobs;
    std::map<int, callback> by_id;
    void post(callback job) { jobs.push_back(std::move(job)); }
};
void post(server& to, const std::shared_ptr<connection>& self) {
    to.post([self] { use(self.get()); });
    to.by_id[1] = [self] { use(self.get()); };
}
callback at_exit;
void leave(const std::shared_ptr<connection>& self) {
    at_exit = [self] { use(self.get()); };
}
// A function that only calls what it gets.
struct caller {
    void call(const callback& given) const { given(); }
};
void called(const std::shared_ptr<caller>& self) {
    self->call([self] { use(self.get()); });
}

// Each of these members is emptied somewhere.
class session : public std::enable_shared_from_this<session> {
public:
    void start() {
        const auto self = shared_from_this();
        assigned_ = [self] { use(self.get()); };
        moved_ = [self] { use(self.get()); };
        swapped_ = [self] { use(self.get()); };
        swapped_by_std_ = [self] { use(self.get()); };
        exchanged_ = [self] { use(self.get()); };
        cleared_.push_back([self] { use(self.get()); });
        queued_.push_back([self] { use(self.get()); });
        erased_[1] = [self] { use(self.get()); };
        by_element_.push_back([self] { use(self.get()); });
        emptied_ = [self] {
            use(self.get());
            self->emptied_ = {};
        };
        given_ = [self] { use(self.get()); };
        out_ = std::bind(&session::stop, shared_from_this());
        set_by_setter([self] { use(self.get()); });
        set_until_empty([self] { use(self.get()); });
        timer_ = std::make_unique<connection>();
        timer_->on_close = [self] { use(self.get()); };
    }
    void stop() {
        assigned_ = nullptr;
        const auto last = std::move(moved_);
        callback none;
        swapped_.swap(none);
        std::swap(swapped_by_std_, none);
        std::exchange(exchanged_, callback())();
        cleared_.clear();
        queued_.pop_back();
        erased_.erase(1);
        for (callback& each : by_element_) each = nullptr;
        take(given_);
        out_ = callback();
        set_by_setter(nullptr);
        set_until_empty([] {});
        timer_.reset();
    }

private:
    static void take(callback& from) { use(&from); }
    void set_by_setter(callback given) { by_setter_ = std::move(given); }
    void set_until_empty(const callback& given) { until_empty_ = given; }
    callback assigned_, moved_, swapped_, swapped_by_std_, exchanged_, emptied_, given_, out_,
        by_setter_, until_empty_;
    std::vector<callback> cleared_, queued_, by_element_;
    std::map<int, callback> erased_;
    std::unique_ptr<connection> timer_;
};
void start() { std::make_shared<session>()->start(); }

// Another file may empty the member.
class elsewhere : public std::enable_shared_from_this<elsewhere> {
public:
    void start() {
        kept_ = [self = shared_from_this()] { use(self.get()); };
    }
    void stop();

private:
    callback kept_;
};
// A function that another class may override.
struct interface {
    virtual ~interface() = default;
    virtual void set(callback given) { kept = std::move(given); }
    callback kept;
};
void set(const std::shared_ptr<interface>& self) {
    self->set([self] { use(self.get()); });
}
// Beast's issue 1539, mended: the session takes its callback back.
class stream {
public:
    void control_callback(callback given) { control_ = std::move(given); }
    void control_callback() { control_ = {}; }

private:
    callback control_;
};
class reader : public std::enable_shared_from_this<reader> {
public:
    void run() { ws_.control_callback(std::bind(&reader::fail, shared_from_this())); }
    void fail() { ws_.control_callback(); }

private:
    stream ws_;
};
void read() { std::make_shared<reader>()->run(); }

// IncludeOS's pull request 585: the connection resets its delegates when it closes.
class tcp_connection : public std::enable_shared_from_this<tcp_connection> {
public:
    void on_read(callback given) { on_read_ = std::move(given); }
    void on_disconnect(callback given) { on_disconnect_ = std::move(given); }
    void close() { clean_up(); }

private:
    void clean_up() {
        for (callback* each : {&on_read_, &on_disconnect_}) *each = nullptr;
    }
    callback on_read_, on_disconnect_;
};
void accept(const std::shared_ptr<tcp_connection>& conn) {
    conn->on_read([conn] { use(conn.get()); });
    conn->on_disconnect([conn] { conn->close(); });
}
// A template that is not instantiated empties the member.
template <class T>
class general : public std::enable_shared_from_this<general<T>> {
public:
    void start() {
        done_ = [self = this->shared_from_this()] { use(self.get()); };
        last_ = [self = this->shared_from_this()](T) { use(self.get()); };
    }
    void stop() { done_ = nullptr; }
    void end() { last_.swap(none_); }

private:
    callback done_;
    std::function<void(T)> last_, none_;
};
void start_general() { std::make_shared<general<int>>()->start(); }

void itself() {
    auto f = std::make_shared<std::function<void(int)>>();
    *f = [f](int n) {
        if (n != 0) (*f)(n - 1);
    };
    (*f)(3);
    *f = nullptr;
    auto g = std::make_shared<std::function<void(int)>>();
    *g = [weak = std::weak_ptr(g)](int n) { use(weak.lock().get() + n); };
    auto h = std::make_shared<std::function<void(int)>>();
    auto once = [g](int n) { (*g)(n); };
    *h = once;
}
struct node {
    explicit node(callback given) : run(std::move(given)) {}
    callback run;
};
void chain(std::shared_ptr<node> next) { next = std::make_shared<node>([next] { use(next.get()); }); }
