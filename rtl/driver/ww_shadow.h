/*
 * What the driver remembers of a table, shared by its source files. Not part of the
 * interface: users include ww_driver.h.
 *
 * An entry has a number and is in one place, a row of the hardware. While an entry is
 * being moved two places name it; place_of gives the newer one.
 */
#ifndef WW_SHADOW_H
#define WW_SHADOW_H

#include "ww_driver.h"

#define WW_NONE UINT32_MAX

struct ww_table {
    const ww_table_info *info;
    ww_bus bus;
    uint32_t count;      /* entries in the table */
    uint32_t places;     /* rows of the hardware, over all its memories */
    uint32_t numbers;    /* entry numbers are below this */
    uint32_t key_bytes;
    uint32_t data_bytes;
    uint32_t row_bits;
    uint32_t stamp;      /* of the search under way, see seen */
    uint32_t *entry_at;  /* place -> number of the entry there, or WW_NONE */
    uint32_t *place_of;  /* number -> place, or WW_NONE */
    uint32_t *unused;    /* numbers that are free, a stack of numbers - count */
    uint8_t *keys;       /* number -> key */
    uint8_t *masks;      /* number -> mask (ternary) */
    uint8_t *data;       /* number -> data */
    int32_t *priorities; /* number -> priority (ternary) */
    uint32_t *seen;      /* hash: place -> stamp of the search that last came by */
    uint32_t *parent;    /* hash: place -> place whose entry may move here, or WW_NONE */
    uint32_t *queue;     /* hash: places still to be searched from */
    uint8_t *row;        /* a row being put together */
    uint8_t *key;        /* the key of a call in its canonical form */
    uint8_t *lpm;        /* memory of ww_lpm.c */
};

/* Copies `bits` bits to bit position `to` of `target`, which is zero there. */
void ww_bits_copy(uint8_t *target, uint32_t to, const uint8_t *source, uint32_t bits);

/* 1 if `bytes` holds a one at or above bit position `bits` of its last byte. */
int ww_bits_excess(const uint8_t *bytes, uint32_t bits);

/* One bit of a vector. */
static inline uint32_t ww_bit(const uint8_t *bytes, uint32_t bit)
{
    return (bytes[bit / 8] >> (bit % 8)) & 1u;
}

static inline uint8_t *ww_key_of(const ww_table *table, uint32_t number)
{
    return table->keys + (size_t)number * table->key_bytes;
}

static inline uint8_t *ww_mask_of(const ww_table *table, uint32_t number)
{
    return table->masks + (size_t)number * table->key_bytes;
}

static inline uint8_t *ww_data_of(const ww_table *table, uint32_t number)
{
    return table->data + (size_t)number * table->data_bytes;
}

/* ww_row.c: stores the row that the window's staging words hold. */
int ww_row_store(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index);

/* Writes the row of entry `number` to `place` and remembers that it is there. */
int ww_place_entry(ww_table *table, uint32_t place, uint32_t number);

/* Makes `place` empty. */
int ww_place_clear(ww_table *table, uint32_t place);

/* ww_exact.c: number of the entry with table->key, or WW_NONE. */
uint32_t ww_exact_find(const ww_table *table);

/* ww_exact.c: writes entry `number`, whose key and data the shadow holds, to the hardware. */
int ww_exact_insert(ww_table *table, uint32_t number);

/* ww_exact.c: after a deletion, moves entries out of the stash where that has become possible. */
int ww_exact_settle(ww_table *table);

/* ww_ternary.c: puts the canonical key of `match` in table->key, or fails with WW_ERROR_RANGE. */
int ww_ternary_canonical(ww_table *table, const ww_match *match);

/* ww_ternary.c: number of the entry with table->key and the mask and priority of `match`, or WW_NONE. */
uint32_t ww_ternary_find(const ww_table *table, const ww_match *match);

/* ww_ternary.c: writes entry `number`, which the shadow holds, to the hardware. */
int ww_ternary_insert(ww_table *table, uint32_t number);

#endif
