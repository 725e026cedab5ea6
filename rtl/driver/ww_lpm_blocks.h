/* Allocator of adjacent rows in one memory of ww_table_lpm; used by ww_lpm.c only. */
#ifndef WW_LPM_BLOCKS_H
#define WW_LPM_BLOCKS_H

#include <stdint.h>

enum { WW_LPM_BLOCK_MAX = 64 };
#define WW_LPM_NO_BLOCK UINT32_MAX

/* Moves the rows of a block in the hardware and makes the node that points at it point at the
 * new place. The places do not overlap. */
typedef void ww_lpm_move(void *context, uint32_t memory, uint32_t from, uint32_t to, uint32_t size);

/* One memory. Rows below `limit` are handed out; the `block_max` rows after it are where a block
 * waits that moves by less than its size. */
typedef struct ww_lpm_blocks {
    uint32_t memory;    /* passed to `move` */
    uint32_t limit;
    uint32_t block_max; /* largest block, up to WW_LPM_BLOCK_MAX */
    uint32_t used;      /* rows in blocks */
    uint32_t *tag;      /* at both ends of a block or hole: size << 1 | used */
    uint32_t *next;     /* at the start of a hole: holes of its class */
    uint32_t *previous;
    uint32_t first[WW_LPM_BLOCK_MAX + 1]; /* holes of a size; the last class: this size or larger */
} ww_lpm_blocks;

/* Makes all rows one hole. tag, next and previous have `limit` elements each. */
void ww_lpm_blocks_reset(ww_lpm_blocks *blocks);

/* Rows for a block of 1 .. block_max rows. Where the free rows suffice but are scattered, blocks
 * are moved together; WW_LPM_NO_BLOCK if there are fewer than `size` free rows. */
uint32_t ww_lpm_blocks_take(ww_lpm_blocks *blocks, uint32_t size, ww_lpm_move *move, void *context);

/* Gives a block back. */
void ww_lpm_blocks_give(ww_lpm_blocks *blocks, uint32_t row);

#endif
