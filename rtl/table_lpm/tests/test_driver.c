/* Tests of the driver (rtl/driver/ww_lpm*.c) against lists of prefixes; argument: seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../driver/ww_lpm_blocks.h"
#include "image.h"
#include "routes.h"

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

/* Both the hardware's image and the plain model: a list of entries. */
typedef struct entry {
    route prefix;
    uint64_t data;
    uint32_t number;
} entry;

typedef struct bench {
    image hardware;
    ww_bus bus;
    ww_table_info info;
    void *table;
    randomness random;
    uint32_t key_bits, count;
    entry *entries;
    /* The update under way: the entry as it was and as it will be, if it was or will be. */
    entry before, after;
    int was, will;
    uint32_t samples; /* lookups after every row write */
} bench;

/* What the driver calls: this test stands in place of the bus. */
int ww_row_write(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index,
                 const uint8_t *row, uint32_t bits) {
    CHECK(window == 7);
    return image_write(bus->context, memory, index, row, bits);
}

static uint64_t data_mask(const bench *b) { return ((uint64_t)1 << b->info.data_bits) - 1; }

static answer in_list(const bench *b, const route *key, const entry *extra) {
    const entry *best = NULL;
    for (uint32_t i = 0; i < b->count; i++)
        if (matches(&b->entries[i].prefix, key) &&
            (best == NULL || b->entries[i].prefix.length > best->prefix.length))
            best = &b->entries[i];
    if (extra != NULL && matches(&extra->prefix, key) &&
        (best == NULL || extra->prefix.length > best->prefix.length))
        best = extra;
    if (best == NULL) return (answer){0, 0, 0};
    return (answer){1, best->number, best->data};
}

static answer in_hardware(const bench *b, const route *key) {
    uint8_t bytes[16];
    key_bytes(key, b->key_bits, bytes);
    return image_lookup(&b->hardware, bytes);
}

static route random_key(bench *b, const route *near) {
    route key = {draw(&b->random), draw(&b->random), b->key_bits};
    if (near != NULL) {
        /* The first bits of `near`, or one bit of it changed. */
        const uint32_t keep = below(&b->random, 4) ? near->length : below(&b->random, near->length + 1);
        const uint64_t high = keep == 0 ? 0 : keep < 64 ? ~(uint64_t)0 << (64 - keep) : ~(uint64_t)0;
        const uint64_t low = keep <= 64 ? 0 : keep < 128 ? ~(uint64_t)0 << (128 - keep) : ~(uint64_t)0;
        key.high = (key.high & ~high) | (near->high & high);
        key.low = (key.low & ~low) | (near->low & low);
    }
    clip(&key);
    return key;
}

/* The data of an entry are unique, so they tell which entry a lookup found. */
static int same(answer a, answer b) { return a.hit == b.hit && a.data == b.data; }

static void check_during(void *context) {
    bench *b = context;
    for (uint32_t i = 0; i < b->samples; i++) {
        const route *near = i % 3 == 0   ? (b->was ? &b->before.prefix : &b->after.prefix)
                            : i % 3 == 1 ? (b->count > 0 ? &b->entries[below(&b->random, b->count)].prefix : NULL)
                                         : NULL;
        const route key = random_key(b, near);
        const answer got = in_hardware(b, &key);
        CHECK(same(got, in_list(b, &key, b->was ? &b->before : NULL)) ||
              same(got, in_list(b, &key, b->will ? &b->after : NULL)));
    }
}

static void check_clear(void *context) {
    bench *b = context;
    for (uint32_t i = 0; i < 20; i++) {
        const route key = random_key(b, i % 3 ? &b->entries[below(&b->random, b->count)].prefix : NULL);
        const answer got = in_hardware(b, &key);
        CHECK(!got.hit || same(got, in_list(b, &key, NULL)));
    }
}

static void check_key(bench *b, const route *key) {
    const answer got = in_hardware(b, key), want = in_list(b, key, NULL);
    CHECK(same(got, want) && got.index == want.index);
}

static void check_after(bench *b, const route *near) {
    for (uint32_t i = 0; i < b->samples; i++) {
        const route key = random_key(b, i % 2 ? near : NULL);
        check_key(b, &key);
    }
}

static void open_bench(bench *b, uint32_t key_bits, uint32_t data_bits, uint32_t entries, uint64_t seed) {
    memset(b, 0, sizeof *b);
    b->key_bits = key_bits;
    b->random.state = seed * 2 + 1;
    b->info = (ww_table_info){.name = "lpm", .window = 7, .kind = WW_TABLE_LPM, .entries = entries,
                              .key_bits = key_bits, .data_bits = data_bits};
    image_open(&b->hardware, key_bits, data_bits, entries);
    b->bus = (ww_bus){&b->hardware, NULL, NULL};
    b->entries = calloc(entries, sizeof *b->entries);
    b->table = malloc(ww_lpm_memory(&b->info));
    CHECK(ww_lpm_open(b->table, &b->info, &b->bus) == WW_OK);
    b->samples = 6;
    b->hardware.context = b;
    b->hardware.written = check_during;
}

static void close_bench(bench *b) {
    image_close(&b->hardware);
    free(b->entries);
    free(b->table);
}

static int find_entry(const bench *b, const route *prefix) {
    for (uint32_t i = 0; i < b->count; i++)
        if (b->entries[i].prefix.length == prefix->length && matches(&b->entries[i].prefix, prefix))
            return (int)i;
    return -1;
}

static int insert(bench *b, const route *prefix) {
    uint8_t key[16], data[8];
    b->after = (entry){*prefix, draw(&b->random) & data_mask(b), 0};
    b->was = 0;
    b->will = 1;
    key_bytes(prefix, b->key_bits, key);
    memcpy(data, &b->after.data, 8);
    const int error = ww_lpm_insert(b->table, key, prefix->length, data, &b->after.number);
    if (error != WW_OK) return error;
    CHECK(b->after.number < b->info.entries);
    b->entries[b->count++] = b->after;
    return WW_OK;
}

static void delete_at(bench *b, uint32_t at) {
    uint8_t key[16];
    b->before = b->entries[at];
    b->was = 1;
    b->will = 0;
    b->entries[at] = b->entries[--b->count];
    key_bytes(&b->before.prefix, b->key_bits, key);
    CHECK(ww_lpm_delete(b->table, key, b->before.prefix.length) == WW_OK);
    CHECK(ww_lpm_find(b->table, key, b->before.prefix.length, NULL, NULL) == WW_ERROR_NOT_FOUND);
}

static void modify_at(bench *b, uint32_t at) {
    uint8_t key[16], data[8];
    b->before = b->after = b->entries[at];
    b->after.data = draw(&b->random) & data_mask(b);
    b->was = b->will = 1;
    b->entries[at] = b->entries[--b->count];
    key_bytes(&b->before.prefix, b->key_bits, key);
    memcpy(data, &b->after.data, 8);
    const uint64_t writes = b->hardware.writes;
    CHECK(ww_lpm_modify(b->table, key, b->before.prefix.length, data) == WW_OK);
    CHECK(b->hardware.writes == writes + 1);
    b->entries[b->count++] = b->after;
}

/* A prefix of any length, often beside, above or below one that is there. */
static route random_prefix(bench *b) {
    const int near = b->count > 0 && below(&b->random, 4) > 0;
    route prefix = random_key(b, near ? &b->entries[below(&b->random, b->count)].prefix : NULL);
    prefix.length = below(&b->random, b->key_bits + 1);
    clip(&prefix);
    return prefix;
}

/* Random updates of a table that is kept nearly full. */
static void test_updates(uint32_t key_bits, uint32_t entries, uint32_t updates, uint64_t seed) {
    bench b;
    open_bench(&b, key_bits, 56, entries, seed);
    uint64_t most = 0;
    for (uint32_t i = 0; i < updates; i++) {
        const uint64_t writes = b.hardware.writes;
        route prefix = random_prefix(&b);
        const uint32_t kind = below(&b.random, 8);
        if (kind == 0 && b.count > 0) {
            modify_at(&b, below(&b.random, b.count));
            prefix = b.after.prefix;
        } else if (b.count == entries || (b.count > 0 && kind == 1 + (i / (entries * 3)) % 7)) {
            delete_at(&b, below(&b.random, b.count));
            prefix = b.before.prefix;
        } else {
            const int present = find_entry(&b, &prefix) >= 0;
            /* Any pattern fits: only a full table refuses. */
            CHECK(insert(&b, &prefix) == (present ? WW_ERROR_EXISTS : WW_OK));
        }
        if (b.hardware.writes - writes > most) most = b.hardware.writes - writes;
        CHECK(ww_lpm_count(b.table) == b.count);
        check_after(&b, &prefix);
    }
    for (uint32_t i = 0; i < b.count; i++) {
        uint8_t key[16], data[8] = {0};
        uint64_t value;
        uint32_t number;
        const entry *e = &b.entries[i];
        key_bytes(&e->prefix, key_bits, key);
        CHECK(ww_lpm_find(b.table, key, e->prefix.length, data, &number) == WW_OK);
        memcpy(&value, data, 8);
        CHECK(value == e->data && number == e->number);
    }
    printf("keys of %u bits, %u entries: %.1f row writes an update, at most %llu\n", key_bits, entries,
           (double)b.hardware.writes / updates, (unsigned long long)most);
    while (b.count > 0) delete_at(&b, below(&b.random, b.count));
    check_after(&b, NULL);
    close_bench(&b);
}

/* A full table in which every insert moves blocks: all nodes of level 1 below five of level 0. */
static void test_moves(uint64_t seed) {
    bench b;
    open_bench(&b, 16, 56, 60, seed);
    b.samples = 12;
    for (uint32_t i = 0; i < 1500; i++) {
        if (b.count == 60) delete_at(&b, below(&b.random, b.count));
        route prefix = {(uint64_t)below(&b.random, 5 * 16) << 51, 0, 13};
        if (below(&b.random, 4) == 0) {
            prefix.high |= draw(&b.random) >> 13;
            prefix.length = 13 + below(&b.random, 4);
            clip(&prefix);
        }
        const int present = find_entry(&b, &prefix) >= 0;
        CHECK(insert(&b, &prefix) == (present ? WW_ERROR_EXISTS : WW_OK));
        check_after(&b, &prefix);
    }
    close_bench(&b);
}

/* While a table is cleared, a lookup gives its old answer or none. */
static void test_clear(uint64_t seed) {
    bench b;
    open_bench(&b, 16, 56, 100, seed);
    while (b.count < 100) {
        const route prefix = random_prefix(&b);
        const int error = insert(&b, &prefix);
        CHECK(error == WW_OK || error == WW_ERROR_EXISTS);
    }
    b.hardware.written = check_clear;
    CHECK(ww_lpm_clear(b.table) == WW_OK && ww_lpm_count(b.table) == 0);
    b.count = 0;
    for (uint32_t i = 0; i < 1u << 16; i++) {
        const route key = {(uint64_t)i << 48, 0, 16};
        check_key(&b, &key);
    }
    close_bench(&b);
}

/* The allocator alone: rows with a content, against a list of blocks. */
typedef struct rows {
    uint32_t limit, content[256];
    struct {
        uint32_t row, size, first;
    } block[256];
    uint32_t blocks, moved, overlapping;
} rows;

static void move_rows(void *context, uint32_t memory, uint32_t from, uint32_t to, uint32_t size) {
    rows *r = context;
    CHECK(memory == 5 && from + size <= 256 && to + size <= 256);
    CHECK(from + size <= to || to + size <= from);
    for (uint32_t i = 0; i < r->blocks; i++) {
        if (r->block[i].row != from) {
            /* What it overwrites is not in use. */
            CHECK(r->block[i].row + r->block[i].size <= to || to + size <= r->block[i].row);
            continue;
        }
        CHECK(r->block[i].size == size);
        r->block[i].row = to;
    }
    for (uint32_t i = 0; i < size; i++) r->content[to + i] = r->content[from + i];
    r->moved++;
    r->overlapping += to == r->limit;
}

static void test_blocks(uint64_t seed) {
    uint32_t tag[240], next[240], previous[240];
    rows r = {.limit = 240};
    ww_lpm_blocks b = {.memory = 5, .limit = 240, .block_max = 16, .tag = tag, .next = next,
                       .previous = previous};
    randomness random = {seed * 2 + 1};
    ww_lpm_blocks_reset(&b);
    for (uint32_t i = 0; i < 20000; i++) {
        const uint32_t size = 1 + below(&random, 16);
        if (r.blocks < 256 && below(&random, 8) < 5) {
            const uint32_t used = b.used;
            const uint32_t row = ww_lpm_blocks_take(&b, size, move_rows, &r);
            /* It fits exactly if there are as many free rows. */
            CHECK((row == WW_LPM_NO_BLOCK) == (used + size > 240));
            if (row == WW_LPM_NO_BLOCK) continue;
            CHECK(row + size <= 240 && b.used == used + size);
            r.block[r.blocks].row = row;
            r.block[r.blocks].size = size;
            r.block[r.blocks++].first = i * 16;
            for (uint32_t j = 0; j < size; j++) r.content[row + j] = i * 16 + j;
        } else if (r.blocks > 0) {
            const uint32_t at = below(&random, r.blocks);
            ww_lpm_blocks_give(&b, r.block[at].row);
            r.block[at] = r.block[--r.blocks];
        }
        for (uint32_t j = 0; j < r.blocks; j++)
            for (uint32_t k = 0; k < r.block[j].size; k++)
                CHECK(r.content[r.block[j].row + k] == r.block[j].first + k);
    }
    CHECK(r.moved > 100 && r.overlapping > 100);
}

/* Sets that need the most rows: `entries` prefixes of full length, far apart or in rows. */
static void test_any_pattern(uint32_t key_bits, uint32_t entries, int spread, uint64_t seed) {
    bench b;
    open_bench(&b, key_bits, 56, entries, seed);
    b.hardware.written = NULL;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < entries; i++) {
            route prefix = {0, 0, key_bits};
            if (spread) {
                for (uint32_t j = 0; j < 32; j++) prefix.high |= (uint64_t)(i >> j & 1) << (63 - j);
                prefix.high |= (draw(&b.random) & 0xFFFF) << (64 - (key_bits < 64 ? key_bits : 64));
            } else {
                prefix.high = (uint64_t)i << (64 - (key_bits < 64 ? key_bits : 64));
            }
            clip(&prefix);
            if (insert(&b, &prefix) != WW_OK) CHECK(b.count == entries || find_entry(&b, &prefix) >= 0);
        }
        CHECK(b.count > entries * 9 / 10);
        for (uint32_t i = 0; i < 500; i++) {
            const route key = random_key(&b, &b.entries[below(&b.random, b.count)].prefix);
            check_key(&b, &key);
        }
        /* Holes everywhere, then the other half again. */
        for (uint32_t i = b.count; i-- > 0;)
            if (below(&b.random, 2)) delete_at(&b, i);
    }
    close_bench(&b);
}

static void test_errors(void) {
    bench b;
    open_bench(&b, 32, 12, 4, 1);
    uint8_t key[16] = {0}, data[2] = {0};
    key[0] = 1;
    CHECK(ww_lpm_insert(b.table, key, 24, data, NULL) == WW_ERROR_RANGE); /* bits behind the prefix */
    CHECK(ww_lpm_insert(b.table, key, 33, data, NULL) == WW_ERROR_RANGE);
    data[1] = 0x10;
    CHECK(ww_lpm_insert(b.table, key, 32, data, NULL) == WW_ERROR_RANGE); /* 13 bits of data */
    data[1] = 0x0F;
    CHECK(b.hardware.writes == 0);
    b.samples = 0;
    for (uint8_t i = 0; i < 4; i++) {
        key[3] = i;
        CHECK(ww_lpm_insert(b.table, key, 32, data, NULL) == WW_OK);
    }
    const uint64_t writes = b.hardware.writes;
    key[3] = 9;
    CHECK(ww_lpm_insert(b.table, key, 32, data, NULL) == WW_ERROR_FULL);
    CHECK(ww_lpm_modify(b.table, key, 32, data) == WW_ERROR_NOT_FOUND);
    CHECK(ww_lpm_delete(b.table, key, 32) == WW_ERROR_NOT_FOUND);
    CHECK(b.hardware.writes == writes && ww_lpm_count(b.table) == 4);
    CHECK(ww_lpm_clear(b.table) == WW_OK && ww_lpm_count(b.table) == 0);
    const route anything = {(uint64_t)3 << 56 | (uint64_t)1 << 32, 0, 32};
    CHECK(in_hardware(&b, &anything).hit == 0);
    b.hardware.limit = b.hardware.writes + 1;
    CHECK(ww_lpm_insert(b.table, key, 32, data, NULL) == WW_ERROR_BUS);
    close_bench(&b);
    ww_lpm_geometry_info g;
    CHECK(ww_lpm_geometry(0, 8, 8, 0, &g) == WW_ERROR_INFO);
    CHECK(ww_lpm_geometry(129, 8, 8, 0, &g) == WW_ERROR_INFO);
    CHECK(ww_lpm_geometry(32, 8, 0, 0, &g) == WW_ERROR_INFO);
}

/* Every geometry that can be asked for is one that the hardware can be built with. */
static void test_geometry(void) {
    static const uint32_t sizes[] = {1, 2, 3, 16, 1000, 1024, 4096, 8192, 8193, 100000, 1 << 20};
    for (uint32_t width = 1; width <= 128; width++)
        for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            ww_lpm_geometry_info g;
            CHECK(ww_lpm_geometry(width, 16, sizes[i], WW_LPM_MARGIN, &g) == WW_OK);
            uint32_t depth = g.root_bits;
            for (uint32_t j = 0; j < g.levels; j++) {
                CHECK(g.level[j].depth == depth);
                CHECK(g.level[j].stride >= 1 && g.level[j].stride <= 6);
                depth += g.level[j].stride;
            }
            CHECK(depth == width + 1 && g.root_bits <= WW_LPM_ROOT_BITS_MAX);
            CHECK(g.latency <= (width <= 32 ? 9u : 24u));
            CHECK(g.row_bits <= 170);
        }
}

static int by_address(const void *left, const void *right) {
    const route *a = left, *b = right;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->low < b->low ? -1 : a->low > b->low;
}

static uint32_t distinct(route *routes, uint32_t count) {
    uint32_t found = 0;
    qsort(routes, count, sizeof *routes, by_address);
    for (uint32_t i = 0; i < count; i++) found += i == 0 || by_address(&routes[i - 1], &routes[i]) != 0;
    return found;
}

/* A routing table of the Internet's shape, within `budget` bits. */
static void test_internet(uint32_t key_bits, uint32_t count, uint64_t budget, uint64_t seed) {
    bench b;
    open_bench(&b, key_bits, 16, count, seed);
    b.hardware.written = NULL;
    route *routes = calloc(count, sizeof *routes);
    internet_routes(&b.random, key_bits, count, routes);
    uint32_t lengths[129] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (getenv("WW_LPM_SHOW") == NULL) CHECK(insert(&b, &routes[i]) == WW_OK);
        lengths[routes[i].length]++;
    }
    const ww_lpm_geometry_info *s = &b.hardware.shape;
    printf("%u routes of %u bits (%.0f %% of 24 bits, %.0f %% of 48 bits): %.2f Mbit, %.1f row writes a route\n",
           count, key_bits, 100.0 * lengths[24] / count, 100.0 * lengths[48] / count,
           (double)s->memory_bits / 1e6, (double)b.hardware.writes / count);
    if (getenv("WW_LPM_SHOW") != NULL) {
        /* The figures behind the profiles in ww_lpm_geometry.c. */
        for (uint32_t j = 1; j < s->levels; j++) {
            uint32_t nodes = 0;
            route *cut = calloc(count, sizeof *cut);
            for (uint32_t i = 0; i < count; i++) {
                if (routes[i].length < s->level[j].depth) continue;
                cut[nodes] = routes[i];
                cut[nodes].length = s->level[j].depth;
                clip(&cut[nodes++]);
            }
            nodes = distinct(cut, nodes);
            printf("  depth %u: %u nodes, %.1f a thousand routes\n", s->level[j].depth, nodes,
                   1000.0 * nodes / count);
            free(cut);
        }
        free(routes);
        close_bench(&b);
        return;
    }
    CHECK(s->memory_bits <= budget);
    for (uint32_t i = 0; i < 200; i++) {
        const route key = random_key(&b, i % 2 ? &routes[below(&b.random, count)] : NULL);
        check_key(&b, &key);
    }
    /* The table is full; entries go and come back. */
    for (uint32_t i = 0; i < count / 4; i++) {
        const uint32_t at = below(&b.random, b.count);
        const route again = b.entries[at].prefix;
        delete_at(&b, at);
        CHECK(insert(&b, &again) == WW_OK);
    }
    for (uint32_t i = 0; i < 200; i++) {
        const route key = random_key(&b, i % 2 ? &routes[below(&b.random, count)] : NULL);
        check_key(&b, &key);
    }
    free(routes);
    close_bench(&b);
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    if (getenv("WW_LPM_SHOW") != NULL) {
        test_internet(32, 100000, 8000000, seed);
        test_internet(128, 100000, 24000000, seed);
        return 0;
    }
    test_geometry();
    test_errors();
    for (uint32_t width = 1; width <= 8; width++) test_updates(width, width < 4 ? 2 : 12, 3000, seed + width);
    test_blocks(seed);
    test_moves(seed);
    test_clear(seed);
    test_updates(12, 100, 5000, seed);
    test_updates(32, 8, 3000, seed);
    test_updates(32, 200, 10000, seed);
    test_updates(48, 60, 4000, seed);
    test_updates(128, 100, 4000, seed);
    test_any_pattern(32, 4096, 1, seed);
    test_any_pattern(32, 1024, 0, seed);
    test_any_pattern(128, 2048, 1, seed);
    test_internet(32, 100000, 8000000, seed);
    test_internet(128, 100000, 24000000, seed);
    return 0;
}
