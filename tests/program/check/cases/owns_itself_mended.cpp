// flags: -std=c++17
// SPDX-License-Identifier: BSL-1.0
// Rings that --fix opens. The program ends with 0 if no object is left.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

int alive = 0;
int calls = 0;

struct counted {
    counted() { ++alive; }
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    ~counted() { --alive; }
};

namespace {
struct connection : counted {
    std::function<void()> on_close;
    std::function<void(int)> on_data;
    std::function<int()> on_ask;
    void set_on_data(std::function<void(int)> given) { on_data = std::move(given); }
    void call() { ++calls; }
};
}  // namespace

class session : counted, public std::enable_shared_from_this<session> {
public:
    void start() {
        auto self = shared_from_this();
        on_open_ = [this, self] { call(); };  // mends: owns '*this'
        on_close_ = [own = shared_from_this()]() mutable { own->call(); };  // mends: owns '*this'
        jobs_.push_back([self] {  // mends: owns '*this'
            self->call();
        });
    }
    void run() {
        on_open_();
        on_close_();
        for (const auto& each : jobs_) each();
    }
    void call() { ++calls; }

private:
    std::function<void()> on_open_, on_close_;
    std::vector<std::function<void()>> jobs_;
};

void watch(const std::shared_ptr<connection>& given) {
    given->on_close = [given] { given->call(); };              // mends: owns 'given'
    given->set_on_data([given](int n) { calls += n, given->call(); });  // mends: owns 'given'
}

int main() {
    {
        auto one = std::make_shared<session>();
        one->start();
        one->run();
        auto two = std::make_shared<connection>();
        watch(two);
        two->on_close();
        two->on_data(2);
        if (calls != 7 || alive != 2) return 1;
    }
    return alive == 0 ? 0 : 2;
}
