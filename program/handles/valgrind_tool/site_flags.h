/* SPDX-License-Identifier: BSL-1.0 */
/* The properties of a range of instructions. The static pass writes them into the file of a module's
   sites, and the Valgrind tool reads them from there. */
#ifndef FREEHOLD_HANDLES_SITE_FLAGS_H
#define FREEHOLD_HANDLES_SITE_FLAGS_H

enum site_flags {
    site_atomic = 1,           /* a locked instruction here counts */
    site_plain = 2,            /* a plain store here counts */
    site_unique = 4,           /* a store of 0 over a count of 1 is a last release without counting */
    site_make = 8,             /* a store of two counts of 1 side by side makes an object */
    site_stack = 16,           /* only the callers show the user's line */
    site_last_is_minus = 32,   /* the last release leaves -1: the count is the owners minus one */
    site_weak_by_address = 64, /* the count is the weak one if its address is 4 modulo 8 */
    site_weak = 128,           /* the count is the weak one */
    site_opaque = 256,         /* code without names: it counts if named code has counted there */
    site_dispatch = 512,       /* a process of one thread would count plainly */
    site_untyped = 1024,       /* its own functions do not say the type */
    site_strong_by_address = 2048, /* the count is the weak one if its address is 0 modulo 8 */
    site_biased = 4096,            /* the thread that made the object counts plainly */
    site_word_by_caller = 8192,    /* the site of a caller says which word counts, if it has one */
    site_weak_behind = 16384,      /* the weak count is 8 bytes behind the strong one */
    site_one_type = 32768,         /* handles of one object have one type */
    site_word_shift = 16           /* the bits above: the number of a W line, or 0 */
};

#endif
