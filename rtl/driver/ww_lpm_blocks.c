/*
 * Rows for the child and result blocks of ww_table_lpm. Holes are kept by size and joined with
 * their neighbours (D. Knuth's boundary tags). When no hole is large enough, the run of blocks
 * is found that must move the fewest rows to join enough holes, and slid together; every move is
 * to free rows first and then one row write at the owner, so lookups are not disturbed.
 */
#include "ww_lpm_blocks.h"

static uint32_t class_of(uint32_t size) { return size < WW_LPM_BLOCK_MAX ? size : WW_LPM_BLOCK_MAX; }

static uint32_t size_at(const ww_lpm_blocks *blocks, uint32_t row) { return blocks->tag[row] >> 1; }

static int is_used(const ww_lpm_blocks *blocks, uint32_t row) { return (int)(blocks->tag[row] & 1); }

static void mark(ww_lpm_blocks *blocks, uint32_t row, uint32_t size, uint32_t used) {
    blocks->tag[row] = blocks->tag[row + size - 1] = size << 1 | used;
}

static void add_hole(ww_lpm_blocks *blocks, uint32_t row, uint32_t size) {
    uint32_t *first = &blocks->first[class_of(size)];
    mark(blocks, row, size, 0);
    blocks->previous[row] = WW_LPM_NO_BLOCK;
    blocks->next[row] = *first;
    if (*first != WW_LPM_NO_BLOCK) blocks->previous[*first] = row;
    *first = row;
}

static void remove_hole(ww_lpm_blocks *blocks, uint32_t row) {
    const uint32_t next = blocks->next[row], previous = blocks->previous[row];
    if (next != WW_LPM_NO_BLOCK) blocks->previous[next] = previous;
    if (previous != WW_LPM_NO_BLOCK)
        blocks->next[previous] = next;
    else
        blocks->first[class_of(size_at(blocks, row))] = next;
}

void ww_lpm_blocks_reset(ww_lpm_blocks *blocks) {
    for (uint32_t i = 0; i <= WW_LPM_BLOCK_MAX; i++) blocks->first[i] = WW_LPM_NO_BLOCK;
    blocks->used = 0;
    add_hole(blocks, 0, blocks->limit);
}

/* The run of segments that begins and ends with a hole, has at least `size` free rows and the
 * fewest used ones. Returns its first row and sets its end; needs `size` free rows. */
static uint32_t cheapest_run(const ww_lpm_blocks *blocks, uint32_t size, uint32_t *end) {
    uint32_t best = 0, best_moves = WW_LPM_NO_BLOCK, left = 0, free_rows = 0, moves = 0;
    *end = blocks->limit;
    for (uint32_t right = 0; right < blocks->limit;) {
        const uint32_t length = size_at(blocks, right);
        const int used = is_used(blocks, right);
        right += length;
        if (used) {
            moves += length;
            continue;
        }
        free_rows += length;
        /* Leave out what the run does not need at its left end. */
        while (left < right) {
            const uint32_t head = size_at(blocks, left);
            if (is_used(blocks, left))
                moves -= head;
            else if (free_rows - head >= size)
                free_rows -= head;
            else
                break;
            left += head;
        }
        if (free_rows >= size && moves < best_moves) {
            best_moves = moves;
            best = left;
            *end = right;
        }
    }
    return best;
}

/* Slides the blocks of a run to its start, which leaves one hole at its end. */
static void join_holes(ww_lpm_blocks *blocks, uint32_t start, uint32_t end, ww_lpm_move *move,
                       void *context) {
    uint32_t to = start;
    for (uint32_t from = start; from < end;) {
        const uint32_t size = size_at(blocks, from);
        if (!is_used(blocks, from)) {
            remove_hole(blocks, from);
        } else if (from != to) {
            uint32_t source = from;
            if (from - to < size) {
                move(context, blocks->memory, from, blocks->limit, size);
                source = blocks->limit;
            }
            move(context, blocks->memory, source, to, size);
            mark(blocks, to, size, 1);
            to += size;
        } else {
            to += size;
        }
        from += size;
    }
    add_hole(blocks, to, end - to);
}

uint32_t ww_lpm_blocks_take(ww_lpm_blocks *blocks, uint32_t size, ww_lpm_move *move, void *context) {
    if (size == 0 || size > blocks->block_max || blocks->limit - blocks->used < size)
        return WW_LPM_NO_BLOCK;
    uint32_t class = size;
    while (class <= WW_LPM_BLOCK_MAX && blocks->first[class] == WW_LPM_NO_BLOCK) class++;
    if (class > WW_LPM_BLOCK_MAX) {
        uint32_t end;
        const uint32_t start = cheapest_run(blocks, size, &end);
        join_holes(blocks, start, end, move, context);
        for (class = size; blocks->first[class] == WW_LPM_NO_BLOCK;) class++;
    }
    const uint32_t row = blocks->first[class], found = size_at(blocks, row);
    remove_hole(blocks, row);
    mark(blocks, row, size, 1);
    if (found > size) add_hole(blocks, row + size, found - size);
    blocks->used += size;
    return row;
}

void ww_lpm_blocks_give(ww_lpm_blocks *blocks, uint32_t row) {
    uint32_t size = size_at(blocks, row);
    blocks->used -= size;
    const uint32_t after = row + size;
    if (after < blocks->limit && !is_used(blocks, after)) {
        size += size_at(blocks, after);
        remove_hole(blocks, after);
    }
    if (row > 0 && !is_used(blocks, row - 1)) {
        const uint32_t before = size_at(blocks, row - 1);
        row -= before;
        remove_hole(blocks, row);
        size += before;
    }
    add_hole(blocks, row, size);
}
