/*
 * A hash table of the size that ww_hash_geometry gives holds its number of entries, whatever
 * regularity the keys have. Also what the driver does with wrong arguments, with a bus that
 * fails, and with too little memory.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hardware.h"

enum { KEY_BYTES = HARDWARE_KEY_BYTES, KINDS_OF_KEYS = 8, NARROW = 7 };

static const char *const kinds_of_keys[KINDS_OF_KEYS] = {
    "random", "consecutive", "every 256th", "every third bit", "two fields that count",
    "hosts of subnets", "one, two or three bits set", "steps in a narrow key",
};

static void put(uint8_t *key, uint32_t first, uint32_t bits, uint32_t value)
{
    for (uint32_t i = 0; i < bits; i++)
        key[(first + i) / 8] |= (uint8_t)(((value >> i) & 1) << ((first + i) % 8));
}

/* Key `i` of a kind; all but NARROW need at least 48 bits. All keys of one kind and `salt` differ. */
static void make_key(uint8_t *key, uint32_t key_bits, uint32_t kind, uint32_t i, uint32_t salt)
{
    memset(key, 0, KEY_BYTES);
    switch (kind) {
    case 0:
        for (uint32_t b = 0; b + 24 < key_bits; b++)
            put(key, b, 1, hardware_random(2));
        put(key, key_bits - 24, 24, i);
        break;
    case 1:
        put(key, 0, 32, salt * 77777 + i);
        break;
    case 2:
        put(key, 8 + salt % 8, 24, i);
        break;
    case 3:
        for (uint32_t b = 0; b < 24 && (i >> b) != 0; b++)
            put(key, (3 * b + salt) % key_bits, 1, i >> b);
        break;
    case 4:
        put(key, salt % 5, 16, i % 199);
        put(key, 24 + salt % 5, 16, i / 199);
        break;
    case 5:
        put(key, 0, 8, i % 4 + 1);
        put(key, 16, 24, 0x0A0000 + i / 4);
        break;
    case NARROW:
        put(key, 0, key_bits < 24 ? key_bits : 24, i * (2 * salt + 1) + salt);
        break;
    default: {
        uint32_t left = i;
        for (uint32_t a = 0; a < key_bits; a++) {
            for (uint32_t b = 0; b <= a; b++) {
                for (uint32_t c = 0; c <= b; c++) {
                    if ((b == a) != (c == b) && b != a)
                        continue;
                    if (left-- == 0) {
                        put(key, a, 1, 1);
                        put(key, b, 1, 1);
                        put(key, c, 1, 1);
                        return;
                    }
                }
            }
        }
        break;
    }
    }
}

static void fill(uint32_t entries, uint32_t key_bits, uint32_t kind, uint32_t salt, uint32_t *most_moves,
                 uint32_t *in_stash)
{
    ww_table_info info = {.name = "fill", .kind = WW_TABLE_HASH, .entries = entries, .key_bits = key_bits, .data_bits = 1};
    hardware h;
    ww_table *table;
    uint8_t key[KEY_BYTES];
    const uint8_t data = 1;

    CHECK(ww_hash_geometry(entries, &info.ways, &info.buckets, &info.stash) == WW_OK);
    CHECK(info.ways * info.buckets * 4 >= entries * 5);
    info.seed = 0xA0761D6478BD642F + salt;
    hardware_make(&h, &info);
    const ww_bus bus = hardware_bus(&h);
    CHECK(ww_table_open(&table, &info, &bus) == WW_OK);
    for (uint32_t i = 0; i < entries; i++) {
        const ww_match match = {.key = key};
        const uint64_t before = h.row_writes;
        make_key(key, key_bits, kind, i, salt);
        const int error = ww_table_insert(table, &match, &data, NULL);
        if (error != WW_OK) {
            fprintf(stderr, "%u entries of %u bits, %s, salt %u: entry %u: %s\n", entries, key_bits,
                    kinds_of_keys[kind], salt, i, ww_error_text(error));
            abort();
        }
        const uint32_t writes = (uint32_t)(h.row_writes - before);
        if (writes > *most_moves)
            *most_moves = writes;
    }
    make_key(key, key_bits, kind, entries, salt);
    const ww_match match = {.key = key};
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_FULL);
    for (uint32_t slot = 0; slot < info.stash; slot++) {
        const uint8_t *row = h.memory[info.ways] + (size_t)slot * h.row_bytes;
        *in_stash += (row[(1 + key_bits) / 8] >> ((1 + key_bits) % 8)) & 1;
    }
    ww_table_close(table);
    hardware_free(&h);
}

static void fills(uint32_t salts)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 10, 16, 20, 24, 32, 33, 48, 64, 100, 128, 200, 256, 400, 512, 1000, 1024, 1228, 2048, 4096};
    static const uint32_t widths[] = {13, 16, 48, 104, 288};
    uint32_t tables = 0;
    uint32_t most_moves = 0;
    uint32_t in_stash = 0;

    for (uint32_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (uint32_t w = 0; w < 5; w++) {
            for (uint32_t kind = 0; kind < KINDS_OF_KEYS; kind++) {
                if (widths[w] < 48 && kind != NARROW)
                    continue;
                const uint32_t runs = sizes[s] > 256 ? (salts + 9) / 10 : salts;
                for (uint32_t salt = 0; salt < runs; salt++) {
                    fill(sizes[s], widths[w], kind, salt, &most_moves, &in_stash);
                    tables++;
                }
            }
        }
    }
    printf("%u hash tables filled, at most %u row writes for an entry, %u entries in stashes\n", tables,
           most_moves, in_stash);
}

static void wrong_arguments(void)
{
    const uint8_t range[3] = {0xF0, 0, 0};
    const uint8_t low[3] = {0x10, 0, 0};
    ww_table_info info = {.name = "t", .kind = WW_TABLE_TERNARY, .entries = 2, .key_bits = 20, .data_bits = 3, .range_bits = range, .range_low = low};
    hardware h;
    ww_table *table;
    hardware_make(&h, &info);
    const ww_bus bus = hardware_bus(&h);
    uint8_t key[3] = {0x23, 1, 1};
    uint8_t mask[3] = {0x5F, 0xFF, 0xF};
    uint8_t data = 7;
    ww_match match = {key, mask, 0, 5};

    CHECK(ww_table_open(&table, &info, &bus) == WW_OK);
    key[2] = 0x10; /* bit 20 */
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_RANGE);
    key[2] = 1;
    mask[2] = 0xFF;
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_RANGE);
    mask[2] = 0xF;
    data = 8;
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_RANGE);
    CHECK(ww_table_set_default(table, &data) == WW_ERROR_RANGE);
    data = 7;
    key[0] = 0x63; /* low 6 is above high 5 */
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_RANGE);
    key[0] = 0x23;
    match.mask = NULL;
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_RANGE);
    match.mask = mask;
    match.key = NULL;
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_ERROR_RANGE);
    match.key = key;
    CHECK(h.row_writes == 0);
    CHECK(ww_table_insert(table, &match, &data, NULL) == WW_OK);
    ww_table_close(table);

    CHECK(ww_table_init(&table, key, sizeof key, &info, &bus) == WW_ERROR_MEMORY && table == NULL);
    info.number_bits = 1;
    CHECK(ww_table_memory(&info) != 0);
    info.entries = 3; /* needs two bits */
    CHECK(ww_table_memory(&info) == 0);
    CHECK(ww_table_open(&table, &info, &bus) == WW_ERROR_INFO);
    const ww_table_info wrong[] = {
        {.kind = 9, .entries = 1, .key_bits = 1, .data_bits = 1},
        {.kind = WW_TABLE_CAM, .entries = 0, .key_bits = 1, .data_bits = 1},
        {.kind = WW_TABLE_CAM, .entries = 1, .key_bits = 0, .data_bits = 1},
        {.kind = WW_TABLE_CAM, .entries = 1, .key_bits = 1, .data_bits = 0},
        {.kind = WW_TABLE_CAM, .entries = 1, .key_bits = 1, .data_bits = UINT32_MAX},
        {.kind = WW_TABLE_CAM, .entries = 1, .key_bits = UINT32_MAX, .data_bits = 1},
        {.kind = WW_TABLE_CAM, .window = 4096, .entries = 1, .key_bits = 1, .data_bits = 1},
        {.kind = WW_TABLE_DIRECT, .entries = 3, .key_bits = 1, .data_bits = 1},
        {.kind = WW_TABLE_HASH, .entries = 1, .key_bits = 1, .data_bits = 1, .ways = 2, .buckets = 3, .stash = 1},
        {.kind = WW_TABLE_HASH, .entries = 6, .key_bits = 9, .data_bits = 1, .ways = 2, .buckets = 2, .stash = 1},
    };
    for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(ww_table_memory(&wrong[i]) == 0);
    uint32_t numbers[3];
    CHECK(ww_hash_geometry(0, &numbers[0], &numbers[1], &numbers[2]) == WW_ERROR_RANGE);
    CHECK(ww_row_write(&bus, 0, 16, 0, &data, 8) == WW_ERROR_RANGE);
    CHECK(ww_row_write(&bus, 0, 0, 1u << 28, &data, 8) == WW_ERROR_RANGE);
    CHECK(ww_row_write(&bus, 0, 0, 0, &data, 0) == WW_ERROR_RANGE);
    for (int error = -8; error <= 0; error++)
        CHECK(ww_error_text(error) != NULL);
    hardware_free(&h);
}

/* A bus that fails at the n-th word, for each n: the error is reported, and after a clear
 * the table is empty and works. */
static void failing_bus(void)
{
    const ww_table_info info = {.name = "t", .kind = WW_TABLE_HASH, .entries = 9, .key_bits = 16, .data_bits = 8, .ways = 2, .buckets = 4, .stash = 2, .seed = 3};
    uint32_t failures = 0;

    for (uint64_t at = 1; at < 60; at++) {
        hardware h;
        ww_table *table;
        uint8_t key[2] = {0, 0};
        uint8_t data[HARDWARE_DATA_BYTES];
        const ww_match match = {.key = key};
        hardware_make(&h, &info);
        const ww_bus bus = hardware_bus(&h);
        CHECK(ww_table_open(&table, &info, &bus) == WW_OK);
        h.fail_at = at;
        int error = WW_OK;
        for (key[0] = 1; error == WW_OK && key[0] < 9; key[0]++)
            error = ww_table_insert(table, &match, key, NULL);
        failures += error == WW_ERROR_BUS;
        CHECK(error == WW_OK || error == WW_ERROR_BUS || error == WW_ERROR_FULL);
        h.fail_at = 0;
        CHECK(ww_table_clear(table) == WW_OK && ww_table_count(table) == 0);
        for (key[0] = 1; key[0] < 9; key[0]++)
            CHECK(!hardware_lookup(&h, key, data));
        key[0] = 1;
        CHECK(ww_table_insert(table, &match, key, NULL) == WW_OK && hardware_lookup(&h, key, data));
        uint8_t row[4];
        CHECK(ww_row_read(&bus, 0, 2, 0, row, 25) == WW_OK);
        ww_table_close(table);
        hardware_free(&h);
    }
    CHECK(failures > 10);
}

int main(int argc, char **argv)
{
    hardware_seed(7);
    wrong_arguments();
    failing_bus();
    fills(argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 10);
    return 0;
}
