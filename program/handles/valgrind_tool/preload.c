/* SPDX-License-Identifier: BSL-1.0 */
/* Valgrind loads it into what the tool runs. libstdc++ then counts by locked instructions from the
   start, as it does once there is a second thread: g++ merges neighbouring plain additions. */
#include <pthread.h>
#include <sys/single_threaded.h>

static void count_by_locked_instructions(void) {
    __libc_single_threaded = 0;
}

__attribute__((constructor(101))) static void start(void) {
    count_by_locked_instructions();
    pthread_atfork(0, 0, count_by_locked_instructions);
}
