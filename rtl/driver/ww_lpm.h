/*
 * Geometry of ww_table_lpm: the one place that computes the parameters of the SystemVerilog
 * module (rtl/table_lpm) from key width and table size. Tools that write an instance call
 * ww_lpm_geometry and copy the result into its parameters; the driver (ww_lpm.c) calls the
 * same function. The functions that change a table are in ww_driver.h.
 *
 * The table is a trie of fixed strides. Its top is one array of 2^root_bits nodes, addressed
 * by the leading bits of the key. A node at depth d with stride s holds the prefixes of
 * d .. d+s-1 bits as a bitmap and the pointers to its children at depth d+s as a second
 * bitmap; the children are adjacent rows of the next level's memory, the numbers of the
 * node's entries adjacent rows of one list (W. Eatherton, G. Varghese, Z. Dittia: "Tree
 * Bitmap: Hardware/Software IP Lookups with Incremental Updates", 2004). The last level has
 * no children. Prefixes shorter than root_bits are expanded into an array of 2^root_bits rows.
 */
#ifndef WW_LPM_H
#define WW_LPM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WW_LPM_KEY_BITS_MAX = 128,
    /* generated: lpm (crates/blocks/src/facts.rs) */
    WW_LPM_LEVELS_MAX = 21,
    /* end of generated */
    WW_LPM_STRIDE_MAX = 6,
    WW_LPM_ROOT_BITS_MAX = 11,
    WW_LPM_ANY_PATTERN_ENTRIES = 8192, /* up to here every set of prefixes fits */
    WW_LPM_ENTRIES_MAX = 1 << 20
};

/* Memories of the row port; see rtl/table_lpm/README.md. */
enum {
    /* generated: lpm (crates/blocks/src/facts.rs) */
    WW_LPM_MEMORY_DATA = 0,  /* row = entry number: {data} */
    WW_LPM_MEMORY_LIST = 1,  /* {entry number} */
    WW_LPM_MEMORY_SHORT = 2, /* row = leading key bits: {valid, entry number} */
    WW_LPM_MEMORY_NODES = 3, /* index = {level[27:22], row[21:0]}: {child, result, external, internal} */
    WW_LPM_LEVEL_SHIFT = 22
    /* end of generated */
};

/* Percent that the memories of a table above WW_LPM_ANY_PATTERN_ENTRIES are larger than the
 * reference distributions need. The hardware and its driver must be built with one value. */
#ifndef WW_LPM_MARGIN
/* generated: lpm (crates/blocks/src/facts.rs) */
#define WW_LPM_MARGIN 25
/* end of generated */
#endif

typedef struct ww_lpm_level {
    uint32_t depth;       /* key bits above a node of this level */
    uint32_t stride;      /* key bits that a node looks at, 1 .. WW_LPM_STRIDE_MAX */
    uint32_t rows;        /* rows of the level's memory (STRIDES, ROWS of the module) */
    uint32_t nodes;       /* how many nodes may be in use; the other rows make updates possible */
    uint32_t child_bits;  /* width of the pointer to the children; 0 at the last level */
    uint32_t width;       /* bits of a row */
} ww_lpm_level;

typedef struct ww_lpm_geometry_info {
    uint32_t key_bits;    /* KEY_WIDTH */
    uint32_t data_bits;   /* DATA_WIDTH */
    uint32_t entries;     /* ENTRIES */
    uint32_t root_bits;   /* ROOT_BITS */
    uint32_t levels;      /* LEVELS */
    uint32_t list_rows;   /* LIST_ROWS: entries, and rows that make updates possible */
    uint32_t index_bits;  /* width of an entry number */
    uint32_t list_bits;   /* width of a pointer into the list */
    uint32_t row_bits;    /* ROW_WIDTH of the row port: the widest row */
    uint32_t latency;     /* LATENCY with MEMORY_LATENCY = 1: levels + 3 */
    uint64_t memory_bits; /* RAM bits of the whole table, data included */
    ww_lpm_level level[WW_LPM_LEVELS_MAX];
} ww_lpm_geometry_info;

/*
 * Chooses strides and memory sizes.
 *
 * Strides: 4 bits, at the top up to 9 bits of direct index so that the levels end at the key's
 * last bit; where that needs more than 21 levels (keys above 92 bits) wider strides, the widest
 * on top, where levels are small. Tables of 128-bit keys above WW_LPM_ANY_PATTERN_ENTRIES get
 * strides whose levels end at 32 and 48 bits, where most routes of IPv6 end.
 *
 * Rows: a level at depth d holds at most min(2^d, entries) nodes whatever the prefixes are; it
 * gets that many. Above WW_LPM_ANY_PATTERN_ENTRIES entries, keys of 32 and 128 bits get what a
 * table with the length distribution and clustering of Internet routes needs, and
 * `margin_percent` of that in addition. Every memory has two more blocks of rows: one for the
 * new copy of a block that changes, one for moving blocks.
 *
 * Returns WW_OK, or WW_ERROR_INFO if a width or the number of entries is out of range.
 */
int ww_lpm_geometry(uint32_t key_bits, uint32_t data_bits, uint32_t entries,
                    uint32_t margin_percent, ww_lpm_geometry_info *geometry);

#ifdef __cplusplus
}
#endif

#endif
