// SPDX-License-Identifier: BSL-1.0
// Built as a shared object, it is what the program loads; built as a program, it loads its
// argument.
#include <memory>

#ifdef IS_PLUGIN

__attribute__((noinline)) int by_value(std::shared_ptr<int> owner) {
    return *owner;
}

extern "C" int copy_often() {
    const auto owner = std::make_shared<int>(1);
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += by_value(owner);  // counts: copies=200 releases=200
    return sum;
}

#else

#include <dlfcn.h>

int main(int, char** argv) {
    for (int i = 0; i < 2; ++i) {
        void* const plugin = dlopen(argv[1], RTLD_NOW);
        if (plugin == nullptr) return 1;
        reinterpret_cast<int (*)()>(dlsym(plugin, "copy_often"))();
        dlclose(plugin);
    }
}

#endif
