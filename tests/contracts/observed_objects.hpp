// SPDX-License-Identifier: BSL-1.0
// Pointees that say how many of them live and how many were destroyed, for any strategy of owning.
//
// A strategy is a struct with
//   handle<T>                   the handle under test
//   handle_with_deleter<T, D>   the same with a custom deleter; only if has_deleter
//   base<Derived>               what a pointee derives from: its count, or nothing
//   has_deleter                 whether a custom deleter can be given with a raw pointer
//   make<T>(args...)            a new T and its handle, in the way the strategy prefers
//   owns_null                   only there if a null pointer that is given is counted and deleted
// and for the suite weak_handle
//   weak_handle<T>              what knows a T without owning it
//   allocate<T>(a, args...)     as make, with memory from the allocator a
#pragma once

namespace freehold::contracts {

template <class>
struct nothing {};

// Every object counts itself here, whatever its strategy: tests of one process run one by one.
struct census {
    static inline int alive = 0;
    static inline int animals_destroyed = 0;
    static inline int dogs_destroyed = 0;
    static void start() { alive = animals_destroyed = dogs_destroyed = 0; }
};

template <class Strategy>
struct animal : Strategy::template base<animal<Strategy>> {
    explicit animal(int number = 0) : value(number) { ++census::alive; }
    animal(const animal&) = delete;
    animal& operator=(const animal&) = delete;
    virtual ~animal() {
        --census::alive;
        ++census::animals_destroyed;
    }
    int value;
};

struct baggage {
    virtual ~baggage() = default;
    long weight = 1;
};

// Its animal does not lie at its beginning: a conversion changes the address.
template <class Strategy>
struct dog final : baggage, animal<Strategy> {
    using animal<Strategy>::animal;
    ~dog() override { ++census::dogs_destroyed; }
};

// An object with edges; `trace` names them for handles that collect rings.
template <class Strategy>
struct node : Strategy::template base<node<Strategy>> {
    using handle = typename Strategy::template handle<node>;
    node() { ++census::alive; }
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    ~node() { --census::alive; }
    template <class Visitor>
    void trace(Visitor&& visitor) {
        visitor(left);
        visitor(right);
    }
    handle left;
    handle right;
};

// Runs an action in its destructor.
template <class Strategy>
struct last_words : Strategy::template base<last_words<Strategy>> {
    explicit last_words(void (*what)()) : action(what) { ++census::alive; }
    last_words(const last_words&) = delete;
    last_words& operator=(const last_words&) = delete;
    ~last_words() {
        --census::alive;
        action();
    }
    void (*action)();
};

struct refusal {};

template <class Strategy>
struct refuses_to_exist : Strategy::template base<refuses_to_exist<Strategy>> {
    explicit refuses_to_exist(int) { throw refusal(); }
};

// Defined only after a class that holds a handle to it.
template <class Strategy>
struct defined_later;

template <class Strategy>
struct holder_of_the_undefined {
    typename Strategy::template handle<defined_later<Strategy>> member;
    holder_of_the_undefined();
    holder_of_the_undefined(const holder_of_the_undefined&);
    ~holder_of_the_undefined();
};

template <class Strategy>
struct defined_later : animal<Strategy> {};

template <class Strategy>
holder_of_the_undefined<Strategy>::holder_of_the_undefined()
    : member(new defined_later<Strategy>) {}
template <class Strategy>
holder_of_the_undefined<Strategy>::holder_of_the_undefined(const holder_of_the_undefined&) =
    default;
template <class Strategy>
holder_of_the_undefined<Strategy>::~holder_of_the_undefined() = default;

template <class Strategy>
inline constexpr bool owns_null = requires { Strategy::owns_null; };

// The handles to these objects.
template <class Strategy>
using animal_handle = typename Strategy::template handle<animal<Strategy>>;
template <class Strategy>
using dog_handle = typename Strategy::template handle<dog<Strategy>>;
template <class Strategy>
using node_handle = typename Strategy::template handle<node<Strategy>>;
template <class Strategy>
using words_handle = typename Strategy::template handle<last_words<Strategy>>;

}  // namespace freehold::contracts
