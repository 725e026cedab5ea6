/* Strides and memory sizes of ww_table_lpm: see ww_lpm.h. */
#include "ww_lpm.h"

#include <string.h>

#include "ww_driver.h"

/* Nodes that a thousand routes need at a depth, measured with the reference tables of
 * rtl/table_lpm/tests (100,000 routes, the largest figure of four seeds, rounded up). */
typedef struct profile {
    uint8_t stride;
    uint16_t nodes_per_thousand;
} profile;

enum { IPV4_ROOT_BITS = 9, IPV6_ROOT_BITS = 11 };

static const profile ipv4_profile[] = {
    {4, 1000}, {4, 52}, {4, 127}, {4, 270}, {4, 12}, {4, 12},
};

static const profile ipv6_profile[] = {
    {6, 1000}, {6, 2}, {6, 42}, {4, 66}, {5, 108}, {5, 235}, {6, 300}, {5, 14}, {5, 14}, {6, 15}, {6, 5},
    {6, 5},    {6, 5}, {6, 5},  {6, 5},  {6, 5},   {6, 5},    {6, 5},    {6, 5},  {5, 5},  {5, 6},
};

static uint32_t bits_for(uint32_t count) {
    uint32_t bits = 1;
    while (((uint64_t)1 << bits) < count) bits++;
    return bits;
}

/* Root bits and strides of a table without a profile. root_bits + strides = key_bits + 1: the
 * last level also holds the prefixes of full length. */
static void choose_strides(uint32_t key_bits, ww_lpm_geometry_info *geometry) {
    const uint32_t direct = 9, stride = 4, end = key_bits + 1;
    uint32_t levels = end > direct ? (end - direct + stride - 1) / stride : 1;
    if (levels > WW_LPM_LEVELS_MAX) levels = WW_LPM_LEVELS_MAX;
    geometry->levels = levels;
    if (end <= levels * stride) {
        /* Keys of up to 3 bits: one node. */
        geometry->root_bits = 0;
        geometry->level[0].stride = end;
        return;
    }
    geometry->root_bits = end - levels * stride < direct ? end - levels * stride : direct;
    const uint32_t total = end - geometry->root_bits;
    for (uint32_t i = 0; i < levels; i++)
        geometry->level[i].stride = total / levels + (i < total % levels ? 1 : 0);
}

int ww_lpm_geometry(uint32_t key_bits, uint32_t data_bits, uint32_t entries,
                    uint32_t margin_percent, ww_lpm_geometry_info *geometry) {
    memset(geometry, 0, sizeof *geometry);
    if (key_bits < 1 || key_bits > WW_LPM_KEY_BITS_MAX || data_bits < 1 ||
        data_bits > WW_DATA_BITS_MAX || entries < 1 || entries > WW_LPM_ENTRIES_MAX ||
        margin_percent > 1000)
        return WW_ERROR_INFO;
    geometry->key_bits = key_bits;
    geometry->data_bits = data_bits;
    geometry->entries = entries;

    const profile *routes = NULL;
    if (entries > WW_LPM_ANY_PATTERN_ENTRIES && (key_bits == 32 || key_bits == 128)) {
        routes = key_bits == 32 ? ipv4_profile : ipv6_profile;
        geometry->root_bits = key_bits == 32 ? IPV4_ROOT_BITS : IPV6_ROOT_BITS;
        geometry->levels = (uint32_t)(key_bits == 32 ? sizeof ipv4_profile / sizeof *ipv4_profile
                                                     : sizeof ipv6_profile / sizeof *ipv6_profile);
        for (uint32_t i = 0; i < geometry->levels; i++) geometry->level[i].stride = routes[i].stride;
    } else {
        choose_strides(key_bits, geometry);
    }

    uint32_t depth = geometry->root_bits, widest = 1;
    for (uint32_t i = 0; i < geometry->levels; i++) {
        ww_lpm_level *level = &geometry->level[i];
        level->depth = depth;
        depth += level->stride;
        if (level->stride > widest) widest = level->stride;
        if (i == 0) {
            level->nodes = level->rows = (uint32_t)1 << level->depth;
            continue;
        }
        uint32_t nodes = entries;
        if (level->depth < 31 && (uint32_t)1 << level->depth < nodes)
            nodes = (uint32_t)1 << level->depth;
        if (routes != NULL) {
            const uint64_t needed = (uint64_t)entries * routes[i].nodes_per_thousand *
                                        (100 + margin_percent) / 100000 + 1;
            if (needed < nodes) nodes = (uint32_t)needed;
        }
        level->nodes = nodes;
        level->rows = nodes + (2u << geometry->level[i - 1].stride);
    }
    geometry->list_rows = entries + (2u << widest);
    geometry->index_bits = bits_for(entries);
    geometry->list_bits = bits_for(geometry->list_rows);

    geometry->row_bits = data_bits > geometry->index_bits + 1 ? data_bits : geometry->index_bits + 1;
    geometry->memory_bits =
        (uint64_t)entries * data_bits + (uint64_t)geometry->list_rows * geometry->index_bits +
        ((uint64_t)(geometry->index_bits + 1) << geometry->root_bits);
    for (uint32_t i = 0; i < geometry->levels; i++) {
        ww_lpm_level *level = &geometry->level[i];
        level->width = (1u << level->stride) - 1 + geometry->list_bits;
        if (i + 1 < geometry->levels) {
            level->child_bits = bits_for(level[1].rows);
            level->width += (1u << level->stride) + level->child_bits;
        }
        if (level->width > geometry->row_bits) geometry->row_bits = level->width;
        geometry->memory_bits += (uint64_t)level->rows * level->width;
    }
    geometry->latency = geometry->levels + 3;
    return WW_OK;
}
