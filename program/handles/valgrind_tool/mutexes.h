/* SPDX-License-Identifier: BSL-1.0 */
/* How many mutexes each thread holds. A handle that is copied under a mutex and lives on after it may
   keep its object while other threads change the original. */
#ifndef FREEHOLD_HANDLES_MUTEXES_H
#define FREEHOLD_HANDLES_MUTEXES_H

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"

#define MOST_HELD 8
#define MOST_HOLDERS 65536

typedef struct {
    UInt held;
    ULong let_go[MOST_HELD]; /* when the thread came to hold no more than I mutexes, last */
} mutexes;

static mutexes mutexes_of[MOST_HOLDERS]; /* by the number of the thread */

typedef enum { changes_no_mutex, takes_mutex, lets_mutex_go } mutex_function;

/* Returns whether the file has the functions of mutexes, which are in the C library. */
static Bool has_mutexes(const HChar* path) {
    const HChar* slash = VG_(strrchr)(path, '/');
    const HChar* name = slash == NULL ? path : slash + 1;
    static const HChar* const begins[] = {"libc.so", "libc-2", "libpthread"};
    for (UInt i = 0; i < sizeof begins / sizeof *begins; ++i)
        if (VG_(strncmp)(name, begins[i], VG_(strlen)(begins[i])) == 0) return True;
    return False;
}

/* An attempt that fails takes none. So attempts are left out: then a thread seems to hold fewer. */
static mutex_function mutex_function_of(const HChar* symbol) {
    while (*symbol == '_') ++symbol;
    const HChar* end = VG_(strchr)(symbol, '@');
    const SizeT length = end == NULL ? VG_(strlen)(symbol) : (SizeT)(end - symbol);
    static const struct {
        const HChar* name;
        mutex_function does;
    } known[] = {{"pthread_mutex_lock", takes_mutex},
                 {"pthread_rwlock_rdlock", takes_mutex},
                 {"pthread_rwlock_wrlock", takes_mutex},
                 {"pthread_mutex_unlock", lets_mutex_go},
                 {"pthread_rwlock_unlock", lets_mutex_go}};
    for (UInt i = 0; i < sizeof known / sizeof *known; ++i)
        if (VG_(strlen)(known[i].name) == length && VG_(strncmp)(known[i].name, symbol, length) == 0)
            return known[i].does;
    return changes_no_mutex;
}

static mutexes* mutexes_by(UInt thread) {
    return &mutexes_of[thread % MOST_HOLDERS];
}

static void take_mutex(UInt thread) {
    ++mutexes_by(thread)->held;
}

static void let_mutex_go(UInt thread, ULong now) {
    mutexes* m = mutexes_by(thread);
    if (m->held == 0) return;
    --m->held;
    m->let_go[m->held < MOST_HELD ? m->held : MOST_HELD - 1] = now;
}

/* Returns whether the thread let a mutex go that it held at `when`, as one of `held`. */
static Bool let_any_go_since(UInt thread, UInt held, ULong when) {
    if (held == 0) return False;
    return mutexes_by(thread)->let_go[held <= MOST_HELD ? held - 1 : MOST_HELD - 1] >= when;
}

#endif
