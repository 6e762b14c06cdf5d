/* SPDX-License-Identifier: BSL-1.0 */
/* The Valgrind tool of `freehold handles`. A static pass finds the instructions that count owners
   (sites). This tool instruments only these, and counts what they do. It runs the pass for a module
   when Valgrind translates the module's first code. See README.md in the folder above.

   Each process has one file, FOLDER/counts.PID.N, with these lines:
     M <module> <opaque> <path>
     J <module> <offset>             an indirect jump that was executed
     C <module> <offset> <flags> <the counts of `struct counts`> <threads> <C line that names the type> <callers> [<module>:<offset>]...
     L <number of a C line that names a type> <that of another, whose objects it counted, too;
                                               beyond the last if there are too many to tell>
     N <number of a C line that names a type> <that of one that counted one of its objects just before>
     P <number of the C line of the addition> <that of the release> <pairs> <repeats> <plain> <distance> <unlocked>
     T <number of threads>
     I                               it read its standard input
     X                               it became another program
     E                               the process ended; missing if it was killed
   An object belongs to the C line that named its type first.
   Offsets are addresses in the module's file. The number of a C line that names a type is one more
   than its index, or 0 if no line names it. */
#include "pub_tool_basics.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_stacktrace.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "mutexes.h"
#include "site_flags.h"

#define MOST_CALLERS 48

/* For what runs at each operation. */
#define ALWAYS_INLINE __attribute__((always_inline)) inline

/* The linker puts this in place of Valgrind's reader of source lines (--wrap), which takes seconds for
   large programs. The command finds the lines itself. */
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void);
void __wrap_vgModuleLocal_read_debuginfo_dwarf3(void) {}

/* ---- what is known of the code ---- */

typedef struct {
    Addr low, high;
    UInt flags;
} range;

/* What the values of a word mean, from a W line. */
typedef struct {
    ULong bytes;
    ULong owner;   /* what an owner adds */
    ULong weak;    /* what a weak handle adds; 0 if it counts none */
    ULong initial; /* of a new object */
    ULong gone;    /* the bit that is set when the object is gone; 0 if there is none */
    /* What a last release reads if it does not change the count; 0 bytes if it always does. */
    ULong unique_bytes, unique_behind, unique_value;
} word;

#define MOST_WORDS 64
static word words[MOST_WORDS]; /* from 1 on */

typedef struct record record;

typedef struct site {
    struct site* next;
    struct module* in;
    Addr offset;
    UInt flags;
    UInt depth;         /* the number of callers that the last event needed */
    record* direct[2];  /* for the strong and the weak count, if no callers are needed */
} site;

typedef struct module {
    struct module* next;
    const DebugInfo* info;
    Addr begin, end;  /* of its code in this process */
    PtrdiffT bias;
    HChar* path;
    UInt number;
    Bool opaque;
    Bool has_mutexes;
    Addr single_threaded; /* of __libc_single_threaded in a static program, or 0 */
    range* sites;
    UInt site_count;
    range* through; /* the library's own code, which shows neither type nor line */
    UInt through_count;
    range* typed; /* code that names a type */
    UInt typed_count;
    Addr* jumps; /* indirect ones that were translated */
    UInt jump_count, jump_room;
    site* used;
} module;

static module* modules = NULL;
static UInt module_count = 0;
static const HChar* folder = NULL;
static const HChar* sites_program = NULL;
static HChar output_path[4096];
static HChar part_path[4096];
static Bool reads_input = False;
static Bool becomes_another = False;

/* ---- the counts ---- */

typedef struct {
    ULong up;           /* additions */
    ULong down;         /* subtractions, including the last ones */
    ULong last;         /* releases after which no owner is left, including unique ones */
    ULong unique;       /* last releases that neither locked nor subtracted */
    ULong made;         /* objects */
    ULong would_be_plain; /* operations that do not lock without Valgrind */
    ULong foreign;      /* operations by another thread than the object's first */
    ULong sole;         /* last releases of objects that never had a second owner */
    ULong left;         /* objects alive at the end, at the site of their last event */
    ULong left_sole;
    /* Of the objects that belong to this record: */
    ULong object_events; /* that change the number of owners */
    ULong object_foreign; /* events by another thread than the object's first */
    ULong shared;         /* objects that got a second owner */
    ULong weakened;       /* objects that got a weak handle */
} counts;

#define COUNT_FIELDS (sizeof(counts) / sizeof(ULong))

typedef struct pair {
    struct pair* next;
    record* addition;
    ULong count;
    ULong repeats;  /* pairs after a pair of the same addition on the same object */
    ULong plain;    /* pairs whose release would be plain */
    ULong distance; /* the sum of events between the two */
    ULong unlocked; /* pairs between which the thread let a mutex go that it held at the addition */
} pair;

typedef struct link {
    struct link* next;
    record* to;
} link;

typedef struct {
    link* first; /* the latest one */
    UInt count;  /* MOST_LINKS + 1 if there are more */
} links;

#define MOST_LINKS 64

struct record {
    record* next;      /* in the order of creation */
    record* next_same; /* in the same bucket */
    site* at;
    record* typed; /* the record that names the type of the same object */
    ULong hash;    /* of the site and the callers */
    UInt weak;
    UInt caller_count;
    UInt number;
    Bool says_type;
    counts n;
    ULong threads; /* bit I: thread I modulo 64 */
    pair* pairs;
    links owners;     /* the records to which its objects belong, except itself */
    links neighbours; /* the records that counted one of its objects just before, if handles of an
                         object have one type */
    Addr key[MOST_CALLERS]; /* the addresses of the callers when the record was created */
    UInt caller_module[MOST_CALLERS];
    Addr caller_offset[MOST_CALLERS];
};

#define RECORD_BUCKETS 16384
static record* record_buckets[RECORD_BUCKETS];
static record* first_record = NULL;
static record* last_record = NULL;
static UInt record_count = 0;

typedef struct {
    record* by;
    UInt thread;
    ULong when;
    UInt held; /* mutexes */
    Bool kept; /* other events followed, so the object may need it */
} addition;

typedef struct object {
    Addr count; /* 0: a free place */
    UInt first_thread;
    Bool known; /* named code has counted it */
    Bool untouched; /* nothing has happened since it was made */
    Bool crossed; /* another thread than the first has counted it */
    Bool weakened;   /* it has had a weak handle */
    Bool dispatches; /* named code that counts it does so plainly in a process of one thread */
    ULong adds;
    record* typed;       /* the first record that names the type */
    record* last_typed;  /* the latest one, if handles of an object have one type */
    record* latest;
    record* latest_pair;
    addition* open;
    UInt open_count, open_room;
    struct event* pending; /* events of opaque code before named code counted */
} object;

typedef struct event {
    struct event* next;
    record* by;
    ULong up, down;
    ULong alone; /* of these, in a process of one thread */
} event;

static object* objects = NULL;
static SizeT object_room = 0;
static SizeT object_count = 0;
static object* latest_object = NULL; /* the one that was looked up last, if it has not moved since */

static UInt serial_of[65536];
static UInt threads_started = 1;
static ULong now = 0;

/* ---- objects: open addressing, without tombstones ---- */

static SizeT hash_of(Addr a) {
    return (SizeT)((a >> 2) * 0x9E3779B97F4A7C15ULL >> 20);
}

static object* place_of(Addr a) {
    SizeT i = hash_of(a) & (object_room - 1);
    while (objects[i].count != 0 && objects[i].count != a) i = (i + 1) & (object_room - 1);
    return &objects[i];
}

static void grow_objects(void) {
    object* old = objects;
    const SizeT old_room = object_room;
    object_room = old_room == 0 ? 4096 : old_room * 2;
    objects = VG_(calloc)("freehold.objects", object_room, sizeof(object));
    latest_object = NULL;
    for (SizeT i = 0; i < old_room; ++i)
        if (old[i].count != 0) *place_of(old[i].count) = old[i];
    if (old != NULL) VG_(free)(old);
}

static __attribute__((noinline)) object* look_up_object(Addr a, UInt thread, Bool* is_new) {
    if (object_count * 2 >= object_room) grow_objects();
    object* o = place_of(a);
    *is_new = o->count == 0;
    if (*is_new) {
        o->count = a;
        o->first_thread = thread;
        ++object_count;
    }
    return latest_object = o;
}

/* A program often counts one object several times in a row. */
static ALWAYS_INLINE object* find_object(Addr a, UInt thread, Bool* is_new) {
    if (latest_object == NULL || latest_object->count != a) return look_up_object(a, thread, is_new);
    *is_new = False;
    return latest_object;
}

static void retire(object* o) {
    if (o->open != NULL) VG_(free)(o->open);
    while (o->pending != NULL) {
        event* next = o->pending->next;
        VG_(free)(o->pending);
        o->pending = next;
    }
    --object_count;
    latest_object = NULL;
    SizeT hole = (SizeT)(o - objects);
    for (SizeT i = (hole + 1) & (object_room - 1); objects[i].count != 0;
         i = (i + 1) & (object_room - 1)) {
        const SizeT home = hash_of(objects[i].count) & (object_room - 1);
        if (((i - home) & (object_room - 1)) < ((i - hole) & (object_room - 1))) continue;
        objects[hole] = objects[i];
        hole = i;
    }
    const object nothing = {0};
    objects[hole] = nothing;
}

/* ---- modules and their sites ---- */

static const range* range_of(const range* ranges, UInt count, Addr offset) {
    UInt low = 0, high = count;
    while (low < high) {
        const UInt middle = low + (high - low) / 2;
        if (ranges[middle].high <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].low <= offset ? &ranges[low] : NULL;
}

static HChar* whole_file(const HChar* path) {
    const Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
    if (fd < 0) return NULL;
    SizeT room = 65536, size = 0;
    HChar* text = VG_(malloc)("freehold.file", room);
    for (;;) {
        const Int got = VG_(read)(fd, text + size, (Int)(room - size - 1));
        if (got <= 0) break;
        size += (SizeT)got;
        if (room - size < 4096) {
            room *= 2;
            text = VG_(realloc)("freehold.file", text, room);
        }
    }
    VG_(close)(fd);
    text[size] = 0;
    return text;
}

static void append_quoted(HChar* to, SizeT room, const HChar* text) {
    SizeT n = VG_(strlen)(to);
    if (n + 1 < room) to[n++] = '\'';
    for (; *text != 0 && n + 8 < room; ++text) {
        if (*text == '\'') {
            VG_(strcpy)(to + n, "'\\''");
            n += 4;
        } else {
            to[n++] = *text;
        }
    }
    to[n++] = '\'';
    to[n] = 0;
}

static void add_range(range** ranges, UInt* count, UInt* room, range r) {
    if (*count == *room) {
        *room = *room == 0 ? 256 : *room * 2;
        *ranges = VG_(realloc)("freehold.ranges", *ranges, *room * sizeof(range));
    }
    (*ranges)[(*count)++] = r;
}

static HChar* read_word(HChar* at) {
    const ULong number = VG_(strtoull16)(at + 1, &at);
    ULong fields[sizeof(word) / sizeof(ULong)];
    for (UInt i = 0; i < sizeof fields / sizeof *fields; ++i)
        fields[i] = VG_(strtoull16)(at + 1, &at);
    if (number < MOST_WORDS) VG_(memcpy)(&words[number], fields, sizeof fields);
    return at;
}

/* Its lines: O; G address; W number and the fields of `word`; S low high flags; T low high; Y low high.
   Numbers are hexadecimal; the ranges of a kind are sorted and do not overlap. */
static void read_sites(module* m, const HChar* path) {
    HChar* text = whole_file(path);
    if (text == NULL) return;
    UInt site_room = 0, through_room = 0, typed_room = 0;
    for (HChar* line = text; *line != 0;) {
        HChar* at = line + 1;
        range r = {0, 0, 0};
        switch (*line) {
            case 'O': m->opaque = True; break;
            case 'G': m->single_threaded = VG_(strtoull16)(at + 1, &at); break;
            case 'W': at = read_word(at); break;
            case 'S':
            case 'T':
            case 'Y':
                r.low = VG_(strtoull16)(at + 1, &at);
                r.high = VG_(strtoull16)(at + 1, &at);
                if (*line == 'S') {
                    r.flags = (UInt)VG_(strtoull16)(at + 1, &at);
                    add_range(&m->sites, &m->site_count, &site_room, r);
                } else if (*line == 'Y') {
                    add_range(&m->typed, &m->typed_count, &typed_room, r);
                } else {
                    add_range(&m->through, &m->through_count, &through_room, r);
                }
                break;
            default: break;
        }
        while (*at != 0 && *at != '\n') ++at;
        line = *at == 0 ? at : at + 1;
    }
    VG_(free)(text);
}

static void ask_for_sites(module* m) {
    ULong hash = 0xcbf29ce484222325ULL;
    for (const HChar* c = m->path; *c != 0; ++c) hash = (hash ^ (UChar)*c) * 0x100000001b3ULL;
    static HChar path[4096];
    static HChar command[16384];
    VG_(snprintf)(path, sizeof path, "%s/sites.%016llx", folder, hash);
    struct vg_stat there;
    if (sr_isError(VG_(stat)(path, &there))) {
        command[0] = 0;
        append_quoted(command, sizeof command, sites_program);
        VG_(strcat)(command, " ");
        append_quoted(command, sizeof command, m->path);
        VG_(strcat)(command, " ");
        append_quoted(command, sizeof command, path);
        VG_(strcat)(command, " ");
        append_quoted(command, sizeof command, folder);
        VG_(strcat)(command, " </dev/null >/dev/null 2>>");
        append_quoted(command, sizeof command, folder);
        VG_(strcat)(command, "/problems");
        VG_(system)(command);
    }
    read_sites(m, path);
}

static module* module_at(Addr a) {
    static module* latest = NULL;
    const DebugInfo* info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), a);
    if (info == NULL) return NULL;
    const Addr begin = VG_(DebugInfo_get_text_avma)(info);
    const PtrdiffT bias = VG_(DebugInfo_get_text_bias)(info);
    const HChar* path = VG_(DebugInfo_get_filename)(info);
    if (path == NULL) return NULL;
    if (latest != NULL && latest->info == info && latest->begin == begin &&
        VG_(strcmp)(latest->path, path) == 0)
        return latest;
    for (module* m = modules; m != NULL; m = m->next)
        if (m->info == info && m->begin == begin && m->bias == bias &&
            VG_(strcmp)(m->path, path) == 0)
            return latest = m;
    module* m = VG_(calloc)("freehold.module", 1, sizeof(module));
    m->info = info;
    m->begin = begin;
    m->end = begin + VG_(DebugInfo_get_text_size)(info);
    m->bias = bias;
    m->path = VG_(strdup)("freehold.path", path);
    m->has_mutexes = has_mutexes(path);
    m->number = module_count++;
    m->next = modules;
    modules = m;
    ask_for_sites(m);
    return latest = m;
}

static void add_jump(module* m, Addr offset) {
    if (m->jump_count == m->jump_room) {
        m->jump_room = m->jump_room == 0 ? 64 : m->jump_room * 2;
        m->jumps = VG_(realloc)("freehold.jumps", m->jumps, m->jump_room * sizeof(Addr));
    }
    m->jumps[m->jump_count++] = offset;
}

static site* site_at(module* m, Addr offset, UInt flags) {
    for (site* s = m->used; s != NULL; s = s->next)
        if (s->offset == offset) return s;
    site* s = VG_(calloc)("freehold.site", 1, sizeof(site));
    s->in = m;
    s->offset = offset;
    s->flags = flags;
    s->depth = 2;
    s->next = m->used;
    m->used = s;
    return s;
}

/* ---- records ---- */

static record* new_record(site* s, UInt weak) {
    record* r = VG_(calloc)("freehold.record", 1, sizeof(record));
    r->at = s;
    r->weak = weak;
    r->says_type = (s->flags & (site_untyped | site_opaque)) == 0;
    r->number = record_count++;
    if (last_record == NULL)
        first_record = r;
    else
        last_record->next = r;
    last_record = r;
    return r;
}

/* What is known of code that a stack walk found. */
typedef struct {
    Addr at;
    Bool says_nothing; /* its caller must be looked at, too */
    Bool is_caller;    /* a whole walk has found it as a caller */
    UInt size;         /* of the stack from its stack pointer to its caller's; 0 if it may vary */
} code;

static code known_code[4096];

static __attribute__((noinline)) code* look_up_code(code* c, Addr a) {
    const module* m = module_at(a);
    c->says_nothing =
        m != NULL && (m->opaque || range_of(m->through, m->through_count, a - m->bias) != NULL);
    c->is_caller = False;
    c->size = 0;
    c->at = a;
    return c;
}

static ALWAYS_INLINE code* code_at(Addr a) {
    code* c = &known_code[(a * 0x9E3779B97F4A7C15ULL) >> 52];
    return c->at == a ? c : look_up_code(c, a);
}

/* Other code may be loaded there. */
static void forget_code(Addr begin, SizeT length) {
    for (UInt i = 0; i < sizeof known_code / sizeof *known_code; ++i)
        if (known_code[i].at - begin < length) VG_(memset)(&known_code[i], 0, sizeof known_code[i]);
}

#define LARGEST_FRAME 65536

/* Call frame information says for each address how far the return address is from the stack pointer or
   from the frame pointer. The first distance does not vary. */
static void learn_size(Addr at, Addr stack, Addr frame, Addr caller, Addr caller_stack) {
    code_at(caller)->is_caller = True;
    if (caller_stack == frame + 16 || caller_stack <= stack || caller_stack - stack > LARGEST_FRAME)
        return;
    /* This is not so if a signal's handler was called. */
    if (((const Addr*)caller_stack)[-1] - 1 != caller) return;
    code_at(at)->size = (UInt)(caller_stack - stack);
}

/* Walks the stack by sizes that are known. It takes much less time than Valgrind's walk. Returns the
   number of addresses up to the first caller that shows the user's line, or 0 if something is not
   known. */
static UInt quick_walk(Addr at, Addr stack, Addr* ips) {
    for (UInt n = 1; n < MOST_CALLERS; ++n) {
        const code* c = code_at(at);
        if (c->size == 0) return 0;
        stack += c->size;
        ips[n] = at = ((const Addr*)stack)[-1] - 1;
        c = code_at(at);
        if (!c->is_caller) return 0;
        if (!c->says_nothing) return n + 1;
    }
    return 0;
}

/* Returns the number of addresses likewise, or up to the end of the stack. */
static UInt whole_walk(site* s, ThreadId tid, Addr* ips) {
    Addr stacks[MOST_CALLERS], frames[MOST_CALLERS];
    UInt wanted = s->depth, got = 0, n = 1;
    for (;;) {
        got = VG_(get_StackTrace)(tid, ips, wanted, stacks, frames, 0);
        n = 1;
        while (n < got && code_at(ips[n])->says_nothing) ++n;
        if (n < got || got < wanted || wanted == MOST_CALLERS) break;
        wanted = wanted * 2 < MOST_CALLERS ? wanted * 2 : MOST_CALLERS;
    }
    for (UInt i = 0; i + 1 < got; ++i)
        learn_size(ips[i], stacks[i], frames[i], ips[i + 1], stacks[i + 1]);
    if (n < got) ++n; /* the caller that shows it */
    s->depth = n < 2 ? 2 : n;
    return n;
}

static Bool says_type(Addr a) {
    const module* m = module_at(a);
    return m != NULL && range_of(m->typed, m->typed_count, a - m->bias) != NULL;
}

static ALWAYS_INLINE Bool is_same(const Addr* a, const Addr* b, UInt count) {
    for (UInt i = 0; i < count; ++i)
        if (a[i] != b[i]) return False;
    return True;
}

static record* record_with_callers(site* s, UInt weak, ThreadId tid, record* typed) {
    Addr ips[MOST_CALLERS];
    UInt n = quick_walk(s->in->bias + s->offset, VG_(get_SP)(tid), ips);
    if (n == 0) n = whole_walk(s, tid, ips);

    ULong hash = (ULong)(Addr)s + weak;
    for (UInt i = 1; i < n; ++i) hash = (hash ^ ips[i]) * 0x9E3779B97F4A7C15ULL;
    record** bucket = &record_buckets[(hash >> 32) % RECORD_BUCKETS];
    for (record* r = *bucket; r != NULL; r = r->next_same)
        if (r->hash == hash && r->at == s && r->weak == weak && r->caller_count == n - 1 &&
            (r->says_type || r->typed == typed) &&
            is_same(r->key, ips + 1, n - 1))
            return r;
    record* r = new_record(s, weak);
    r->hash = hash;
    r->caller_count = n - 1;
    for (UInt i = 1; i < n; ++i) {
        const module* m = module_at(ips[i]);
        r->key[i - 1] = ips[i];
        if (says_type(ips[i])) r->says_type = True;
        r->caller_module[i - 1] = m == NULL ? ~0U : m->number;
        r->caller_offset[i - 1] = m == NULL ? ips[i] : ips[i] - m->bias;
    }
    if (!r->says_type) r->typed = typed;
    r->next_same = *bucket;
    *bucket = r;
    return r;
}

static record* record_with_type(site* s, UInt weak, record* typed) {
    const ULong hash = ((ULong)(Addr)s + weak) * 31 + (ULong)(Addr)typed;
    record** bucket = &record_buckets[(hash * 0x9E3779B97F4A7C15ULL >> 32) % RECORD_BUCKETS];
    for (record* r = *bucket; r != NULL; r = r->next_same)
        if (r->at == s && r->weak == weak && r->typed == typed) return r;
    record* r = new_record(s, weak);
    r->typed = typed;
    r->next_same = *bucket;
    return *bucket = r;
}

static ALWAYS_INLINE record* record_of(site* s, UInt weak, ThreadId tid, const object* o) {
    if ((s->flags & site_stack) != 0) return record_with_callers(s, weak, tid, o->typed);
    if ((s->flags & site_untyped) != 0 && o->typed != NULL)
        return record_with_type(s, weak, o->typed);
    if (s->direct[weak] == NULL) s->direct[weak] = new_record(s, weak);
    return s->direct[weak];
}

/* ---- events ---- */

static ALWAYS_INLINE void note_pair(record* release, const addition* a, Bool repeats, Bool plain) {
    pair** link = &release->pairs;
    while (*link != NULL && (*link)->addition != a->by) link = &(*link)->next;
    pair* p = *link;
    if (p == NULL) {
        p = VG_(calloc)("freehold.pair", 1, sizeof(pair));
        p->addition = a->by;
    } else {
        *link = p->next;
    }
    p->next = release->pairs;
    release->pairs = p;
    ++p->count;
    if (repeats) ++p->repeats;
    if (plain) ++p->plain;
    p->distance += now - a->when;
    if (let_any_go_since(a->thread, a->held, a->when)) ++p->unlocked;
}

static ALWAYS_INLINE void open_addition(object* o, record* r, UInt thread) {
    if (o->adds++ == 0 && o->typed != NULL) ++o->typed->n.shared;
    if (o->open_count == o->open_room) {
        o->open_room = o->open_room == 0 ? 4 : o->open_room * 2;
        o->open = VG_(realloc)("freehold.open", o->open, o->open_room * sizeof(addition));
    }
    const addition a = {r, thread, now, mutexes_by(thread)->held, False};
    o->open[o->open_count++] = a;
}

/* Pairs a release with the newest addition, if this thread made the addition and all later events are
   matched. The pair is removable. */
static ALWAYS_INLINE void close_addition(object* o, record* r, UInt thread, Bool plain) {
    if (o->open_count == 0) return;
    const addition a = o->open[--o->open_count];
    if (a.thread != thread || a.kept) {
        for (UInt i = 0; i < o->open_count; ++i) o->open[i].kept = True;
        return;
    }
    note_pair(r, &a, o->latest_pair == a.by, plain);
    o->latest_pair = a.by;
}

static __attribute__((noinline)) void add_link(links* all, record* to) {
    if (all->count > MOST_LINKS) return;
    link** at = &all->first;
    while (*at != NULL && (*at)->to != to) at = &(*at)->next;
    link* l = *at;
    if (l == NULL) {
        if (++all->count > MOST_LINKS) return;
        l = VG_(calloc)("freehold.link", 1, sizeof(link));
        l->to = to;
    } else {
        *at = l->next;
    }
    l->next = all->first;
    all->first = l;
}

static ALWAYS_INLINE void note_link(links* all, record* to) {
    if (all->first == NULL || all->first->to != to) add_link(all, to);
}

static ALWAYS_INLINE void note_type(object* o, record* r) {
    if (!r->says_type) return;
    if ((r->at->flags & site_one_type) != 0 && o->last_typed != r) {
        if (o->last_typed != NULL) note_link(&r->neighbours, o->last_typed);
        o->last_typed = r;
    }
    if (o->typed == r) return;
    if (o->typed != NULL) {
        note_link(&r->owners, o->typed);
        return;
    }
    o->typed = r;
    if (o->adds != 0) ++r->n.shared;
    if (o->weakened) ++r->n.weakened;
}

static void note_weak_handle(object* o) {
    if (o->weakened) return;
    o->weakened = True;
    if (o->typed != NULL) ++o->typed->n.weakened;
}

/* A first addition makes the first owner, where objects begin without. */
static ALWAYS_INLINE void count_event(record* r, object* o, UInt thread, Long step, Bool is_first,
                                      Bool is_last, Bool plain) {
    ++now;
    note_type(o, r);
    if (plain) ++r->n.would_be_plain;
    o->latest = r;
    r->threads |= 1ULL << (thread & 63);
    o->untouched = False;
    if (o->typed != NULL) ++o->typed->n.object_events;
    if (thread != o->first_thread) {
        ++r->n.foreign;
        if (o->typed != NULL) ++o->typed->n.object_foreign;
        o->crossed = True;
    }
    if (step > 0) {
        r->n.up += (ULong)step;
        for (Long i = 0; i < step && !is_first; ++i) open_addition(o, r, thread);
    } else {
        r->n.down += (ULong)-step;
        if (!is_last)
            for (Long i = step; i < 0; ++i) close_addition(o, r, thread, plain);
    }
    if (!is_last) return;
    ++r->n.last;
    if (o->adds == 0) ++r->n.sole;
    retire(o);
}

static ALWAYS_INLINE UInt is_weak(const site* s, Addr count) {
    if ((s->flags & site_weak) != 0) return 1;
    if ((s->flags & site_strong_by_address) != 0) return (count & 7) == 0 ? 1 : 0;
    return (s->flags & site_weak_by_address) != 0 && (count & 7) == 4 ? 1 : 0;
}

static void become_known(object* o) {
    o->known = True;
    while (o->pending != NULL) {
        event* e = o->pending;
        e->by->n.up += e->up;
        e->by->n.down += e->down;
        if (o->dispatches) e->by->n.would_be_plain += e->alone;
        o->pending = e->next;
        VG_(free)(e);
    }
}

static void note_pending(object* o, record* r, Long step) {
    event* e = o->pending;
    while (e != NULL && e->by != r) e = e->next;
    if (e == NULL) {
        e = VG_(calloc)("freehold.event", 1, sizeof(event));
        e->by = r;
        e->next = o->pending;
        o->pending = e;
    }
    if (step > 0)
        e->up += (ULong)step;
    else
        e->down += (ULong)-step;
    if (threads_started == 1) ++e->alone;
}

/* The address of the strong count beside a weak one, or 0 if it is not known. */
static Addr strong_of(const site* s, Addr weak) {
    if ((s->flags & site_weak_by_address) != 0) return weak - 4;
    if ((s->flags & site_strong_by_address) != 0) return weak + 4;
    return (s->flags & site_weak_behind) != 0 ? weak - 8 : 0;
}

static void note_weak_handle_of(Addr strong) {
    if (strong == 0) return;
    object* o = place_of(strong);
    if (o->count == strong) note_weak_handle(o);
}

/* Code saves registers and return addresses there. */
static Bool is_in_frame(ThreadId tid, Addr a) {
    const Addr stack = VG_(get_SP)(tid);
    return a + 128 >= stack && a < stack + 65536;
}

/* Added to the size of an operand, 4 or 8 bytes, if the instruction does not lock. */
#define PLAIN_STORE 16

static VG_REGPARM(0) void changed(site* s, Addr count, ULong before, ULong after, ULong kind) {
    const ULong size = kind & ~(ULong)PLAIN_STORE;
    const Long step = size == 4 ? (Int)after - (Int)before : (Long)after - (Long)before;
    const Long rest = size == 4 ? (Int)after : (Long)after;
    if (step == 0 || step > 64 || step < -64) return;
    const ThreadId tid = VG_(get_running_tid)();
    if ((kind & PLAIN_STORE) != 0 && is_in_frame(tid, count)) return;
    const UInt thread = serial_of[tid];
    Bool is_new = False;
    object* o = find_object(count, thread, &is_new);
    if ((s->flags & site_opaque) != 0) {
        record* r = record_of(s, 0, tid, o);
        if (!o->known) {
            note_pending(o, r, step);
            if (rest == 0) retire(o);
            return;
        }
        count_event(r, o, thread, step, False, rest == 0, o->dispatches && threads_started == 1);
        return;
    }
    if ((s->flags & site_dispatch) != 0) o->dispatches = True;
    if (!o->known) become_known(o);
    const UInt weak = is_weak(s, count);
    const Bool last = rest == ((s->flags & site_last_is_minus) != 0 ? -1 : 0);
    const Bool plain = (kind & PLAIN_STORE) != 0 ||
                       ((s->flags & site_dispatch) != 0 && threads_started == 1);
    if (weak != 0 && step > 0) note_weak_handle_of(strong_of(s, count));
    count_event(record_of(s, weak, tid, o), o, thread, step, False, last, plain);
}

/* ---- counts that share a word ---- */

/* Returns the word that the first caller with a word names, or else that of the site. Returns NULL if
   neither has one. */
static const word* word_of(const site* s, ThreadId tid) {
    UInt number = s->flags >> site_word_shift;
    if ((s->flags & site_word_by_caller) != 0) {
        Addr ips[8];
        const UInt got = VG_(get_StackTrace)(tid, ips, 8, NULL, NULL, 0);
        for (UInt i = 1; i < got; ++i) {
            const module* m = module_at(ips[i]);
            const range* at =
                m == NULL ? NULL : range_of(m->sites, m->site_count, ips[i] - m->bias);
            if (at == NULL || at->flags >> site_word_shift == 0) continue;
            number = at->flags >> site_word_shift;
            if ((at->flags & site_word_by_caller) == 0) break;
        }
    }
    return number == 0 || number >= MOST_WORDS ? NULL : &words[number];
}

static Long signed_of(const word* w, ULong value) {
    return w->bytes == 4 ? (Int)value : (Long)value;
}

/* Returns how many units an addition adds. What it adds to a lower part of the word is less than half a
   unit. */
static Long steps_of(Long added, ULong unit) {
    const Long half = (Long)(unit / 2);
    return (added >= 0 ? added + half : added - half) / (Long)unit;
}

/* Returns the part of the word that counts in units of `unit`. The next part begins at `above`, if that
   is larger. */
static Long part_of(Long value, ULong unit, ULong above) {
    const Long part = above > unit ? (Long)((ULong)value & (above - 1)) : value;
    return part / (Long)unit;
}

/* Owners and weak handles of one word are two objects. */
static Addr weak_address(Addr count, const word* w) {
    return count + w->bytes / 2;
}

static object* object_of(Addr count, const word* w, UInt weak, UInt thread) {
    Bool is_new = False;
    object* o = find_object(weak != 0 ? weak_address(count, w) : count, thread, &is_new);
    if (!o->known) become_known(o);
    return o;
}

static void word_event(site* s, const word* w, Addr count, UInt weak, Long step, Bool is_first,
                       Bool is_last, Bool is_plain) {
    const ThreadId tid = VG_(get_running_tid)();
    const UInt thread = serial_of[tid];
    object* o = object_of(count, w, weak, thread);
    const Bool plain = is_plain || ((s->flags & site_dispatch) != 0 && threads_started == 1) ||
                       ((s->flags & site_biased) != 0 && thread == o->first_thread && !o->crossed);
    count_event(record_of(s, weak, tid, o), o, thread, step, is_first, is_last, plain);
}

/* The last owners were released by a plain store, or without a store. */
static void unique_event(site* s, const word* w, Addr count, Long owners) {
    const ThreadId tid = VG_(get_running_tid)();
    const UInt thread = serial_of[tid];
    object* o = object_of(count, w, 0, thread);
    record* r = record_of(s, 0, tid, o);
    r->n.unique += (ULong)owners;
    count_event(r, o, thread, -owners, False, True, False);
}

#define MOST_STEPS 4096

static VG_REGPARM(0) void word_changed(site* s, Addr count, ULong before, ULong after, ULong kind) {
    const Bool is_plain = (kind & PLAIN_STORE) != 0;
    if (before == after || (is_plain && is_in_frame(VG_(get_running_tid)(), count))) return;
    const word* w = word_of(s, VG_(get_running_tid)());
    if (w == NULL || (kind & ~(ULong)PLAIN_STORE) != w->bytes) return;
    const Bool was_gone = (before & w->gone) != 0;
    const Long was = signed_of(w, before), is = signed_of(w, after);
    if (!was_gone && (after & w->gone) != 0) {
        const Long owners = part_of(was, w->owner, w->weak);
        if (is_plain && owners > 0 && owners <= MOST_STEPS) unique_event(s, w, count, owners);
        return;
    }
    /* The last weak handle may leave the bit alone in the word before it frees the memory. */
    if (is_plain && was_gone && after == w->gone) return;
    const Long added = is - was;
    Long owners = 0, weak = 0;
    if (w->weak > w->owner) {
        weak = steps_of(added, w->weak);
        owners = (added - weak * (Long)w->weak) / (Long)w->owner;
    } else {
        owners = steps_of(added, w->owner);
        if (w->weak != 0) weak = (added - owners * (Long)w->owner) / (Long)w->weak;
    }
    if (owners * (Long)w->owner + weak * (Long)w->weak != added) return;
    if (owners > MOST_STEPS || owners < -MOST_STEPS || weak > MOST_STEPS || weak < -MOST_STEPS)
        return;
    if (weak > 0) note_weak_handle_of(count);
    if (weak != 0)
        word_event(s, w, count, 1, weak, False, part_of(is, w->weak, w->owner) == 0, is_plain);
    /* A lock adds an owner to an object that is gone, and takes it back. */
    if (owners == 0 || was_gone) return;
    word_event(s, w, count, 0, owners, owners > 0 && part_of(was, w->owner, w->weak) == 0,
               owners < 0 && part_of(is, w->owner, w->weak) == 0, is_plain);
}

/* Called after a load. By its value, a last release may decide not to change the count. */
static VG_REGPARM(0) void maybe_unique_load(site* s, Addr from, ULong value) {
    const word* w = word_of(s, VG_(get_running_tid)());
    if (w == NULL || value != w->unique_value) return;
    const Addr count = from - w->unique_behind;
    if (place_of(count)->count == count) unique_event(s, w, count, 1);
}

static Bool is_made(const word* w, Addr at) {
    return w->bytes == 4 ? *(const UInt*)at == (UInt)w->initial : *(const ULong*)at == w->initial;
}

static void forget_object(Addr count) {
    object* o = place_of(count);
    if (o->count == count) retire(o);
}

/* Counts a new object. If its word may be stored to several times before it counts, only the first
   store makes the object. `weak` is the address of its weak count, or 0. A former object there may have
   freed the memory without counting. */
static void note_made(site* s, ThreadId tid, Addr count, Addr weak, Bool stored_again) {
    const UInt thread = serial_of[tid];
    Bool is_new = False;
    object* o = find_object(count, thread, &is_new);
    if (stored_again && o->untouched) return;
    if (!is_new) retire(o);
    if (weak != 0) forget_object(weak);
    o = find_object(count, thread, &is_new);
    o->known = True;
    o->dispatches = (s->flags & site_dispatch) != 0;
    o->untouched = stored_again;
    record* r = record_of(s, 0, tid, o);
    ++r->n.made;
    r->threads |= 1ULL << (thread & 63);
    note_type(o, r);
    o->latest = r;
}

/* Called after a store that may make an object. */
static VG_REGPARM(0) void maybe_made_word(site* s, Addr to, ULong size) {
    const ThreadId tid = VG_(get_running_tid)();
    const word* w = word_of(s, tid);
    if (w == NULL || w->initial == 0 || is_in_frame(tid, to)) return;
    const Addr last = to + size - w->bytes;
    for (Addr count = (to + w->bytes - 1) & ~(Addr)(w->bytes - 1); count <= last; count += w->bytes) {
        if (!is_made(w, count)) continue;
        note_made(s, tid, count, w->weak == 0 ? 0 : weak_address(count, w), True);
        return;
    }
}

/* Called before a store that may be a last release without counting. */
static VG_REGPARM(0) void maybe_unique(site* s, Addr count, ULong after, ULong size) {
    if ((count & 7) != 0 || size < 4 || (UInt)after != 0 || *(const UInt*)count != 1) return;
    if (size == 8 && *(const ULong*)count != 0x100000001ULL) return;
    const ThreadId tid = VG_(get_running_tid)();
    if (is_in_frame(tid, count)) return;
    const UInt thread = serial_of[tid];
    Bool is_new = False;
    object* o = find_object(count, thread, &is_new);
    if ((s->flags & site_dispatch) != 0) o->dispatches = True;
    if (!o->known) become_known(o);
    record* r = record_of(s, 0, tid, o);
    ++r->n.unique;
    count_event(r, o, thread, -1, False, True, False);
}

/* The same, for one count of 4 bytes or two side by side. */
static VG_REGPARM(0) void maybe_made(site* s, Addr to, ULong size) {
    for (Addr count = (to + 7) & ~(Addr)7; count + 8 <= to + size || (count == to && size == 4);
         count += 8) {
        const Bool made = size == 4 ? *(const UInt*)count == 1
                                    : *(const ULong*)count == 0x100000001ULL;
        if (!made) continue;
        note_made(s, VG_(get_running_tid)(), count,
                  (s->flags & site_weak_by_address) != 0 ? count + 4 : 0, False);
        return;
    }
}

/* ---- mutexes ---- */

static VG_REGPARM(0) void mutex_taken(void) {
    take_mutex(serial_of[VG_(get_running_tid)()]);
}

static VG_REGPARM(0) void mutex_let_go(void) {
    let_mutex_go(serial_of[VG_(get_running_tid)()], now);
}

/* ---- instrumentation ---- */

static IRExpr* new_temp(IRSB* to, IRType type, IRExpr* value) {
    const IRTemp t = newIRTemp(to->tyenv, type);
    addStmtToIRSB(to, IRStmt_WrTmp(t, value));
    return IRExpr_RdTmp(t);
}

static IRExpr* widened(IRSB* to, IRExpr* value, IRType type) {
    if (type == Ity_I64) return value;
    return new_temp(to, Ity_I64, IRExpr_Unop(Iop_32Uto64, value));
}

/* The address of the instruction that is being instrumented. */
static Addr instrumented = 0;

static void add_call(IRSB* to, const VexGuestLayout* layout, const HChar* name, void* function,
                     IRExpr** arguments, IRExpr* guard) {
    /* Valgrind does not set the instruction pointer where it inlines a callee's code into a block. */
    addStmtToIRSB(to, IRStmt_Put(layout->offset_IP, mkIRExpr_HWord(instrumented)));
    IRDirty* call = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
    if (guard != NULL) call->guard = guard;
    /* The stack walk needs these registers. */
    const Int registers[3][2] = {{layout->offset_SP, layout->sizeof_SP},
                                 {layout->offset_FP, layout->sizeof_FP},
                                 {layout->offset_IP, layout->sizeof_IP}};
    call->nFxState = 3;
    VG_(memset)(call->fxState, 0, sizeof call->fxState);
    for (Int i = 0; i < 3; ++i) {
        call->fxState[i].fx = Ifx_Read;
        call->fxState[i].offset = (UShort)registers[i][0];
        call->fxState[i].size = (UShort)registers[i][1];
    }
    addStmtToIRSB(to, IRStmt_Dirty(call));
}

/* Calls the above where a function of mutexes begins. */
static void instrument_mutexes(IRSB* to, const VexGuestLayout* layout, Addr at) {
    const HChar* symbol = NULL;
    if (!VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), at, &symbol)) return;
    const mutex_function does = mutex_function_of(symbol);
    if (does == takes_mutex)
        add_call(to, layout, "mutex_taken", mutex_taken, mkIRExprVec_0(), NULL);
    else if (does == lets_mutex_go)
        add_call(to, layout, "mutex_let_go", mutex_let_go, mkIRExprVec_0(), NULL);
}

static Bool has_word(const site* s) {
    return s->flags >> site_word_shift != 0;
}

static void instrument_atomic(IRSB* to, const VexGuestLayout* layout, site* s, const IRCAS* cas) {
    if (cas->oldHi != IRTemp_INVALID) return;
    const IRType type = typeOfIRExpr(to->tyenv, cas->dataLo);
    if (type != Ity_I32 && type != Ity_I64) return;
    IRExpr* old = IRExpr_RdTmp(cas->oldLo);
    IRExpr* done = new_temp(
        to, Ity_I1,
        IRExpr_Binop(type == Ity_I32 ? Iop_CasCmpEQ32 : Iop_CasCmpEQ64, old, cas->expdLo));
    const Bool is_word = has_word(s);
    add_call(to, layout, is_word ? "word_changed" : "changed", is_word ? word_changed : changed,
             mkIRExprVec_5(mkIRExpr_HWord((HWord)s), cas->addr, widened(to, old, type),
                           widened(to, cas->dataLo, type),
                           mkIRExpr_HWord(type == Ity_I32 ? 4 : 8)),
             done);
}

/* The call precedes the store, so the old value is still in memory. */
static void instrument_store(IRSB* to, const VexGuestLayout* layout, site* s, IRExpr* address,
                             IRExpr* data) {
    const IRType type = typeOfIRExpr(to->tyenv, data);
    if (type != Ity_I32 && type != Ity_I64) return;
    IRExpr* size = mkIRExpr_HWord(type == Ity_I32 ? 4 : 8);
    IRExpr* after = widened(to, data, type);
    const Bool is_word = has_word(s);
    if ((s->flags & site_unique) != 0 && !is_word)
        add_call(to, layout, "maybe_unique", maybe_unique,
                 mkIRExprVec_4(mkIRExpr_HWord((HWord)s), address, after, size), NULL);
    if ((s->flags & site_plain) != 0) {
        IRExpr* before = widened(to, new_temp(to, type, IRExpr_Load(Iend_LE, type, address)), type);
        add_call(to, layout, is_word ? "word_changed" : "changed", is_word ? word_changed : changed,
                 mkIRExprVec_5(mkIRExpr_HWord((HWord)s), address, before, after,
                               mkIRExpr_HWord((type == Ity_I32 ? 4 : 8) | PLAIN_STORE)),
                 NULL);
    }
}

/* After a load whose value may show that a last release does not change the count. */
static void instrument_load(IRSB* to, const VexGuestLayout* layout, site* s, IRTemp loaded,
                            IRExpr* address) {
    const IRType type = typeOfIRTemp(to->tyenv, loaded);
    const UInt number = s->flags >> site_word_shift;
    if (number != 0 && words[number].unique_bytes != (ULong)sizeofIRType(type)) return;
    IRExpr* value = IRExpr_RdTmp(loaded);
    if (type == Ity_I8)
        value = new_temp(to, Ity_I64, IRExpr_Unop(Iop_8Uto64, value));
    else if (type == Ity_I32)
        value = widened(to, value, type);
    else if (type != Ity_I64)
        return;
    add_call(to, layout, "maybe_unique_load", maybe_unique_load,
             mkIRExprVec_3(mkIRExpr_HWord((HWord)s), address, value), NULL);
}

static IRSB* instrument(VgCallbackClosure* closure, IRSB* from, const VexGuestLayout* layout,
                        const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                        IRType host_word) {
    (void)closure, (void)extents, (void)host, (void)guest_word, (void)host_word;
    IRSB* to = deepCopyIRSBExceptStmts(from);
    const range* here = NULL;
    module* m = NULL;
    Addr at = 0;
    for (Int i = 0; i < from->stmts_used; ++i) {
        IRStmt* statement = from->stmts[i];
        if (statement->tag == Ist_IMark) {
            instrumented = at = statement->Ist.IMark.addr;
            if (m == NULL || at < m->begin || at >= m->end) m = module_at(at);
            here = m == NULL ? NULL : range_of(m->sites, m->site_count, at - m->bias);
            if (m != NULL && m->has_mutexes) {
                addStmtToIRSB(to, statement);
                instrument_mutexes(to, layout, at);
                continue;
            }
        }
        if (m != NULL && m->single_threaded != 0 && statement->tag == Ist_WrTmp) {
            const IRExpr* value = statement->Ist.WrTmp.data;
            if (value->tag == Iex_Load && value->Iex.Load.addr->tag == Iex_Const &&
                value->Iex.Load.addr->Iex.Const.con->Ico.U64 == m->single_threaded + m->bias &&
                value->Iex.Load.ty == Ity_I8)
                statement = IRStmt_WrTmp(statement->Ist.WrTmp.tmp, IRExpr_Const(IRConst_U8(0)));
        }
        const Bool is_store = statement->tag == Ist_Store;
        if (here != NULL && (here->flags & site_unique) != 0 && statement->tag == Ist_WrTmp &&
            statement->Ist.WrTmp.data->tag == Iex_Load) {
            addStmtToIRSB(to, statement);
            site* s = site_at(m, at - m->bias, here->flags);
            if (has_word(s))
                instrument_load(to, layout, s, statement->Ist.WrTmp.tmp,
                                statement->Ist.WrTmp.data->Iex.Load.addr);
            continue;
        }
        if (here == NULL || (!is_store && statement->tag != Ist_CAS)) {
            addStmtToIRSB(to, statement);
            continue;
        }
        site* s = site_at(m, at - m->bias, here->flags);
        if (is_store) {
            IRExpr* address = statement->Ist.Store.addr;
            IRExpr* data = statement->Ist.Store.data;
            instrument_store(to, layout, s, address, data);
            addStmtToIRSB(to, statement);
            if ((s->flags & site_make) != 0)
                add_call(to, layout, "maybe_made", has_word(s) ? maybe_made_word : maybe_made,
                         mkIRExprVec_3(mkIRExpr_HWord((HWord)s), address,
                                       mkIRExpr_HWord((HWord)sizeofIRType(
                                           typeOfIRExpr(to->tyenv, data)))),
                         NULL);
        } else {
            addStmtToIRSB(to, statement);
            if ((s->flags & (site_atomic | site_opaque)) != 0)
                instrument_atomic(to, layout, s, statement->Ist.CAS.details);
        }
    }
    /* A function that ends so leaves no frame, and not all compilers describe it. */
    if (m != NULL && !m->opaque && from->jumpkind == Ijk_Boring && from->next->tag != Iex_Const)
        add_jump(m, at - m->bias);
    return to;
}

/* ---- output ---- */

static Int output = -1;
static HChar buffer[65536];
static UInt buffered = 0;

static void flush(void) {
    for (UInt done = 0; done < buffered;) {
        const Int n = VG_(write)(output, buffer + done, (Int)(buffered - done));
        if (n <= 0) break;
        done += (UInt)n;
    }
    buffered = 0;
}

static void put_text(const HChar* text) {
    for (; *text != 0; ++text) {
        if (buffered == sizeof buffer) flush();
        buffer[buffered++] = *text;
    }
}

static void put_number(ULong n) {
    HChar text[24];
    VG_(sprintf)(text, " %llu", n);
    put_text(text);
}

static void write_record(const record* r) {
    put_text("C");
    put_number(r->at->in->number);
    put_number(r->at->offset);
    put_number(r->at->flags | (r->weak != 0 ? site_weak : 0));
    const ULong* n = (const ULong*)&r->n;
    for (UInt i = 0; i < COUNT_FIELDS; ++i) put_number(n[i]);
    put_number(r->threads);
    put_number(r->typed == NULL ? 0 : r->typed->number + 1);
    put_number(r->caller_count);
    for (UInt i = 0; i < r->caller_count; ++i) {
        HChar text[64];
        VG_(sprintf)(text, " %d:%lu", (Int)r->caller_module[i], r->caller_offset[i]);
        put_text(text);
    }
    put_text("\n");
}

static void put_links(const HChar* kind, const record* r, const links* all) {
    const link* l = all->first;
    for (UInt i = 0; i < all->count; ++i) {
        put_text(kind);
        put_number(r->number);
        put_number(l == NULL ? record_count : l->to->number);
        put_text("\n");
        if (l != NULL) l = l->next;
    }
}

static void write_counts(Bool ended) {
    output = VG_(fd_open)(part_path, VKI_O_WRONLY | VKI_O_CREAT | VKI_O_TRUNC, 0600);
    if (output < 0) {
        if (ended) VG_(umsg)("freehold: %s: cannot be written\n", output_path);
        return;
    }
    for (SizeT i = 0; i < object_room; ++i) {
        const object* o = &objects[i];
        if (o->count == 0 || o->latest == NULL) continue;
        ++o->latest->n.left;
        if (o->adds == 0) ++o->latest->n.left_sole;
    }
    for (const module* m = modules; m != NULL; m = m->next) {
        put_text("M");
        put_number(m->number);
        put_number(m->opaque ? 1 : 0);
        put_text(" ");
        put_text(m->path);
        put_text("\n");
        for (UInt i = 0; i < m->jump_count; ++i) {
            put_text("J");
            put_number(m->number);
            put_number(m->jumps[i]);
            put_text("\n");
        }
    }
    for (const record* r = first_record; r != NULL; r = r->next) write_record(r);
    for (const record* r = first_record; r != NULL; r = r->next) {
        put_links("L", r, &r->owners);
        put_links("N", r, &r->neighbours);
    }
    for (const record* r = first_record; r != NULL; r = r->next)
        for (const pair* p = r->pairs; p != NULL; p = p->next) {
            put_text("P");
            put_number(p->addition->number);
            put_number(r->number);
            put_number(p->count);
            put_number(p->repeats);
            put_number(p->plain);
            put_number(p->distance);
            put_number(p->unlocked);
            put_text("\n");
        }
    put_text("T");
    put_number(threads_started);
    put_text("\n");
    if (reads_input) put_text("I\n");
    if (becomes_another) put_text("X\n");
    if (ended) put_text("E\n");
    flush();
    VG_(close)(output);
    VG_(rename)(part_path, output_path);
    /* They are counted again for the next write. */
    for (record* r = first_record; r != NULL; r = r->next) r->n.left = r->n.left_sole = 0;
}

/* ---- the process ---- */

static void name_output(void) {
    struct vg_stat there;
    for (UInt i = 0; i < 100000; ++i) {
        VG_(snprintf)(output_path, sizeof output_path, "%s/counts.%d.%u", folder, VG_(getpid)(), i);
        VG_(snprintf)(part_path, sizeof part_path, "%s/part.%d.%u", folder, VG_(getpid)(), i);
        if (sr_isError(VG_(stat)(output_path, &there))) return;
    }
}

/* A child counts from 0, but has the objects of its parent. */
static void start_child(ThreadId tid) {
    (void)tid;
    for (record* r = first_record; r != NULL; r = r->next) {
        VG_(memset)(&r->n, 0, sizeof r->n);
        r->threads = 0;
        for (pair* p = r->pairs; p != NULL; p = p->next) p->count = p->repeats = p->plain = p->distance = 0;
    }
    threads_started = 1;
    name_output();
}

static void start_thread(ThreadId parent, ThreadId child) {
    if (parent != VG_INVALID_THREADID) serial_of[child % 65536] = threads_started++;
}

static Bool is_start_of_program(UInt number) {
    return number == __NR_execve || number == __NR_execveat;
}

static void before_call(ThreadId tid, UInt number, UWord* arguments, UInt count) {
    (void)tid;
    if (is_start_of_program(number)) {
        becomes_another = True;
        write_counts(True);
    }
    const Bool reads = number == __NR_read || number == __NR_readv || number == __NR_pread64;
    if (reads && count != 0 && arguments[0] == 0) reads_input = True;
}

static void after_call(ThreadId tid, UInt number, UWord* arguments, UInt count, SysRes result) {
    (void)tid, (void)arguments, (void)count, (void)result;
    if (is_start_of_program(number)) becomes_another = False;
}

static Bool take_option(const HChar* argument) {
    if VG_STR_CLO(argument, "--freehold-folder", folder) {
    } else if VG_STR_CLO(argument, "--freehold-sites", sites_program) {
    } else {
        return False;
    }
    return True;
}

static void print_usage(void) {
    VG_(printf)(
        "    --freehold-folder=<folder>   the folder for the counts\n"
        "    --freehold-sites=<program>   the program that finds the sites of a module\n");
}

static void print_debug_usage(void) {}

static void after_options(void) {
    if (folder == NULL || sites_program == NULL) {
        VG_(umsg)("freehold: start this tool by `freehold handles`\n");
        VG_(exit)(1);
    }
    name_output();
    grow_objects();
}

static void finish(Int status) {
    (void)status;
    write_counts(True);
}

/* Writes the counts from time to time, so that a killed process leaves its earlier counts. Writing
   takes a twentieth of the run time at most. */
static void write_at_times(ThreadId tid, ULong blocks) {
    static UInt due = 250;
    (void)tid, (void)blocks;
    const UInt begin = VG_(read_millisecond_timer)();
    if (begin < due) return;
    write_counts(False);
    const UInt end = VG_(read_millisecond_timer)();
    due = end + 250 + 20 * (end - begin);
}

static void before_options(void) {
    VG_(details_name)("freehold_handles");
    VG_(details_version)(NULL);
    VG_(details_description)("counts what shared ownership does");
    VG_(details_copyright_author)("The authors of Freehold");
    VG_(details_bug_reports_to)("the authors of Freehold");
    VG_(basic_tool_funcs)(after_options, instrument, finish);
    VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
    VG_(needs_syscall_wrapper)(before_call, after_call);
    VG_(track_pre_thread_ll_create)(start_thread);
    VG_(track_start_client_code)(write_at_times);
    VG_(track_die_mem_munmap)(forget_code);
    VG_(atfork)(NULL, NULL, start_child);
}

VG_DETERMINE_INTERFACE_VERSION(before_options)
