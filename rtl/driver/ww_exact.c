/*
 * Exact-match tables: direct, CAM, and cuckoo hashing.
 *
 * A new entry of a hash table goes to a free bucket of its key if there is one. Otherwise
 * a breadth-first search over "the entry in this bucket could move there" finds the
 * shortest chain of moves to a free bucket. The chain is carried out from its free end:
 * each write copies an entry to a place whose own entry has been copied before, so no entry
 * is ever missing (copy-first cuckoo, as in Zhou, Fan, Lim, Kaminsky, Andersen, CoNEXT
 * 2013). If no chain exists the entry goes to the stash (Kirsch, Mitzenmacher, Wieder,
 * 2009). An entry is refused only if no arrangement of all entries exists.
 */

#include <string.h>

#include "ww_shadow.h"

enum { MIX_BITS = 48, WAYS_MIN = 3, WAYS_MAX = 5, BUCKETS_MIN = 2, STASH = 4, BLOCK_RAM_WORDS = 512 };

/* ---- hash functions: the text is in rtl/table_hash/ww_hash.sv ----------------------- */

/* Word `number` of the SplitMix64 generator (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t hash_word(uint64_t seed, uint64_t number)
{
    uint64_t z = seed + number * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint32_t parity(uint64_t word)
{
    word ^= word >> 32;
    word ^= word >> 16;
    word ^= word >> 8;
    word ^= word >> 4;
    word ^= word >> 2;
    word ^= word >> 1;
    return (uint32_t)(word & 1);
}

static uint64_t rotate_mix(uint64_t mix, unsigned by)
{
    const uint64_t all = ((uint64_t)1 << MIX_BITS) - 1;
    return ((mix >> by) | (mix << (MIX_BITS - by))) & all;
}

/* The 48 bits between the two matrices, after the step that is not linear. */
static uint64_t hash_mix(const uint8_t *key, uint32_t key_bits, uint64_t seed)
{
    const uint64_t all = ((uint64_t)1 << MIX_BITS) - 1;
    uint64_t mix = 0;

    for (uint32_t i = 0; i < key_bits; i++) {
        if (ww_bit(key, i) != 0)
            mix ^= hash_word(seed, 2 * (uint64_t)i + 1) & hash_word(seed, 2 * (uint64_t)i + 2);
    }
    mix &= all;
    return mix ^ (rotate_mix(mix, 11) & ~rotate_mix(mix, 29));
}

static uint32_t mix_bucket(uint64_t mix, uint64_t seed, uint32_t way, uint32_t buckets)
{
    uint32_t bucket = 0;

    for (uint32_t bit = 0; (uint32_t)1 << bit < buckets; bit++)
        bucket |= parity(mix & hash_word(seed, 0x100000 + 32 * (uint64_t)way + bit)) << bit;
    return bucket;
}

uint32_t ww_hash_bucket(const uint8_t *key, uint32_t key_bits, uint64_t seed, uint32_t way,
                        uint32_t buckets)
{
    return mix_bucket(hash_mix(key, key_bits, seed), seed, way, buckets);
}

int ww_hash_geometry(uint32_t entries, uint32_t *ways, uint32_t *buckets, uint32_t *stash)
{
    uint64_t best = UINT64_MAX;

    if (entries < 1 || entries > WW_ENTRIES_MAX)
        return WW_ERROR_RANGE;
    for (uint32_t w = WAYS_MIN; w <= WAYS_MAX; w++) {
        uint64_t b = BUCKETS_MIN;
        while (w * b * 4 < (uint64_t)entries * 5)
            b *= 2;
        /* A block RAM is not smaller for having fewer words. */
        uint64_t cost = w * (b < BLOCK_RAM_WORDS ? BLOCK_RAM_WORDS : b);
        if (cost < best) {
            best = cost;
            *ways = w;
            *buckets = (uint32_t)b;
        }
    }
    *stash = STASH;
    return WW_OK;
}

/* ---- places ------------------------------------------------------------------------ */

/* The places that the ways offer to a key, in order of the ways. */
static void hash_places(const ww_table *table, const uint8_t *key, uint32_t *places)
{
    const ww_table_info *info = table->info;
    const uint64_t mix = hash_mix(key, info->key_bits, info->seed);

    for (uint32_t way = 0; way < info->ways; way++)
        places[way] = way * info->buckets + mix_bucket(mix, info->seed, way, info->buckets);
}

static uint32_t direct_place(const ww_table *table, const uint8_t *key)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < table->key_bytes; i++)
        place |= (uint32_t)key[i] << (8 * i);
    return place;
}

static int holds_key(const ww_table *table, uint32_t place)
{
    const uint32_t number = table->entry_at[place];

    return number != WW_NONE &&
           memcmp(ww_key_of(table, number), table->key, table->key_bytes) == 0;
}

uint32_t ww_exact_find(const ww_table *table)
{
    uint32_t places[8];
    uint32_t place = 0;

    switch (table->info->kind) {
    case WW_TABLE_DIRECT:
        return table->entry_at[direct_place(table, table->key)];
    case WW_TABLE_HASH:
        hash_places(table, table->key, places);
        for (uint32_t way = 0; way < table->info->ways; way++) {
            if (holds_key(table, places[way]))
                return table->entry_at[places[way]];
        }
        place = table->info->ways * table->info->buckets;
        break;
    default:
        break;
    }
    for (; place < table->places; place++) {
        if (holds_key(table, place))
            return table->entry_at[place];
    }
    return WW_NONE;
}

/* ---- insertion --------------------------------------------------------------------- */

/* Carries out the chain of moves that ends at the free place `end` and returns in *room the
 * place at its beginning, whose entry is by now elsewhere too. */
static int move_chain(ww_table *table, uint32_t end, uint32_t *room)
{
    while (table->parent[end] != WW_NONE) {
        const uint32_t from = table->parent[end];
        const int error = ww_place_entry(table, end, table->entry_at[from]);
        if (error != WW_OK)
            return error;
        end = from;
    }
    *room = end;
    return WW_OK;
}

/* Finds a bucket for `key` that is free or can be made so, and makes it so. */
static int make_room(ww_table *table, const uint8_t *key, uint32_t *room)
{
    const uint32_t ways = table->info->ways;
    uint32_t places[8];
    uint32_t head = 0;
    uint32_t tail = 0;
    uint32_t from = WW_NONE;

    table->stamp++;
    if (table->stamp == 0) {
        memset(table->seen, 0, table->places * sizeof *table->seen);
        table->stamp = 1;
    }
    for (;;) {
        hash_places(table, from == WW_NONE ? key : ww_key_of(table, table->entry_at[from]), places);
        for (uint32_t way = 0; way < ways; way++) {
            const uint32_t place = places[way];
            if (table->seen[place] == table->stamp)
                continue;
            table->seen[place] = table->stamp;
            table->parent[place] = from;
            if (table->entry_at[place] == WW_NONE)
                return move_chain(table, place, room);
            table->queue[tail++] = place;
        }
        if (head == tail)
            return WW_ERROR_FULL;
        from = table->queue[head++];
    }
}

static int hash_insert(ww_table *table, uint32_t number)
{
    const uint32_t stash = table->info->ways * table->info->buckets;
    uint32_t room;
    int error = make_room(table, ww_key_of(table, number), &room);

    if (error == WW_OK)
        return ww_place_entry(table, room, number);
    if (error != WW_ERROR_FULL)
        return error;
    for (uint32_t place = stash; place < table->places; place++) {
        if (table->entry_at[place] == WW_NONE)
            return ww_place_entry(table, place, number);
    }
    /* The ways have no room for this key; perhaps they have for one of the stash. */
    for (uint32_t place = stash; place < table->places; place++) {
        error = make_room(table, ww_key_of(table, table->entry_at[place]), &room);
        if (error == WW_OK)
            error = ww_place_entry(table, room, table->entry_at[place]);
        if (error == WW_OK)
            return ww_place_entry(table, place, number);
        if (error != WW_ERROR_FULL)
            return error;
    }
    return WW_ERROR_FULL;
}

int ww_exact_insert(ww_table *table, uint32_t number)
{
    switch (table->info->kind) {
    case WW_TABLE_DIRECT:
        return ww_place_entry(table, number, number);
    case WW_TABLE_HASH:
        return hash_insert(table, number);
    default:
        for (uint32_t place = 0; place < table->places; place++) {
            if (table->entry_at[place] == WW_NONE)
                return ww_place_entry(table, place, number);
        }
        return WW_ERROR_FULL;
    }
}

int ww_exact_settle(ww_table *table)
{
    uint32_t places[8];

    if (table->info->kind != WW_TABLE_HASH)
        return WW_OK;
    for (uint32_t slot = table->info->ways * table->info->buckets; slot < table->places; slot++) {
        const uint32_t number = table->entry_at[slot];
        if (number == WW_NONE)
            continue;
        hash_places(table, ww_key_of(table, number), places);
        for (uint32_t way = 0; way < table->info->ways; way++) {
            if (table->entry_at[places[way]] != WW_NONE)
                continue;
            int error = ww_place_entry(table, places[way], number);
            if (error == WW_OK)
                error = ww_place_clear(table, slot);
            if (error != WW_OK)
                return error;
            break;
        }
    }
    return WW_OK;
}
