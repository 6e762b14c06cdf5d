/* SPDX-License-Identifier: BSL-1.0 */
/* Valgrind loads this library into the counted program. libstdc++ then counts by locked instructions
   from the start, as it otherwise does after a second thread has started. This is necessary because
   g++ merges neighbouring plain additions. */
#include <pthread.h>
#include <sys/single_threaded.h>

static void count_by_locked_instructions(void) {
    __libc_single_threaded = 0;
}

__attribute__((constructor(101))) static void start(void) {
    count_by_locked_instructions();
    pthread_atfork(0, 0, count_by_locked_instructions);
}
