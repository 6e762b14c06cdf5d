// SPDX-License-Identifier: BSL-1.0
// What should own what, kept in plain numbers: places (variables that hold an owner), observers
// (variables that hold a weak handle) and objects, each of which owns by two edges and observes by
// one. An object lives as long as it has owners; objects that own each other in a ring keep living.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace freehold::fuzz {

inline constexpr int nobody = -1;

class ownership_model {
public:
    static constexpr std::size_t variables = 6;
    static constexpr std::size_t edges = 2;

    struct object {
        bool alive = true;
        std::array<int, edges> owned{nobody, nobody};
        int observed = nobody;
    };

    std::array<int, variables> places = nobody_anywhere();
    std::array<int, variables> observers = nobody_anywhere();
    std::vector<object> objects;

    [[nodiscard]] int add_object() {
        objects.emplace_back();
        return static_cast<int>(objects.size()) - 1;
    }
    [[nodiscard]] object& at(int number) { return objects[static_cast<std::size_t>(number)]; }
    [[nodiscard]] bool is_alive(int number) const {
        return number != nobody && objects[static_cast<std::size_t>(number)].alive;
    }

    [[nodiscard]] long owners_of(int number) const {
        long owners = 0;
        if (!is_alive(number)) return owners;
        for (const int owned : places) owners += owned == number;
        for (const object& owner : objects) {
            if (!owner.alive) continue;
            for (const int owned : owner.owned) owners += owned == number;
        }
        return owners;
    }

    // To be called when anything was let go of: one death may be the cause of others.
    void let_the_unowned_die() {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if (!objects[i].alive || owners_of(static_cast<int>(i)) != 0) continue;
                objects[i].alive = false;
                changed = true;
            }
        }
    }

private:
    static constexpr std::array<int, variables> nobody_anywhere() {
        std::array<int, variables> all{};
        all.fill(nobody);
        return all;
    }
};

}  // namespace freehold::fuzz
