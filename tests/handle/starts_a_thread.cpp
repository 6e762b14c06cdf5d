// SPDX-License-Identifier: BSL-1.0
// A library for dlopen that starts a thread without the C++ library, as one written in C does.
#include <pthread.h>

extern "C" [[gnu::visibility("default")]] int run_on_a_thread(void* (*work)(void*),
                                                              void* argument) {
    pthread_t thread;
    if (const int error = pthread_create(&thread, nullptr, work, argument)) return error;
    return pthread_join(thread, nullptr);
}
