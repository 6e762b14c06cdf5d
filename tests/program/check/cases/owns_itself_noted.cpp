// flags: -std=c++17
// SPDX-License-Identifier: BSL-1.0
// Rings that --fix leaves alone.
#include <functional>
#include <memory>

void use(const void*);
struct connection {
    std::function<void()> on_close, on_end, on_all;
    std::function<int()> on_ask;
    int id = 0;
};
#define OWNS(name) [name] { use(name.get()); }
void watch(const std::shared_ptr<connection>& given) {
    given->on_ask = [given] { return given->id; };  // finds: owns 'given'
    given->on_all = [=] { use(given.get()); };      // finds: owns 'given'
    given->on_close = OWNS(given);                  // finds: owns 'given'
    int weak_given = 0;
    given->on_end = [given, weak_given] { use(given.get() + weak_given); };  // finds: owns 'given'
}
// Nothing else owns it: a weak owner would end it with the function.
void only(void (*post)(connection&)) {
    auto self = std::make_shared<connection>();
    self->on_close = [self] { use(self.get()); };  // finds: owns 'self'
    post(*self);
}
void loop(void (*post)(std::function<void()>)) {
    auto f = std::make_shared<std::function<void()>>();
    *f = [f, post] { post(*f); };  // finds: owns 'f'
    post(*f);
}
