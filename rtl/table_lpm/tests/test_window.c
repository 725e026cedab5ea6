/* The table through ww_table_* and a window on the control bus, as software uses it; argument: seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "routes.h"

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

enum { WINDOW = 0x123, ENTRIES = 50 };

typedef struct window {
    image hardware;
    uint32_t staging[16];
} window;

static int write_word(void *context, uint32_t address, uint32_t word) {
    window *w = context;
    CHECK(address >> 12 == WINDOW);
    const uint32_t offset = address & 0xFFF;
    if (offset != WW_WINDOW_WRITE) {
        CHECK(offset >= WW_WINDOW_STAGING && offset < WW_WINDOW_STAGING + sizeof w->staging);
        w->staging[(offset - WW_WINDOW_STAGING) / 4] = word;
        return 0;
    }
    uint8_t row[sizeof w->staging];
    for (uint32_t i = 0; i < sizeof row; i++) row[i] = (uint8_t)(w->staging[i / 4] >> i % 4 * 8);
    return image_write(&w->hardware, word >> 28, word & 0xFFFFFFF, row, 0);
}

static int read_word(void *context, uint32_t address, uint32_t *word) {
    (void)context;
    (void)address;
    *word = 0;
    return 1;
}

int main(int argc, char **argv) {
    randomness random = {2 * (argc > 1 ? strtoull(argv[1], NULL, 0) : 1) + 1};
    window w;
    memset(&w, 0, sizeof w);
    /* 20 bits of data and 6 of the entry's number. */
    image_open(&w.hardware, 128, 26, ENTRIES);
    const ww_bus bus = {&w, write_word, read_word};
    const ww_table_info info = {.name = "lpm", .window = WINDOW, .kind = WW_TABLE_LPM, .entries = ENTRIES,
                                .key_bits = 128, .data_bits = 20, .number_bits = 6};
    ww_table *table;
    CHECK(ww_table_open(&table, &info, &bus) == WW_OK);
    route prefixes[ENTRIES];
    uint8_t key[16];
    uint32_t numbers[ENTRIES];
    for (uint32_t i = 0; i < ENTRIES; i++) {
        /* None contains another: their first 6 bits differ. */
        prefixes[i] = (route){(uint64_t)i << 58 | draw(&random) >> 6, draw(&random), 6 + below(&random, 123)};
        clip(&prefixes[i]);
        key_bytes(&prefixes[i], 128, key);
        const uint8_t data[3] = {(uint8_t)i, 0xA5, 0x0F};
        const ww_match match = {.key = key, .prefix_length = prefixes[i].length};
        CHECK(ww_table_insert(table, &match, data, &numbers[i]) == WW_OK);
    }
    const uint8_t next[3] = {0};
    prefixes[0].length = 5;
    clip(&prefixes[0]);
    key_bytes(&prefixes[0], 128, key);
    const ww_match another = {.key = key, .prefix_length = 5};
    CHECK(ww_table_insert(table, &another, next, NULL) == WW_ERROR_FULL);
    CHECK(ww_table_count(table) == ENTRIES);
    for (uint32_t i = 1; i < ENTRIES; i++) {
        key_bytes(&prefixes[i], 128, key);
        const answer got = image_lookup(&w.hardware, key);
        CHECK(got.hit && got.index == numbers[i]);
        CHECK(got.data == ((uint64_t)numbers[i] << 20 | 0xFA500u | i));
    }
    CHECK(ww_table_clear(table) == WW_OK && ww_table_count(table) == 0);
    for (uint32_t i = 1; i < ENTRIES; i++) {
        key_bytes(&prefixes[i], 128, key);
        CHECK(!image_lookup(&w.hardware, key).hit);
    }
    ww_table_close(table);
    image_close(&w.hardware);
    return 0;
}
