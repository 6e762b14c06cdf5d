// SPDX-License-Identifier: BSL-1.0
// Classes whose constructors are public or not, and objects of them that `new` makes for a handle.
// With IS_ELSEWHERE it is the unit that defines the constructors of one of them.
#include <memory>
#include <thread>
#include <utility>
#include <vector>

// Its constructor and its virtual function are defined in another unit, and its debug information.
class elsewhere {
public:
    static std::shared_ptr<elsewhere> make(int value) {
        return std::shared_ptr<elsewhere>(new elsewhere(value));
    }
    virtual ~elsewhere();
    int value;

protected:
    explicit elsewhere(int value);
};

#ifdef IS_ELSEWHERE
elsewhere::elsewhere(int value) : value(value) {}
elsewhere::~elsewhere() = default;
#else

// Public constructors.

struct of_struct {
    explicit of_struct(int value) : value(value) {}
    int value;
};
class of_class {
public:
    explicit of_class(int value) : value(value) {}
    int value;
};
class undeclared {
public:
    int value = 1;
};
class heir : public of_struct {
public:
    using of_struct::of_struct;
};
// This is how a class can have objects of make_shared that only it and its friends can make.
class keyed {
    struct key {
        explicit key() = default;
    };

public:
    keyed(key /*by_friends*/, int value) : value(value) {}
    static std::shared_ptr<keyed> make(int value) { return std::make_shared<keyed>(key(), value); }
    static std::shared_ptr<keyed> make_apart(int value) {
        return std::shared_ptr<keyed>(new keyed(key(), value));
    }
    int value;
};

// No public constructors.

class for_derived {
public:
    static std::shared_ptr<for_derived> make(int value) {
        return std::shared_ptr<for_derived>(new for_derived(value));
    }
    int value;

protected:
    explicit for_derived(int value) : value(value) {}
};
class by_default {
    explicit by_default(int value) : value(value) {}

public:
    by_default(const by_default&) = default;
    by_default(by_default&&) = default;
    static std::shared_ptr<by_default> make(int value) {
        return std::shared_ptr<by_default>(new by_default(value));
    }
    int value;
};
struct without_default {
    without_default() = delete;
    static std::shared_ptr<without_default> make(int value) {
        return std::shared_ptr<without_default>(new without_default(value));
    }
    int value;

private:
    explicit without_default(int value) : value(value) {}
};
struct of_template {
    template <class Value>
    static std::shared_ptr<of_template> make(Value value) {
        return std::shared_ptr<of_template>(new of_template(value));
    }
    int value;

private:
    template <class Value>
    explicit of_template(Value value) : value(static_cast<int>(value)) {}
};
namespace shapes {
template <class Value>
class generic {
    explicit generic(Value value) : value(value) {}

public:
    static std::shared_ptr<generic> make(Value value) {
        return std::shared_ptr<generic>(new generic(value));
    }
    Value value;
};
struct outer {
    class inner;
};
class outer::inner {
    explicit inner(int value) : value(value) {}

public:
    static std::shared_ptr<inner> make(int value) {
        return std::shared_ptr<inner>(new inner(value));
    }
    int value;
};
}  // namespace shapes
namespace {
class unnamed {
    explicit unnamed(int value) : value(value) {}

public:
    static std::shared_ptr<unnamed> make(int value) {
        return std::shared_ptr<unnamed>(new unnamed(value));
    }
    int value;
};
}  // namespace
class derived : public of_struct {
    explicit derived(int value) : of_struct(value) {}

public:
    static std::shared_ptr<of_struct> make(int value) {
        return std::shared_ptr<of_struct>(new derived(value));
    }
};

// Some public, and some not.

struct mixed {
    explicit mixed(int value) : value(value) {}
    static std::shared_ptr<mixed> make() { return std::shared_ptr<mixed>(new mixed); }
    int value;

private:
    mixed() : value(1) {}
};
class mixed_heir : public of_struct {
    mixed_heir() : of_struct(2) {}

public:
    using of_struct::of_struct;
};

// Objects with one owner.

class lone {
    explicit lone(int value) : value(value) {}

public:
    static std::shared_ptr<lone> make(int value) { return std::shared_ptr<lone>(new lone(value)); }
    int value;
};

int main(int count, char** /*arguments*/) {
    std::thread([] {}).join();
    int sum = 0;
    std::vector<std::shared_ptr<void>> kept;
    // A second owner.
    const auto keep = [&](const auto& owner) {
        kept.push_back(owner);
        sum += owner->value;
    };
    for (int i = 0; i < 100; ++i) {
        keep(std::shared_ptr<of_struct>(new of_struct(count)));
        keep(std::shared_ptr<of_class>(new of_class(count)));
        keep(std::shared_ptr<undeclared>(new undeclared));
        keep(std::shared_ptr<heir>(new heir(count)));
        keep(keyed::make(count));
        keep(keyed::make_apart(count));
        keep(elsewhere::make(count));
        keep(for_derived::make(count));
        keep(by_default::make(count));
        keep(without_default::make(count));
        keep(of_template::make(count));
        keep(shapes::generic<int>::make(count));
        keep(shapes::outer::inner::make(count));
        keep(unnamed::make(count));
        keep(derived::make(count));
        keep(mixed::make());
        keep(std::shared_ptr<mixed_heir>(new mixed_heir(count)));
        sum += lone::make(count)->value;
    }
    return sum == 1800 ? 0 : 1;
}
#endif
