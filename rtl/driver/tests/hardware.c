#include "hardware.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

void hardware_check(int truth, const char *text, const char *file, int line)
{
    if (!truth) {
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
        abort();
    }
}

void hardware_seed(uint64_t seed)
{
    random_state = seed | 1;
}

uint32_t hardware_random(uint32_t below)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545F4914F6CDD1Du) >> 32) % below;
}

static uint32_t bit(const uint8_t *bytes, uint32_t at)
{
    return (bytes[at / 8] >> (at % 8)) & 1u;
}

static uint32_t data_bits(const ww_table_info *info)
{
    return info->data_bits + info->number_bits;
}

static uint32_t row_bits(const ww_table_info *info)
{
    switch (info->kind) {
    case WW_TABLE_DIRECT:
        return 1 + data_bits(info);
    case WW_TABLE_TERNARY:
        return 1 + 2 * info->key_bits + data_bits(info);
    default:
        return 1 + info->key_bits + data_bits(info);
    }
}

static uint32_t rows_of(const ww_table_info *info, uint32_t memory)
{
    switch (info->kind) {
    case WW_TABLE_DIRECT:
        return memory == 0 ? 1u << info->key_bits : 0;
    case WW_TABLE_HASH:
        return memory < info->ways ? info->buckets : memory == info->ways ? info->stash : 0;
    default:
        return memory == 0 ? info->entries : 0;
    }
}

void hardware_make(hardware *h, const ww_table_info *info)
{
    memset(h, 0, sizeof *h);
    h->info = info;
    h->row_bytes = (row_bits(info) + 7) / 8;
    for (uint32_t m = 0; m < HARDWARE_MEMORIES; m++) {
        const uint32_t rows = m == WW_DEFAULT_MEMORY ? 1 : rows_of(info, m);
        h->memory[m] = calloc(rows != 0 ? rows : 1, h->row_bytes);
    }
}

void hardware_free(hardware *h)
{
    for (uint32_t m = 0; m < HARDWARE_MEMORIES; m++)
        free(h->memory[m]);
}

static int fails(hardware *h)
{
    h->words++;
    return h->fail_at != 0 && h->words >= h->fail_at;
}

static int write_word(void *context, uint32_t address, uint32_t word)
{
    hardware *h = context;
    const uint32_t offset = address & 0xFFF;

    CHECK(address >> 12 == h->info->window);
    if (fails(h))
        return 1;
    if (offset >= WW_WINDOW_STAGING) {
        for (uint32_t i = 0; i < 4; i++)
            h->staging[offset - WW_WINDOW_STAGING + i] = (uint8_t)(word >> (8 * i));
        return 0;
    }
    const uint32_t memory = word >> 28;
    const uint32_t index = word & 0xFFFFFFF;
    CHECK(offset == WW_WINDOW_WRITE || offset == WW_WINDOW_READ);
    CHECK(index < (memory == WW_DEFAULT_MEMORY ? 1 : rows_of(h->info, memory)));
    uint8_t *row = h->memory[memory] + (size_t)index * h->row_bytes;
    if (offset == WW_WINDOW_READ) {
        memcpy(h->staging, row, h->row_bytes);
        return 0;
    }
    memcpy(row, h->staging, h->row_bytes);
    h->row_writes++;
    if (h->after_row != NULL)
        h->after_row(h->context);
    return 0;
}

static int read_word(void *context, uint32_t address, uint32_t *word)
{
    hardware *h = context;
    const uint32_t offset = address & 0xFFF;

    CHECK(address >> 12 == h->info->window && offset >= WW_WINDOW_STAGING);
    if (fails(h))
        return 1;
    *word = 0;
    for (uint32_t i = 0; i < 4; i++)
        *word |= (uint32_t)h->staging[offset - WW_WINDOW_STAGING + i] << (8 * i);
    return 0;
}

ww_bus hardware_bus(hardware *h)
{
    const ww_bus bus = {h, write_word, read_word};
    return bus;
}

/* Takes the data of `row`; a second row must have the same. */
static void take(const hardware *h, const uint8_t *row, uint8_t *data, int *found)
{
    uint8_t these[HARDWARE_DATA_BYTES] = {0};
    const uint32_t bits = data_bits(h->info);

    for (uint32_t i = 0; i < bits; i++)
        these[i / 8] |= (uint8_t)(bit(row, i) << (i % 8));
    CHECK(!*found || memcmp(these, data, sizeof these) == 0);
    memcpy(data, these, sizeof these);
    *found = 1;
}

static int same_key(const hardware *h, const uint8_t *row, const uint8_t *key)
{
    const uint32_t at = data_bits(h->info);

    if (!bit(row, at + h->info->key_bits))
        return 0;
    for (uint32_t i = 0; i < h->info->key_bits; i++) {
        if (bit(row, at + i) != bit(key, i))
            return 0;
    }
    return 1;
}

/* Does a ternary row match? Range fields are compared from their highest bit down. */
static int ternary_match(const hardware *h, const uint8_t *row, const uint8_t *key)
{
    const ww_table_info *info = h->info;
    const uint32_t at = data_bits(info);
    int above_low = 0;
    int below_high = 0;

    if (!bit(row, at + 2 * info->key_bits))
        return 0;
    for (uint32_t i = info->key_bits; i-- > 0;) {
        const uint32_t value = bit(row, at + i);
        const uint32_t mask = bit(row, at + info->key_bits + i);
        const uint32_t have = bit(key, i);
        if (info->range_bits == NULL || !bit(info->range_bits, i)) {
            above_low = below_high = 0;
            if (mask && value != have)
                return 0;
            continue;
        }
        if ((!above_low && have < value) || (!below_high && have > mask))
            return 0;
        above_low = above_low || have > value;
        below_high = below_high || have < mask;
        if (bit(info->range_low, i))
            above_low = below_high = 0;
    }
    return 1;
}

int hardware_lookup(const hardware *h, const uint8_t *key, uint8_t *data)
{
    const ww_table_info *info = h->info;
    int found = 0;

    memset(data, 0, HARDWARE_DATA_BYTES);
    if (info->kind == WW_TABLE_DIRECT) {
        uint32_t index = 0;
        for (uint32_t i = 0; i < info->key_bits; i++)
            index |= bit(key, i) << i;
        const uint8_t *row = h->memory[0] + (size_t)index * h->row_bytes;
        if (bit(row, data_bits(info)))
            take(h, row, data, &found);
        return found;
    }
    if (info->kind == WW_TABLE_HASH) {
        for (uint32_t way = 0; way < info->ways; way++) {
            const uint32_t bucket = ww_hash_bucket(key, info->key_bits, info->seed, way, info->buckets);
            const uint8_t *row = h->memory[way] + (size_t)bucket * h->row_bytes;
            if (same_key(h, row, key))
                take(h, row, data, &found);
        }
    }
    const uint32_t memory = info->kind == WW_TABLE_HASH ? info->ways : 0;
    for (uint32_t i = 0; i < rows_of(info, memory); i++) {
        const uint8_t *row = h->memory[memory] + (size_t)i * h->row_bytes;
        if (info->kind == WW_TABLE_TERNARY && ternary_match(h, row, key)) {
            take(h, row, data, &found);
            return 1;
        }
        if (info->kind != WW_TABLE_TERNARY && same_key(h, row, key))
            take(h, row, data, &found);
    }
    return found;
}
