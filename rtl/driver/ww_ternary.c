/*
 * Ternary and range tables: the slots are kept in order of priority, the highest first.
 *
 * A new entry goes between the last slot of its priority or a higher one and the first of
 * a lower one. If there is no free slot between them, the entries up to the nearest free slot are
 * moved by one, beginning at the free end: each write copies an entry next to itself, so
 * that for a moment two neighbours are equal, which no lookup can tell. The last write puts
 * the new entry over the copy that is left.
 */

#include <string.h>

#include "ww_shadow.h"

static int is_range_bit(const ww_table_info *info, uint32_t bit)
{
    return info->range_bits != NULL && ww_bit(info->range_bits, bit) != 0;
}

static int starts_range(const ww_table_info *info, uint32_t bit)
{
    return info->range_low != NULL && ww_bit(info->range_low, bit) != 0;
}

int ww_ternary_canonical(ww_table *table, const ww_match *match)
{
    const ww_table_info *info = table->info;

    if (match->mask == NULL || ww_bits_excess(match->mask, info->key_bits))
        return WW_ERROR_RANGE;
    memcpy(table->key, match->key, table->key_bytes);
    for (uint32_t bit = 0; bit < info->key_bits; bit++) {
        if (!is_range_bit(info, bit)) {
            /* A bit that does not count is stored as zero: one form for each set of keys. */
            if (ww_bit(match->mask, bit) == 0)
                table->key[bit / 8] &= (uint8_t) ~(1u << (bit % 8));
            continue;
        }
        /* From the lowest bit of a field up: the last bit in which low and high differ decides. */
        uint32_t last = bit;
        int low_is_above = 0;
        for (uint32_t i = bit; i < info->key_bits && is_range_bit(info, i); i++) {
            if (i > bit && starts_range(info, i))
                break;
            if (ww_bit(match->key, i) != ww_bit(match->mask, i))
                low_is_above = ww_bit(match->key, i) != 0;
            last = i;
        }
        if (low_is_above)
            return WW_ERROR_RANGE;
        bit = last;
    }
    return WW_OK;
}

uint32_t ww_ternary_find(const ww_table *table, const ww_match *match)
{
    for (uint32_t place = 0; place < table->places; place++) {
        const uint32_t number = table->entry_at[place];
        if (number != WW_NONE && table->priorities[number] == match->priority &&
            memcmp(ww_key_of(table, number), table->key, table->key_bytes) == 0 &&
            memcmp(ww_mask_of(table, number), match->mask, table->key_bytes) == 0)
            return number;
    }
    return WW_NONE;
}

/* Moves the entries between the free slot `hole` and slot `until` by one towards the hole;
 * afterwards `until` holds a copy of its neighbour. */
static int shift(ww_table *table, uint32_t hole, uint32_t until)
{
    while (hole != until) {
        const uint32_t from = hole > until ? hole - 1 : hole + 1;
        const int error = ww_place_entry(table, hole, table->entry_at[from]);
        if (error != WW_OK)
            return error;
        hole = from;
    }
    return WW_OK;
}

int ww_ternary_insert(ww_table *table, uint32_t number)
{
    const uint32_t places = table->places;
    uint32_t above = WW_NONE; /* the last slot that must win against the new entry */
    uint32_t below = WW_NONE; /* the first slot that the new entry must win against */
    uint32_t up = WW_NONE;    /* the last free slot before `below` */
    uint32_t down = WW_NONE;  /* the first free slot after `above` */
    int error;

    for (uint32_t place = 0; place < places; place++) {
        const uint32_t other = table->entry_at[place];
        if (other == WW_NONE) {
            if (below == WW_NONE)
                up = place;
            if (down == WW_NONE)
                down = place;
        } else if (table->priorities[other] >= table->priorities[number]) {
            above = place;
            down = WW_NONE;
        } else if (below == WW_NONE) {
            below = place;
        }
    }
    const uint32_t first = above == WW_NONE ? 0 : above + 1;
    const uint32_t end = below == WW_NONE ? places : below;

    if (first < end) {
        /* Entries mostly come in order of priority: no gap at the end, one half on either side
         * between two others, and next to the entry below at the beginning. */
        uint32_t place = first;
        if (below != WW_NONE)
            place = above == WW_NONE ? end - 1 : first + (end - first) / 2;
        return ww_place_entry(table, place, number);
    }
    if (down != WW_NONE && (up == WW_NONE || down - first <= first - up)) {
        error = shift(table, down, first);
        return error != WW_OK ? error : ww_place_entry(table, first, number);
    }
    if (up != WW_NONE) {
        error = shift(table, up, first - 1);
        return error != WW_OK ? error : ww_place_entry(table, first - 1, number);
    }
    return WW_ERROR_FULL;
}
