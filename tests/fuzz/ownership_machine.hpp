// SPDX-License-Identifier: BSL-1.0
// Runs a program of bytes on real handles and on the model of ownership alike, and compares all
// that can be seen of them after each step.
#pragma once

#include "fuzz/ownership_model.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace freehold::fuzz {

template <class Strategy>
concept has_weak_handles = requires { typename Strategy::template weak_handle<int>; };
template <class Strategy>
concept adopts_pointers = std::constructible_from<typename Strategy::template handle<int>, int*>;

struct no_weak_handle {};
template <class Strategy, class T>
struct weak_handle_of {
    using type = no_weak_handle;
};
template <has_weak_handles Strategy, class T>
struct weak_handle_of<Strategy, T> {
    using type = typename Strategy::template weak_handle<T>;
};

template <class Strategy>
class ownership_machine {
    struct object;
    using handle = typename Strategy::template handle<object>;
    using weak = typename weak_handle_of<Strategy, object>::type;

    struct object : Strategy::template base<object> {
        object(ownership_machine& in, int as) : machine(in), number(as) {
            machine.living_.push_back(this);
        }
        object(const object&) = delete;
        object& operator=(const object&) = delete;
        ~object() { std::erase(machine.living_, this); }

        ownership_machine& machine;
        int number;
        std::array<handle, ownership_model::edges> owned;
        weak observed;
    };

public:
    // Throws std::logic_error at the first step at which handles and model disagree.
    void run(std::span<const std::uint8_t> program) {
        for (step_ = 0; (step_ + 1) * 3 <= program.size(); ++step_) {
            const auto* const bytes = &program[step_ * 3];
            execute(bytes[0], bytes[1] % ownership_model::variables,
                    bytes[2] % ownership_model::variables, bytes[1] / 128);
            model_.let_the_unowned_die();
            compare();
        }
        break_rings();
        if (!living_.empty()) disagree("objects are left when nothing owns them");
    }

private:
    void execute(std::uint8_t what, std::size_t to, std::size_t from, std::size_t edge) {
        int& to_place = model_.places[to];
        int& from_place = model_.places[from];
        switch (what % 16) {
            case 0:
            case 1:
                make_into(to, what / 16U);
                break;
            case 2:
                places_[to] = places_[from];
                to_place = from_place;
                break;
            case 3:
                places_[to] = std::move(places_[from]);
                if (to != from) to_place = std::exchange(from_place, nobody);
                break;
            case 4:
                places_[to].swap(places_[from]);
                std::swap(to_place, from_place);
                break;
            case 5:
                places_[to].reset();
                to_place = nobody;
                break;
            case 6:
                if (to_place == nobody) break;
                places_[to]->owned[edge] = places_[from];
                model_.at(to_place).owned[edge] = from_place;
                break;
            case 7:
                if (to_place == nobody) break;
                places_[to]->owned[edge] = std::move(places_[from]);
                model_.at(to_place).owned[edge] = from_place;
                from_place = nobody;
                break;
            case 8:
                if (from_place == nobody) break;
                places_[to] = places_[from]->owned[edge];
                to_place = model_.at(from_place).owned[edge];
                break;
            case 9:
                if (from_place == nobody) break;
                places_[to] = std::move(places_[from]->owned[edge]);
                to_place = std::exchange(model_.at(from_place).owned[edge], nobody);
                break;
            default:
                if constexpr (has_weak_handles<Strategy>) observe(what % 16, to, from);
        }
    }

    void observe(int what, std::size_t to, std::size_t from) {
        int& place = model_.places[to];
        int& observer = model_.observers[to];
        int& from_observer = model_.observers[from];
        switch (what) {
            case 10:
                observers_[to] = places_[from];
                observer = model_.places[from];
                break;
            case 11:
                observers_[to] = observers_[from];
                observer = from_observer;
                break;
            case 12:
                observers_[to] = std::move(observers_[from]);
                if (to != from) observer = std::exchange(from_observer, nobody);
                break;
            case 13:
                places_[to] = observers_[from].lock();
                place = model_.is_alive(from_observer) ? from_observer : nobody;
                break;
            case 14:
                if (place == nobody) break;
                places_[to]->observed = observers_[from];
                model_.at(place).observed = from_observer;
                break;
            default:
                if (place == nobody) break;
                observers_[from] = std::move(places_[to]->observed);
                from_observer = std::exchange(model_.at(place).observed, nobody);
        }
    }

    void make_into(std::size_t to, unsigned how) {
        const int number = model_.add_object();
        model_.places[to] = number;
        if constexpr (adopts_pointers<Strategy>) {
            if (how % 3 == 1) {
                places_[to].reset(new object(*this, number));
                return;
            }
            if constexpr (std::constructible_from<handle, std::unique_ptr<object>>) {
                if (how % 3 == 2) {
                    places_[to] = std::make_unique<object>(*this, number);
                    return;
                }
            }
        }
        places_[to] = Strategy::template make<object>(*this, number);
    }

    void compare() {
        std::size_t alive = 0;
        for (const auto& each : model_.objects) alive += each.alive;
        if (alive != living_.size()) disagree("another number of objects live");
        for (const object* each : living_) {
            if (!model_.is_alive(each->number)) disagree("an object lives that nobody owns");
            auto& expected = model_.at(each->number);
            for (std::size_t i = 0; i < each->owned.size(); ++i)
                compare(each->owned[i], expected.owned[i]);
            compare(each->observed, expected.observed);
        }
        for (std::size_t i = 0; i < places_.size(); ++i) {
            compare(places_[i], model_.places[i]);
            compare(observers_[i], model_.observers[i]);
        }
    }
    void compare(const handle& owner, int expected) {
        if ((owner == nullptr) != (expected == nobody))
            disagree("a handle owns what it should not");
        if (owner != nullptr && owner->number != expected) disagree("a handle owns another object");
        if (owner.use_count() != model_.owners_of(expected)) disagree("an owner counts wrong");
    }
    void compare(const weak& observer, int expected) {
        if constexpr (has_weak_handles<Strategy>) {
            if (observer.use_count() != model_.owners_of(expected))
                disagree("a weak count is wrong");
            if (observer.expired() == model_.is_alive(expected)) disagree("expired() is wrong");
            const handle locked = observer.lock();
            if ((locked == nullptr) == model_.is_alive(expected)) disagree("lock() is wrong");
            if (locked != nullptr && locked->number != expected) disagree("lock() finds another");
        }
    }

    void break_rings() {
        std::vector<handle> owners;
        for (object* each : living_)
            for (handle& owned : each->owned) owners.push_back(std::move(owned));
        places_ = {};
    }

    [[noreturn]] void disagree(const char* how) const {
        throw std::logic_error("step " + std::to_string(step_) + ": " + how);
    }

    ownership_model model_;
    std::vector<object*> living_;
    std::array<handle, ownership_model::variables> places_;
    std::array<weak, ownership_model::variables> observers_;
    std::size_t step_ = 0;
};

}  // namespace freehold::fuzz
