/* Tables: description, shadow, and the operations that are alike for all kinds. */

#include "ww_driver.h"

#include <string.h>

#include "ww_shadow.h"

#ifndef WW_NO_MALLOC
#include <stdlib.h>
#endif

enum { ALIGNMENT = 16, DIRECT_KEY_BITS_MAX = 24, ROW_BITS_MAX = 768 * 32 };

/* ---- description and memory ---------------------------------------------------------- */

static uint32_t hardware_data_bits(const ww_table_info *info)
{
    return info->data_bits + info->number_bits;
}

static int hash_is_valid(const ww_table_info *info)
{
    return info->ways >= 2 && info->ways <= 8 && info->stash >= 1 && info->stash <= 16 &&
           info->buckets >= 2 && info->buckets <= (1u << 24) &&
           (info->buckets & (info->buckets - 1)) == 0 &&
           info->entries <= info->ways * info->buckets + info->stash;
}

/* 1 if the description makes sense; fills in what follows from it. */
static int measure(ww_table *table, const ww_table_info *info)
{
    const int ternary = info->kind == WW_TABLE_TERNARY;

    memset(table, 0, sizeof *table);
    if (info->window >= 4096 || info->reserved != 0 || info->entries < 1 || info->entries > WW_ENTRIES_MAX ||
        info->key_bits < 1 || info->key_bits > WW_KEY_BITS_MAX ||
        info->data_bits > WW_DATA_BITS_MAX || info->number_bits > 32 ||
        hardware_data_bits(info) < 1 || info->action_bits > info->data_bits)
        return 0;
    table->info = info;
    table->key_bytes = (info->key_bits + 7) / 8;
    table->data_bytes = (info->data_bits + 7) / 8;
    table->row_bits = 1 + info->key_bits * (ternary ? 2 : 1) + hardware_data_bits(info);
    table->numbers = info->entries;
    table->places = info->entries;
    switch (info->kind) {
    case WW_TABLE_DIRECT:
        if (info->key_bits > DIRECT_KEY_BITS_MAX || info->entries > (uint32_t)1 << info->key_bits)
            return 0;
        table->row_bits = 1 + hardware_data_bits(info);
        table->numbers = (uint32_t)1 << info->key_bits;
        table->places = table->numbers;
        break;
    case WW_TABLE_HASH:
        if (!hash_is_valid(info))
            return 0;
        table->places = info->ways * info->buckets + info->stash;
        break;
    case WW_TABLE_CAM:
    case WW_TABLE_TERNARY:
        break;
    case WW_TABLE_LPM:
        return 1;
    default:
        return 0;
    }
    return table->row_bits <= ROW_BITS_MAX &&
           (info->number_bits == 0 || info->number_bits == 32 ||
            table->numbers <= (uint32_t)1 << info->number_bits);
}

/* Gives out `size` bytes of `memory` from *used on; with memory NULL only counts. */
static void *carve(uint8_t *memory, size_t *used, size_t size)
{
    void *part = memory == NULL ? NULL : memory + *used;

    *used += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return part;
}

/* Lays the arrays of a measured table out and returns the bytes in all. */
static size_t lay_out(ww_table *table, uint8_t *memory)
{
    const ww_table_info *info = table->info;
    const size_t numbers = table->numbers;
    const size_t places = table->places;
    size_t used = 0;

    carve(memory, &used, sizeof *table);
    if (info->kind == WW_TABLE_LPM) {
        const size_t size = ww_lpm_memory(info);
        table->lpm = carve(memory, &used, size);
        return size == 0 ? 0 : used;
    }
    table->entry_at = carve(memory, &used, places * sizeof(uint32_t));
    table->place_of = carve(memory, &used, numbers * sizeof(uint32_t));
    table->unused = carve(memory, &used, numbers * sizeof(uint32_t));
    table->keys = carve(memory, &used, numbers * table->key_bytes);
    table->data = carve(memory, &used, numbers * table->data_bytes);
    table->row = carve(memory, &used, (table->row_bits + 7) / 8 + 1);
    table->key = carve(memory, &used, table->key_bytes);
    if (info->kind == WW_TABLE_TERNARY) {
        table->masks = carve(memory, &used, numbers * table->key_bytes);
        table->priorities = carve(memory, &used, numbers * sizeof(int32_t));
    }
    if (info->kind == WW_TABLE_HASH) {
        table->seen = carve(memory, &used, places * sizeof(uint32_t));
        table->parent = carve(memory, &used, places * sizeof(uint32_t));
        table->queue = carve(memory, &used, places * sizeof(uint32_t));
    }
    return used;
}

size_t ww_table_memory(const ww_table_info *info)
{
    ww_table table;

    return measure(&table, info) ? lay_out(&table, NULL) : 0;
}

/* Empties the shadow. */
static void forget(ww_table *table)
{
    for (uint32_t place = 0; place < table->places; place++)
        table->entry_at[place] = WW_NONE;
    for (uint32_t number = 0; number < table->numbers; number++) {
        table->place_of[number] = WW_NONE;
        table->unused[number] = table->numbers - 1 - number;
    }
    table->count = 0;
}

int ww_table_init(ww_table **table, void *memory, size_t size, const ww_table_info *info,
                  const ww_bus *bus)
{
    const size_t needed = ww_table_memory(info);
    ww_table *made = memory;

    *table = NULL;
    if (needed == 0)
        return WW_ERROR_INFO;
    if (memory == NULL || size < needed)
        return WW_ERROR_MEMORY;
    measure(made, info);
    lay_out(made, memory);
    made->bus = *bus;
    if (info->kind == WW_TABLE_LPM) {
        const int error = ww_lpm_open(made->lpm, info, bus);
        if (error != WW_OK)
            return error;
    } else {
        forget(made);
        if (info->kind == WW_TABLE_HASH)
            memset(made->seen, 0, made->places * sizeof *made->seen);
    }
    *table = made;
    return WW_OK;
}

#ifndef WW_NO_MALLOC
int ww_table_open(ww_table **table, const ww_table_info *info, const ww_bus *bus)
{
    const size_t size = ww_table_memory(info);
    void *memory;

    *table = NULL;
    if (size == 0)
        return WW_ERROR_INFO;
    memory = malloc(size);
    if (memory == NULL)
        return WW_ERROR_MEMORY;
    const int error = ww_table_init(table, memory, size, info, bus);
    if (error != WW_OK)
        free(memory);
    return error;
}

void ww_table_close(ww_table *table)
{
    free(table);
}
#endif

/* ---- rows ---------------------------------------------------------------------------- */

/* The memory that a place is in; *row becomes its row there. */
static uint32_t memory_of(const ww_table *table, uint32_t place, uint32_t *row)
{
    uint32_t memory = 0;

    if (table->info->kind == WW_TABLE_HASH) {
        const uint32_t in_ways = table->info->ways * table->info->buckets;
        memory = place < in_ways ? place / table->info->buckets : table->info->ways;
        place -= memory * table->info->buckets;
    }
    *row = place;
    return memory;
}

static int write_place(ww_table *table, uint32_t place)
{
    uint32_t row;
    const uint32_t memory = memory_of(table, place, &row);

    return ww_row_write(&table->bus, table->info->window, memory, row, table->row,
                        table->row_bits);
}

int ww_place_entry(ww_table *table, uint32_t place, uint32_t number)
{
    const ww_table_info *info = table->info;
    const uint8_t number_bytes[4] = {(uint8_t)number, (uint8_t)(number >> 8),
                                     (uint8_t)(number >> 16), (uint8_t)(number >> 24)};
    const uint8_t one = 1;
    uint32_t at = hardware_data_bits(info);

    memset(table->row, 0, (table->row_bits + 7) / 8 + 1);
    ww_bits_copy(table->row, 0, ww_data_of(table, number), info->data_bits);
    ww_bits_copy(table->row, info->data_bits, number_bytes, info->number_bits);
    if (info->kind != WW_TABLE_DIRECT) {
        ww_bits_copy(table->row, at, ww_key_of(table, number), info->key_bits);
        at += info->key_bits;
    }
    if (info->kind == WW_TABLE_TERNARY) {
        ww_bits_copy(table->row, at, ww_mask_of(table, number), info->key_bits);
        at += info->key_bits;
    }
    ww_bits_copy(table->row, at, &one, 1);
    const int error = write_place(table, place);
    if (error == WW_OK) {
        table->entry_at[place] = number;
        table->place_of[number] = place;
    }
    return error;
}

int ww_place_clear(ww_table *table, uint32_t place)
{
    memset(table->row, 0, (table->row_bits + 7) / 8 + 1);
    const int error = write_place(table, place);
    if (error == WW_OK)
        table->entry_at[place] = WW_NONE;
    return error;
}

/* ---- operations ------------------------------------------------------------------------ */

/* Checks `match`, puts its key into table->key and looks for the entry. */
static int look_for(ww_table *table, const ww_match *match, uint32_t *number)
{
    if (match->key == NULL || ww_bits_excess(match->key, table->info->key_bits))
        return WW_ERROR_RANGE;
    if (table->info->kind == WW_TABLE_TERNARY) {
        const int error = ww_ternary_canonical(table, match);
        if (error != WW_OK)
            return error;
        *number = ww_ternary_find(table, match);
    } else {
        memcpy(table->key, match->key, table->key_bytes);
        *number = ww_exact_find(table);
    }
    return *number == WW_NONE ? WW_ERROR_NOT_FOUND : WW_OK;
}

static int data_is_legal(const ww_table *table, const uint8_t *data)
{
    return table->info->data_bits == 0 ||
           (data != NULL && !ww_bits_excess(data, table->info->data_bits));
}

/* memcpy that allows NULL for nothing. */
static void copy_data(uint8_t *target, const uint8_t *source, size_t bytes)
{
    if (bytes != 0)
        memcpy(target, source, bytes);
}

int ww_table_insert(ww_table *table, const ww_match *match, const uint8_t *data, uint32_t *number)
{
    const ww_table_info *info = table->info;
    uint32_t found;
    uint32_t made;
    int error;

    if (info->kind == WW_TABLE_LPM)
        return ww_lpm_insert(table->lpm, match->key, match->prefix_length, data, number);
    error = look_for(table, match, &found);
    if (error == WW_OK)
        return WW_ERROR_EXISTS;
    if (error != WW_ERROR_NOT_FOUND)
        return error;
    if (!data_is_legal(table, data))
        return WW_ERROR_RANGE;
    if (table->count == info->entries)
        return WW_ERROR_FULL;
    made = table->unused[table->numbers - table->count - 1];
    if (info->kind == WW_TABLE_DIRECT) {
        made = 0;
        for (uint32_t i = 0; i < table->key_bytes; i++)
            made |= (uint32_t)table->key[i] << (8 * i);
    }
    memcpy(ww_key_of(table, made), table->key, table->key_bytes);
    copy_data(ww_data_of(table, made), data, table->data_bytes);
    if (info->kind == WW_TABLE_TERNARY) {
        memcpy(ww_mask_of(table, made), match->mask, table->key_bytes);
        table->priorities[made] = match->priority;
        error = ww_ternary_insert(table, made);
    } else {
        error = ww_exact_insert(table, made);
    }
    if (error != WW_OK)
        return error;
    table->count++;
    if (number != NULL)
        *number = made;
    return WW_OK;
}

int ww_table_modify(ww_table *table, const ww_match *match, const uint8_t *data)
{
    uint32_t number;

    if (table->info->kind == WW_TABLE_LPM)
        return ww_lpm_modify(table->lpm, match->key, match->prefix_length, data);
    const int error = look_for(table, match, &number);
    if (error != WW_OK)
        return error;
    if (!data_is_legal(table, data))
        return WW_ERROR_RANGE;
    copy_data(ww_data_of(table, number), data, table->data_bytes);
    return ww_place_entry(table, table->place_of[number], number);
}

int ww_table_delete(ww_table *table, const ww_match *match)
{
    uint32_t number;
    int error;

    if (table->info->kind == WW_TABLE_LPM)
        return ww_lpm_delete(table->lpm, match->key, match->prefix_length);
    error = look_for(table, match, &number);
    if (error != WW_OK)
        return error;
    error = ww_place_clear(table, table->place_of[number]);
    if (error != WW_OK)
        return error;
    table->place_of[number] = WW_NONE;
    table->count--;
    table->unused[table->numbers - table->count - 1] = number;
    return ww_exact_settle(table);
}

int ww_table_find(ww_table *table, const ww_match *match, uint8_t *data, uint32_t *number)
{
    uint32_t found;

    if (table->info->kind == WW_TABLE_LPM)
        return ww_lpm_find(table->lpm, match->key, match->prefix_length, data, number);
    const int error = look_for(table, match, &found);
    if (error != WW_OK)
        return error;
    if (data != NULL)
        copy_data(data, ww_data_of(table, found), table->data_bytes);
    if (number != NULL)
        *number = found;
    return WW_OK;
}

int ww_table_clear(ww_table *table)
{
    if (table->info->kind == WW_TABLE_LPM)
        return ww_lpm_clear(table->lpm);
    /* From the last place to the first: a ternary table loses the entries that win last. */
    uint32_t place = table->places - 1;
    int error = ww_place_clear(table, place);
    while (place-- > 0 && error == WW_OK) {
        uint32_t row;
        const uint32_t memory = memory_of(table, place, &row);
        /* The empty row is staged already. */
        error = ww_row_store(&table->bus, table->info->window, memory, row);
    }
    if (error == WW_OK)
        forget(table);
    return error;
}

int ww_table_set_default(ww_table *table, const uint8_t *data)
{
    const ww_table_info *info = table->info;

    if (!data_is_legal(table, data))
        return WW_ERROR_RANGE;
    if (info->data_bits == 0)
        return WW_OK;
    return ww_row_write(&table->bus, info->window, WW_DEFAULT_MEMORY, 0, data, info->data_bits);
}

uint32_t ww_table_count(const ww_table *table)
{
    return table->info->kind == WW_TABLE_LPM ? ww_lpm_count(table->lpm) : table->count;
}

const ww_table_info *ww_table_describe(const ww_table *table)
{
    return table->info;
}
