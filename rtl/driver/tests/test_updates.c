/*
 * Random operations on tables of all kinds but LPM. After every row write every key of a
 * small universe (for ternary tables: a sample of keys near the entries) is looked up and
 * must give the answer of the plain model before or after the operation.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hardware.h"

enum { ENTRIES_MAX = 64, KEYS_MAX = 128, KEY_BYTES = HARDWARE_KEY_BYTES, DATA_BYTES = HARDWARE_DATA_BYTES };

typedef struct entry {
    uint8_t key[KEY_BYTES];
    uint8_t mask[KEY_BYTES];
    uint8_t data[DATA_BYTES];
    int32_t priority;
    uint64_t order; /* of insertion */
    uint32_t number;
} entry;

typedef struct model {
    entry entries[ENTRIES_MAX];
    uint32_t count;
} model;

typedef struct run {
    hardware hardware;
    const ww_table_info *info;
    ww_table *table;
    model before;
    model after;
    uint8_t keys[KEYS_MAX][KEY_BYTES];
    uint32_t key_count;
    uint64_t lookups;
    int number_is_known; /* of the entry that is being inserted */
    uint32_t moved;      /* row writes beyond one for an operation */
} run;

static int bit(const uint8_t *bytes, uint32_t at)
{
    return (bytes[at / 8] >> (at % 8)) & 1;
}

static void random_bits(uint8_t *bytes, uint32_t size, uint32_t bits)
{
    memset(bytes, 0, size);
    for (uint32_t i = 0; i < bits; i++)
        bytes[i / 8] |= (uint8_t)(hardware_random(2) << (i % 8));
}

/* ---- plain model ------------------------------------------------------------------- */

static int field_value(const uint8_t *bytes, uint32_t first, uint32_t bits)
{
    int value = 0;
    for (uint32_t i = 0; i < bits; i++)
        value |= bit(bytes, first + i) << i;
    return value;
}

/* The tables under test have their range fields here: [first, bits]. */
static const uint32_t range_fields[2][2] = {{3, 6}, {9, 5}};

static int matches(const ww_table_info *info, const entry *e, const uint8_t *key)
{
    if (info->kind != WW_TABLE_TERNARY)
        return memcmp(e->key, key, KEY_BYTES) == 0;
    for (uint32_t i = 0; i < info->key_bits; i++) {
        if (info->range_bits != NULL && i >= 3 && i < 14)
            continue;
        if (bit(e->mask, i) && bit(e->key, i) != bit(key, i))
            return 0;
    }
    for (uint32_t f = 0; f < 2 && info->range_bits != NULL; f++) {
        const uint32_t first = range_fields[f][0];
        const uint32_t bits = range_fields[f][1];
        const int value = field_value(key, first, bits);
        if (value < field_value(e->key, first, bits) || value > field_value(e->mask, first, bits))
            return 0;
    }
    return 1;
}

static const entry *winner(const ww_table_info *info, const model *m, const uint8_t *key)
{
    const entry *best = NULL;

    for (uint32_t i = 0; i < m->count; i++) {
        const entry *e = &m->entries[i];
        if (!matches(info, e, key))
            continue;
        if (best == NULL || e->priority > best->priority ||
            (e->priority == best->priority && e->order < best->order))
            best = e;
    }
    return best;
}

/* 1 if the hardware's answer is the entry's. */
static int same_answer(const run *r, const entry *e, int hit, const uint8_t *data)
{
    const uint32_t number_bits = r->number_is_known || e != &r->after.entries[r->after.count - 1]
                                     ? r->info->number_bits
                                     : 0;

    if (e == NULL || !hit)
        return e == NULL && !hit;
    for (uint32_t i = 0; i < r->info->data_bits; i++) {
        if (bit(e->data, i) != bit(data, i))
            return 0;
    }
    for (uint32_t i = 0; i < number_bits; i++) {
        if (((e->number >> i) & 1) != (uint32_t)bit(data, r->info->data_bits + i))
            return 0;
    }
    return 1;
}

static void check_lookups(void *context)
{
    run *r = context;
    uint8_t data[DATA_BYTES];

    for (uint32_t k = 0; k < r->key_count; k++) {
        const uint8_t *key = r->keys[k];
        const int hit = hardware_lookup(&r->hardware, key, data);
        CHECK(same_answer(r, winner(r->info, &r->before, key), hit, data) ||
              same_answer(r, winner(r->info, &r->after, key), hit, data));
        r->lookups++;
    }
}

/* ---- random operations --------------------------------------------------------------- */

static void random_ternary(const ww_table_info *info, entry *e)
{
    random_bits(e->key, KEY_BYTES, info->key_bits);
    random_bits(e->mask, KEY_BYTES, info->key_bits);
    e->priority = (int32_t)hardware_random(7) - 3;
    for (uint32_t f = 0; f < 2 && info->range_bits != NULL; f++) {
        const uint32_t first = range_fields[f][0];
        const uint32_t bits = range_fields[f][1];
        if (field_value(e->key, first, bits) > field_value(e->mask, first, bits)) {
            for (uint32_t i = first; i < first + bits; i++) {
                if (bit(e->key, i) != bit(e->mask, i)) {
                    e->key[i / 8] ^= (uint8_t)(1u << (i % 8));
                    e->mask[i / 8] ^= (uint8_t)(1u << (i % 8));
                }
            }
        }
    }
}

/* Keys to look up in a ternary table: of entries, with the bits changed that do not count. */
static void sample_keys(run *r)
{
    for (uint32_t k = 0; k < r->key_count; k++) {
        random_bits(r->keys[k], KEY_BYTES, r->info->key_bits);
        if (r->after.count == 0)
            continue;
        const entry *e = &r->after.entries[hardware_random(r->after.count)];
        const uint8_t *edge = hardware_random(2) ? e->key : e->mask;
        for (uint32_t i = 0; i < r->info->key_bits; i++) {
            const int ranged = r->info->range_bits != NULL && i >= 3 && i < 14;
            if (ranged || bit(e->mask, i)) {
                r->keys[k][i / 8] &= (uint8_t) ~(1u << (i % 8));
                r->keys[k][i / 8] |= (uint8_t)(bit(ranged ? edge : e->key, i) << (i % 8));
            }
        }
    }
}

static uint32_t index_of(const run *r, const entry *wanted)
{
    for (uint32_t i = 0; i < r->after.count; i++) {
        const entry *e = &r->after.entries[i];
        if (e->priority != wanted->priority)
            continue;
        if (memcmp(e->mask, wanted->mask, KEY_BYTES) != 0)
            continue;
        int same = 1;
        for (uint32_t b = 0; b < r->info->key_bits; b++) {
            const int counts = r->info->kind != WW_TABLE_TERNARY || bit(e->mask, b) ||
                               (r->info->range_bits != NULL && b >= 3 && b < 14);
            same = same && (!counts || bit(e->key, b) == bit(wanted->key, b));
        }
        if (same)
            return i;
    }
    return ENTRIES_MAX;
}

static void operate(run *r, uint64_t order)
{
    const ww_table_info *info = r->info;
    entry e;

    r->before = r->after;
    memset(&e, 0, sizeof e);
    if (r->after.count != 0 && hardware_random(2)) {
        e = r->after.entries[hardware_random(r->after.count)];
    } else if (info->kind == WW_TABLE_TERNARY) {
        random_ternary(info, &e);
    } else {
        memcpy(e.key, r->keys[hardware_random(r->key_count)], KEY_BYTES);
    }
    random_bits(e.data, DATA_BYTES, info->data_bits);
    const uint32_t at = index_of(r, &e);
    const int there = at != ENTRIES_MAX;
    const ww_match match = {e.key, info->kind == WW_TABLE_TERNARY ? e.mask : NULL, 0, e.priority};
    const uint32_t wish = hardware_random(10);
    const uint64_t writes = r->hardware.row_writes;

    r->number_is_known = 1;
    if (wish < 2) {
        if (there)
            memcpy(r->after.entries[at].data, e.data, DATA_BYTES);
        CHECK(ww_table_modify(r->table, &match, e.data) == (there ? WW_OK : WW_ERROR_NOT_FOUND));
        CHECK(r->hardware.row_writes - writes == (uint64_t)there);
    } else if (wish < 3 || (wish < 4 && r->after.count * 10 > info->entries * 9)) {
        if (there)
            r->after.entries[at] = r->after.entries[--r->after.count];
        CHECK(ww_table_delete(r->table, &match) == (there ? WW_OK : WW_ERROR_NOT_FOUND));
    } else if (there) {
        CHECK(ww_table_insert(r->table, &match, e.data, NULL) == WW_ERROR_EXISTS);
    } else if (r->after.count == info->entries) {
        CHECK(ww_table_insert(r->table, &match, e.data, NULL) == WW_ERROR_FULL);
        CHECK(r->hardware.row_writes == writes);
    } else {
        e.order = order;
        r->after.entries[r->after.count++] = e;
        r->number_is_known = 0;
        const int error = ww_table_insert(r->table, &match, e.data, &e.number);
        if (error == WW_ERROR_FULL) {
            CHECK(info->kind == WW_TABLE_HASH && r->hardware.row_writes == writes);
            r->after.count--;
        } else {
            CHECK(error == WW_OK);
            CHECK(e.number < (info->kind == WW_TABLE_DIRECT ? 1u << info->key_bits : info->entries));
            for (uint32_t i = 0; i + 1 < r->after.count; i++)
                CHECK(r->after.entries[i].number != e.number);
            r->after.entries[r->after.count - 1].number = e.number;
            r->moved += (uint32_t)(r->hardware.row_writes - writes - 1);
        }
        r->number_is_known = 1;
    }
    /* Now only the new answers are right. */
    r->before = r->after;
    check_lookups(r);
    CHECK(ww_table_count(r->table) == r->after.count);
    for (uint32_t i = 0; i < r->after.count; i++) {
        const entry *have = &r->after.entries[i];
        const ww_match find = {have->key, info->kind == WW_TABLE_TERNARY ? have->mask : NULL, 0, have->priority};
        uint8_t data[DATA_BYTES] = {0};
        uint32_t number;
        CHECK(ww_table_find(r->table, &find, data, &number) == WW_OK);
        CHECK(memcmp(data, have->data, DATA_BYTES) == 0 && number == have->number);
    }
}

static void test(const ww_table_info *info, uint32_t keys, uint32_t operations)
{
    run *r = calloc(1, sizeof *r);
    uint8_t data[DATA_BYTES];

    r->info = info;
    hardware_make(&r->hardware, info);
    const ww_bus bus = hardware_bus(&r->hardware);
    CHECK(ww_table_open(&r->table, info, &bus) == WW_OK);
    CHECK(ww_table_describe(r->table) == info);
    r->key_count = keys;
    for (uint32_t k = 0; k < keys; k++)
        random_bits(r->keys[k], KEY_BYTES, info->key_bits);
    if (info->kind == WW_TABLE_DIRECT) {
        for (uint32_t k = 0; k < keys; k++)
            r->keys[k][0] = (uint8_t)k;
    }
    r->hardware.after_row = check_lookups;
    r->hardware.context = r;
    for (uint32_t i = 0; i < operations; i++) {
        if (info->kind == WW_TABLE_TERNARY)
            sample_keys(r);
        operate(r, i);
    }
    memset(&r->after, 0, sizeof r->after);
    CHECK(ww_table_clear(r->table) == WW_OK);
    r->before = r->after;
    check_lookups(r);
    CHECK(ww_table_count(r->table) == 0);
    random_bits(data, DATA_BYTES, info->data_bits);
    CHECK(ww_table_set_default(r->table, data) == WW_OK);
    CHECK(memcmp(r->hardware.memory[WW_DEFAULT_MEMORY], data, (info->data_bits + 7) / 8) == 0);
    printf("%s: %u operations, %u moves, %llu lookups\n", info->name, operations, r->moved,
           (unsigned long long)r->lookups);
    CHECK(r->moved > 0 || (info->kind != WW_TABLE_HASH && info->kind != WW_TABLE_TERNARY));
    ww_table_close(r->table);
    hardware_free(&r->hardware);
    free(r);
}

int main(int argc, char **argv)
{
    /* Bits 3 to 8 and 9 to 13. */
    static const uint8_t range_bits[8] = {0xF8, 0x3F};
    static const uint8_t range_low[8] = {0x08, 0x02};
    const ww_table_info tables[] = {
        {.name = "direct", .window = 5, .kind = WW_TABLE_DIRECT, .entries = 32, .key_bits = 5, .data_bits = 11, .number_bits = 5},
        {.name = "cam", .window = 0, .kind = WW_TABLE_CAM, .entries = 9, .key_bits = 77, .data_bits = 32},
        {.name = "hash", .window = 4095, .kind = WW_TABLE_HASH, .entries = 40, .key_bits = 104, .data_bits = 37, .number_bits = 6, .ways = 3, .buckets = 16, .stash = 4, .seed = 0x1234567890ABCDEF},
        {.name = "hash, small", .window = 1, .kind = WW_TABLE_HASH, .entries = 13, .key_bits = 17, .data_bits = 1, .number_bits = 4, .ways = 2, .buckets = 4, .stash = 5, .seed = 99},
        {.name = "ternary", .window = 2, .kind = WW_TABLE_TERNARY, .entries = 24, .key_bits = 61, .data_bits = 19, .number_bits = 5},
        {.name = "ternary with ranges", .window = 3, .kind = WW_TABLE_TERNARY, .entries = 17, .key_bits = 20, .data_bits = 40, .number_bits = 5, .range_bits = range_bits, .range_low = range_low},
    };
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;

    printf("seed %llu\n", (unsigned long long)seed);
    for (uint32_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        hardware_seed(seed * 1000 + i);
        test(&tables[i], tables[i].kind == WW_TABLE_DIRECT ? 32 : tables[i].kind == WW_TABLE_CAM ? 20 : 60, 1500);
    }
    return 0;
}
