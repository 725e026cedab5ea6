/*
 * Control-plane driver of a generated dataplane: tables, counters, registers and meters.
 *
 * C99, no dependencies beyond <string.h> (and <stdlib.h> for ww_table_open; define
 * WW_NO_MALLOC to leave that function out). The hardware is reached through two callbacks
 * that write and read one 32-bit word, so the same code drives PCIe, AXI4-Lite on an
 * embedded processor, or a simulation.
 *
 * Keys and data are little-endian byte arrays: bit 0 of byte 0 is bit 0 of the SystemVerilog
 * vector. Bits above the declared width must be zero. All functions return WW_OK or a
 * negative code unless their comment says otherwise. After an error the table is unchanged,
 * with one exception: after WW_ERROR_BUS call ww_table_clear before anything else. A table
 * object may be used by one thread at a time.
 *
 * Every update is a sequence of single row writes after each of which every lookup gives
 * the answer of the old or of the new table. There is no moment at which an entry that is
 * in both tables is missed.
 */
#ifndef WW_DRIVER_H
#define WW_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---------------------------------------------------------------------- */

enum {
    WW_OK = 0,
    WW_ERROR_BUS = -1,       /* a bus callback reported failure; the hardware's state is unknown */
    WW_ERROR_FULL = -2,      /* no room for the entry */
    WW_ERROR_EXISTS = -3,    /* an entry with this match is there already */
    WW_ERROR_NOT_FOUND = -4, /* no entry with this match */
    WW_ERROR_RANGE = -5,     /* key, mask, data, prefix length or number outside its width */
    WW_ERROR_INFO = -6,      /* the table description contradicts itself */
    WW_ERROR_MEMORY = -7     /* too little memory was given, or malloc failed */
};

/* One English sentence for an error code (never NULL). */
const char *ww_error_text(int error);

/* ---- bus and rows ---------------------------------------------------------------- */

/* Access to the control bus. `address` is a byte address, a multiple of 4. The callbacks
 * return 0, or anything else for failure. */
typedef struct ww_bus {
    void *context;
    int (*write)(void *context, uint32_t address, uint32_t word);
    int (*read)(void *context, uint32_t address, uint32_t *word);
} ww_bus;

/* The window of an object begins at byte address `window << 12`. Offsets inside it: */
enum {
    /* generated: window (crates/blocks/src/facts.rs) */
    WW_WINDOW_WRITE = 0x000,   /* W: write the staged row to {memory[31:28], index[27:0]} */
    WW_WINDOW_READ = 0x004,    /* W: read that row into the staging words */
    WW_WINDOW_WIDTH = 0x008,   /* R: width of a row in bits */
    WW_WINDOW_OBJECT = 0x00c,  /* R: the object's identification */
    WW_WINDOW_STAGING = 0x400, /* R/W: staging words, lowest first */
    /* end of generated */
    /* generated: memories (crates/rtl/src/manifest.rs) */
    WW_DEFAULT_MEMORY = 15     /* row 0 of this memory holds a table's default data */
    /* end of generated */
};

/* Writes `bits` bits from `row` (little-endian) to a row of a memory of an object. */
int ww_row_write(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index,
                 const uint8_t *row, uint32_t bits);

/* Reads `bits` bits of a row into `row`; the unused bits of the last byte become zero. */
int ww_row_read(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index,
                uint8_t *row, uint32_t bits);

/* ---- tables ---------------------------------------------------------------------- */

/* Kinds of tables; the values are part of the interface. */
enum {
    WW_TABLE_DIRECT = 0,  /* exact match, the key is the row: ww_table_direct */
    WW_TABLE_HASH = 1,    /* exact match: ww_table_hash */
    WW_TABLE_CAM = 2,     /* exact match, small: ww_table_cam */
    WW_TABLE_TERNARY = 3, /* ternary and range match: ww_table_ternary */
    WW_TABLE_LPM = 4      /* longest prefix match: ww_table_lpm (ww_lpm.c) */
};

/* What a table looks like in hardware. The compiler that instantiates the table writes
 * this description; the driver keeps the pointer, so it must outlive the table. */
typedef struct ww_table_info {
    const char *name;
    uint32_t window;      /* number of the object's 4 KiB window on the control bus */
    uint32_t kind;        /* WW_TABLE_... */
    uint32_t entries;     /* how many entries must fit */
    uint32_t key_bits;    /* 1 .. WW_KEY_BITS_MAX */
    uint32_t data_bits;   /* data of an entry: action number, parameters */
    uint32_t action_bits; /* how many low bits of the data hold the action's number; for the caller's use */
    uint32_t number_bits; /* 0, or: the driver stores the entry's number in this many bits
                             above the data (DATA_WIDTH of the block is data_bits + number_bits) */
    uint32_t ways;        /* hash: WAYS */
    uint32_t buckets;     /* hash: BUCKETS of a way */
    uint32_t stash;       /* hash: STASH */
    uint32_t reserved;    /* 0 */
    uint64_t seed;        /* hash: SEED */
    const uint8_t *range_bits; /* ternary: key bits that belong to range fields, or NULL */
    const uint8_t *range_low;  /* ternary: the lowest bit of each range field, or NULL */
} ww_table_info;

enum { WW_KEY_BITS_MAX = 4096, WW_DATA_BITS_MAX = 8192, WW_ENTRIES_MAX = 1 << 24 };

/* What an entry matches. */
typedef struct ww_match {
    const uint8_t *key;     /* key_bits; in a range field the lowest value that matches */
    const uint8_t *mask;    /* ternary only: 1 = the bit must be equal; in a range field the highest value */
    uint32_t prefix_length; /* lpm only: number of leading (most significant) bits that must be equal */
    int32_t priority;       /* ternary only: the higher number wins, a tie goes to the first inserted */
} ww_match;

/* A table with its shadow of the entries. */
typedef struct ww_table ww_table;

/* Bytes of memory that ww_table_init needs, or 0 if the description is not valid. */
size_t ww_table_memory(const ww_table_info *info);

/* Makes a table object in `memory` (aligned as malloc does, ww_table_memory bytes). The
 * table is taken to be empty, as it is after the FPGA's configuration; call
 * ww_table_clear when that is not certain. Nothing is written to the hardware. */
int ww_table_init(ww_table **table, void *memory, size_t size, const ww_table_info *info,
                  const ww_bus *bus);

#ifndef WW_NO_MALLOC
/* ww_table_init in memory from one call of malloc; ww_table_close frees it. */
int ww_table_open(ww_table **table, const ww_table_info *info, const ww_bus *bus);
void ww_table_close(ww_table *table);
#endif

/* Adds an entry. `number`, if not NULL, receives the entry's number: below `entries`
 * (direct tables: the key), unique and fixed for the entry's life. */
int ww_table_insert(ww_table *table, const ww_match *match, const uint8_t *data, uint32_t *number);

/* Replaces the data of an entry: one row write. */
int ww_table_modify(ww_table *table, const ww_match *match, const uint8_t *data);

/* Removes an entry. */
int ww_table_delete(ww_table *table, const ww_match *match);

/* Looks for the entry with exactly this match (not: the entry that wins for a packet's
 * key). `data` (data_bits) and `number` may be NULL. Does not touch the hardware. */
int ww_table_find(ww_table *table, const ww_match *match, uint8_t *data, uint32_t *number);

/* Removes all entries and writes every row. */
int ww_table_clear(ww_table *table);

/* Stores the data that a lookup without a match gives: memory 15, row 0. */
int ww_table_set_default(ww_table *table, const uint8_t *data);

/* How many entries the table holds. */
uint32_t ww_table_count(const ww_table *table);

/* The description the table was made with. */
const ww_table_info *ww_table_describe(const ww_table *table);

/* ---- hash tables ----------------------------------------------------------------- */

/* Chooses WAYS, BUCKETS and STASH of a ww_table_hash for `entries` entries: at least 1.2
 * places for each entry, buckets a power of two, in as few block RAMs as possible. */
int ww_hash_geometry(uint32_t entries, uint32_t *ways, uint32_t *buckets, uint32_t *stash);

/* The bucket of `key` in a way: the function that ww_table_hash computes. `buckets` is a
 * power of two. */
uint32_t ww_hash_bucket(const uint8_t *key, uint32_t key_bits, uint64_t seed, uint32_t way,
                        uint32_t buckets);

/* ---- longest prefix match (ww_lpm.c) ----------------------------------------------- */

/* The functions above call these for WW_TABLE_LPM. `lpm` is the memory that was given to
 * ww_lpm_open, of ww_lpm_memory bytes (0: the description is not valid). The key is
 * key_bits wide; its most significant `prefix_length` bits count, the others are zero. */
size_t ww_lpm_memory(const ww_table_info *info);
int ww_lpm_open(void *lpm, const ww_table_info *info, const ww_bus *bus);
int ww_lpm_insert(void *lpm, const uint8_t *key, uint32_t prefix_length, const uint8_t *data,
                  uint32_t *number);
int ww_lpm_modify(void *lpm, const uint8_t *key, uint32_t prefix_length, const uint8_t *data);
int ww_lpm_delete(void *lpm, const uint8_t *key, uint32_t prefix_length);
int ww_lpm_find(void *lpm, const uint8_t *key, uint32_t prefix_length, uint8_t *data,
                uint32_t *number);
int ww_lpm_clear(void *lpm);
uint32_t ww_lpm_count(const void *lpm);

#ifdef __cplusplus
}
#endif

#endif
