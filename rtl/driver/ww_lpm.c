/*
 * Longest-prefix-match tables: keeps the memories of a ww_table_lpm (ww_lpm.h has their layout).
 *
 * An update writes new rows where no lookup can get to, then one row that makes them reachable and
 * the old ones unreachable. The hardware finishes a row write only when the lookups that began
 * before it are through, so rows that became unreachable may be written at once. Prefixes shorter
 * than root_bits change several rows of the expanded array; each row concerns different keys.
 */
#include "ww_lpm.h"

#include <string.h>

#include "ww_driver.h"
#include "ww_lpm_blocks.h"

/* A node as in the hardware, and where the node above it is. */
typedef struct node {
    uint64_t internal; /* bit 2^j - 1 + v: the prefix whose last j bits below the node are v */
    uint64_t external; /* bit v: there is a child for the next `stride` bits v */
    uint32_t child;    /* row of the first child */
    uint32_t result;   /* row of the first entry number in the list */
    uint32_t parent;
} node;

typedef struct lpm {
    const ww_table_info *info;
    const ww_bus *bus;
    ww_lpm_geometry_info shape;
    uint32_t count;
    uint32_t data_bytes;
    int bus_failed;
    node *nodes[WW_LPM_LEVELS_MAX];
    ww_lpm_blocks children[WW_LPM_LEVELS_MAX]; /* from level 1 */
    ww_lpm_blocks results;
    uint32_t *list;          /* entry numbers */
    uint32_t *owner;         /* of a list block, at its first row: level and row of the node */
    uint32_t *short_entries; /* [2^length + prefix]: entry number + 1 of a prefix below root_bits */
    uint32_t *free_numbers;  /* stack, the top is at entries - count - 1 */
    uint8_t *data;           /* entries * data_bytes */
} lpm;

static uint32_t ones(uint64_t word) {
    word -= (word >> 1) & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + ((word >> 2) & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)((word * 0x0101010101010101u) >> 56);
}

/* How many bits of `map` are set below bit `position`. */
static uint32_t rank_of(uint64_t map, uint32_t position) {
    return ones(map & (((uint64_t)1 << position) - 1));
}

static uint64_t bit(uint32_t position) { return (uint64_t)1 << position; }

static int has(uint64_t map, uint32_t position) { return (int)(map >> position & 1); }

/* `count` bits of the key after its first `depth` bits; zeros behind its end. */
static uint32_t key_part(const lpm *t, const uint8_t *key, uint32_t depth, uint32_t count) {
    uint32_t part = 0;
    for (uint32_t i = depth; i < depth + count; i++) {
        const uint32_t at = t->shape.key_bits - 1 - i;
        part = part << 1 | (i < t->shape.key_bits ? (uint32_t)key[at / 8] >> at % 8 & 1 : 0);
    }
    return part;
}

/* ---- rows of the hardware ----------------------------------------------------------- */

static void put_bits(uint8_t *row, uint32_t *at, uint64_t value, uint32_t count) {
    for (uint32_t i = 0; i < count; i++, ++*at)
        row[*at / 8] = (uint8_t)(row[*at / 8] | (value >> i & 1) << *at % 8);
}

static void write_row(lpm *t, uint32_t memory, uint32_t index, const uint8_t *row, uint32_t bits) {
    if (ww_row_write(t->bus, t->info->window, memory, index, row, bits) != WW_OK) t->bus_failed = 1;
}

static void write_node(lpm *t, uint32_t level, uint32_t row) {
    const ww_lpm_level *shape = &t->shape.level[level];
    const node *n = &t->nodes[level][row];
    uint8_t bytes[32] = {0};
    uint32_t at = 0;
    put_bits(bytes, &at, n->internal, (1u << shape->stride) - 1);
    if (level + 1 < t->shape.levels) put_bits(bytes, &at, n->external, 1u << shape->stride);
    put_bits(bytes, &at, n->result, t->shape.list_bits);
    put_bits(bytes, &at, n->child, shape->child_bits);
    write_row(t, WW_LPM_MEMORY_NODES, level << WW_LPM_LEVEL_SHIFT | row, bytes, at);
}

static void write_list(lpm *t, uint32_t row, uint32_t number) {
    uint8_t bytes[4] = {0};
    uint32_t at = 0;
    t->list[row] = number;
    put_bits(bytes, &at, number, t->shape.index_bits);
    write_row(t, WW_LPM_MEMORY_LIST, row, bytes, at);
}

static void write_data(lpm *t, uint32_t number, const uint8_t *data) {
    uint8_t row[WW_DATA_BITS_MAX / 8 + 8] = {0};
    uint32_t at = t->info->data_bits;
    memcpy(&t->data[(size_t)number * t->data_bytes], data, t->data_bytes);
    memcpy(row, data, t->data_bytes);
    put_bits(row, &at, number, t->info->number_bits);
    write_row(t, WW_LPM_MEMORY_DATA, number, row, at);
}

/* Gives the expanded rows below a short prefix the entry that is the longest for them. */
static void write_short(lpm *t, uint32_t prefix, uint32_t length) {
    const uint32_t root_bits = t->shape.root_bits, spread = root_bits - length;
    for (uint32_t row = prefix << spread; row < (prefix + 1) << spread; row++) {
        uint32_t place = (1u << root_bits | row) >> 1;
        while (place > 0 && t->short_entries[place] == 0) place >>= 1;
        /* Rows whose longest short prefix is another one keep it. */
        if (place >> 1 >= 1u << length) continue;
        uint8_t bytes[4] = {0};
        uint32_t at = 0;
        const uint32_t entry = place > 0 ? t->short_entries[place] : 0;
        put_bits(bytes, &at, entry > 0 ? entry - 1 : 0, t->shape.index_bits);
        put_bits(bytes, &at, entry > 0, 1);
        write_row(t, WW_LPM_MEMORY_SHORT, row, bytes, at);
    }
}

/* ---- blocks ------------------------------------------------------------------------- */

enum { RESULTS = WW_LPM_LEVELS_MAX }; /* in place of a level: the list */

/* Puts a node's content at another row of its level; what points from below follows. */
static void place_node(lpm *t, uint32_t level, uint32_t row, const node *content) {
    t->nodes[level][row] = *content;
    const uint32_t children = ones(content->external);
    for (uint32_t i = 0; i < children; i++) t->nodes[level + 1][content->child + i].parent = row;
    if (content->internal != 0) t->owner[content->result] = level << WW_LPM_LEVEL_SHIFT | row;
    write_node(t, level, row);
}

static void move_block(void *context, uint32_t memory, uint32_t from, uint32_t to, uint32_t size) {
    lpm *t = context;
    if (memory == RESULTS) {
        const uint32_t owner = t->owner[from];
        const uint32_t level = owner >> WW_LPM_LEVEL_SHIFT;
        const uint32_t row = owner & ((1u << WW_LPM_LEVEL_SHIFT) - 1);
        for (uint32_t i = 0; i < size; i++) write_list(t, to + i, t->list[from + i]);
        t->owner[to] = owner;
        t->nodes[level][row].result = to;
        write_node(t, level, row);
        return;
    }
    const uint32_t parent = t->nodes[memory][from].parent;
    for (uint32_t i = 0; i < size; i++) place_node(t, memory, to + i, &t->nodes[memory][from + i]);
    t->nodes[memory - 1][parent].child = to;
    write_node(t, memory - 1, parent);
}

/* A block of `size` rows, if any: the memories have rows for it at every update (ww_lpm.h). */
static uint32_t take(lpm *t, uint32_t memory, uint32_t size) {
    ww_lpm_blocks *blocks = memory == RESULTS ? &t->results : &t->children[memory];
    return size == 0 ? 0 : ww_lpm_blocks_take(blocks, size, move_block, t);
}

/* Copies the children of a node to the block `to`, with a gap for child `part` or without it. */
static void copy_children(lpm *t, uint32_t level, const node *parent, uint32_t part, int with,
                          uint32_t to) {
    const uint32_t count = ones(parent->external), place = rank_of(parent->external, part);
    for (uint32_t i = 0; i < count; i++) {
        if (!with && i == place) continue;
        const uint32_t at = with ? i + (i >= place) : i - (i > place);
        place_node(t, level + 1, to + at, &t->nodes[level + 1][parent->child + i]);
    }
}

static void copy_results(lpm *t, const node *n, uint32_t position, int with, uint32_t to) {
    const uint32_t count = ones(n->internal), place = rank_of(n->internal, position);
    for (uint32_t i = 0; i < count; i++) {
        if (!with && i == place) continue;
        write_list(t, to + (with ? i + (i >= place) : i - (i > place)), t->list[n->result + i]);
    }
}

/* ---- where a prefix is ---------------------------------------------------------------- */

typedef struct place {
    uint32_t target;   /* level of the node that holds such a prefix */
    uint32_t position; /* its bit in that node's `internal` */
    uint32_t level;    /* how far the trie goes on the way there, at most `target` */
    uint32_t row[WW_LPM_LEVELS_MAX];
} place;

/* The prefix has at least root_bits bits. */
static void walk(const lpm *t, const uint8_t *key, uint32_t length, place *p) {
    const ww_lpm_level *level = t->shape.level;
    p->target = 0;
    while (length >= level[p->target].depth + level[p->target].stride) p->target++;
    const uint32_t below = length - level[p->target].depth;
    p->position = (1u << below) - 1 + key_part(t, key, level[p->target].depth, below);
    p->level = 0;
    p->row[0] = key_part(t, key, 0, t->shape.root_bits);
    while (p->level < p->target) {
        const node *n = &t->nodes[p->level][p->row[p->level]];
        const uint32_t part = key_part(t, key, level[p->level].depth, level[p->level].stride);
        if (!has(n->external, part)) break;
        p->row[++p->level] = n->child + rank_of(n->external, part);
    }
}

/* Number of the entry of a prefix, or WW_ERROR_NOT_FOUND. */
static int64_t number_of(const lpm *t, const uint8_t *key, uint32_t length) {
    if (length < t->shape.root_bits) {
        const uint32_t entry = t->short_entries[1u << length | key_part(t, key, 0, length)];
        return entry > 0 ? (int64_t)entry - 1 : WW_ERROR_NOT_FOUND;
    }
    place p;
    walk(t, key, length, &p);
    if (p.level < p.target) return WW_ERROR_NOT_FOUND;
    const node *n = &t->nodes[p.level][p.row[p.level]];
    if (!has(n->internal, p.position)) return WW_ERROR_NOT_FOUND;
    return t->list[n->result + rank_of(n->internal, p.position)];
}

static int above_zero(const uint8_t *bytes, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (bytes[i / 8] >> i % 8 & 1) return 1;
    return 0;
}

static int check_prefix(const lpm *t, const uint8_t *key, uint32_t length) {
    const uint32_t width = t->shape.key_bits;
    if (length > width || above_zero(key, 0, width - length) ||
        above_zero(key, width, (width + 7) / 8 * 8))
        return WW_ERROR_RANGE;
    return WW_OK;
}

static int check_data(const lpm *t, const uint8_t *data) {
    return above_zero(data, t->info->data_bits, t->data_bytes * 8) ? WW_ERROR_RANGE : WW_OK;
}

/* ---- updates -------------------------------------------------------------------------- */

static int finish(const lpm *t) { return t->bus_failed ? WW_ERROR_BUS : WW_OK; }

/* Puts entry `number` into the trie, or returns WW_ERROR_FULL before it has changed anything. */
static int insert_node(lpm *t, const uint8_t *key, uint32_t length, uint32_t number) {
    const ww_lpm_level *shape = t->shape.level;
    place p;
    walk(t, key, length, &p);
    for (uint32_t i = p.level + 1; i <= p.target; i++)
        if (t->children[i].used + 1 > shape[i].nodes) return WW_ERROR_FULL;

    const node *end = &t->nodes[p.level][p.row[p.level]];
    const uint32_t first_new = p.level + 1;
    uint32_t block[WW_LPM_LEVELS_MAX];
    const uint32_t list =
        take(t, RESULTS, 1 + (p.level == p.target ? ones(end->internal) : 0));
    for (uint32_t i = first_new; i <= p.target; i++)
        block[i] = take(t, i, 1 + (i == first_new ? ones(end->external) : 0));
    /* Making room may have moved the nodes of the way. */
    walk(t, key, length, &p);
    node *last = &t->nodes[p.level][p.row[p.level]];

    if (p.level == p.target) {
        node changed = *last;
        copy_results(t, last, p.position, 1, list);
        write_list(t, list + rank_of(last->internal, p.position), number);
        changed.internal |= bit(p.position);
        changed.result = list;
        const node old = *last;
        place_node(t, p.level, p.row[p.level], &changed);
        if (old.internal != 0) ww_lpm_blocks_give(&t->results, old.result);
        return WW_OK;
    }

    write_list(t, list, number);
    node lowest = {bit(p.position), 0, 0, list, 0};
    for (uint32_t i = p.target; i > first_new; i--) {
        const node above = {0, bit(key_part(t, key, shape[i - 1].depth, shape[i - 1].stride)),
                            block[i], 0, 0};
        place_node(t, i, block[i], &lowest);
        lowest = above;
    }
    const uint32_t part = key_part(t, key, shape[p.level].depth, shape[p.level].stride);
    const node old = *last;
    lowest.parent = p.row[p.level];
    copy_children(t, p.level, &old, part, 1, block[first_new]);
    place_node(t, first_new, block[first_new] + rank_of(old.external, part), &lowest);
    last->external |= bit(part);
    last->child = block[first_new];
    write_node(t, p.level, p.row[p.level]);
    if (old.external != 0) ww_lpm_blocks_give(&t->children[first_new], old.child);
    return WW_OK;
}

/* Takes a prefix that is there out of the trie. */
static void delete_node(lpm *t, const uint8_t *key, uint32_t length) {
    place p;
    walk(t, key, length, &p);
    const node *last = &t->nodes[p.level][p.row[p.level]];
    const uint32_t results = ones(last->internal);

    if (p.level == 0 || results > 1 || last->external != 0) {
        const uint32_t list = take(t, RESULTS, results - 1);
        walk(t, key, length, &p);
        const node old = t->nodes[p.level][p.row[p.level]];
        node changed = old;
        copy_results(t, &old, p.position, 0, list);
        changed.internal &= ~bit(p.position);
        changed.result = list;
        place_node(t, p.level, p.row[p.level], &changed);
        ww_lpm_blocks_give(&t->results, old.result);
        return;
    }

    /* The node becomes empty: cut where the way to it leaves a node that does not. */
    uint32_t cut = p.level - 1;
    while (cut > 0 && t->nodes[cut][p.row[cut]].internal == 0 &&
           ones(t->nodes[cut][p.row[cut]].external) == 1)
        cut--;
    const uint32_t part = key_part(t, key, t->shape.level[cut].depth, t->shape.level[cut].stride);
    const uint32_t block = take(t, cut + 1, ones(t->nodes[cut][p.row[cut]].external) - 1);
    walk(t, key, length, &p);
    node *at = &t->nodes[cut][p.row[cut]];
    const node old = *at;
    copy_children(t, cut, &old, part, 0, block);
    at->external &= ~bit(part);
    at->child = block;
    write_node(t, cut, p.row[cut]);
    ww_lpm_blocks_give(&t->results, t->nodes[p.level][p.row[p.level]].result);
    ww_lpm_blocks_give(&t->children[cut + 1], old.child);
    for (uint32_t i = cut + 2; i <= p.level; i++) ww_lpm_blocks_give(&t->children[i], p.row[i]);
}

int ww_lpm_insert(void *memory, const uint8_t *key, uint32_t prefix_length, const uint8_t *data,
                  uint32_t *number) {
    lpm *t = memory;
    if (check_prefix(t, key, prefix_length) != WW_OK || check_data(t, data) != WW_OK)
        return WW_ERROR_RANGE;
    if (number_of(t, key, prefix_length) >= 0) return WW_ERROR_EXISTS;
    if (t->count == t->shape.entries) return WW_ERROR_FULL;
    t->bus_failed = 0;
    const uint32_t entry = t->free_numbers[t->shape.entries - t->count - 1];
    /* No lookup gives this number yet. */
    write_data(t, entry, data);
    if (prefix_length < t->shape.root_bits) {
        const uint32_t prefix = key_part(t, key, 0, prefix_length);
        t->short_entries[1u << prefix_length | prefix] = entry + 1;
        write_short(t, prefix, prefix_length);
    } else {
        const int error = insert_node(t, key, prefix_length, entry);
        if (error != WW_OK) return error;
    }
    t->count++;
    if (number != NULL) *number = entry;
    return finish(t);
}

int ww_lpm_modify(void *memory, const uint8_t *key, uint32_t prefix_length, const uint8_t *data) {
    lpm *t = memory;
    if (check_prefix(t, key, prefix_length) != WW_OK || check_data(t, data) != WW_OK)
        return WW_ERROR_RANGE;
    const int64_t number = number_of(t, key, prefix_length);
    if (number < 0) return (int)number;
    t->bus_failed = 0;
    write_data(t, (uint32_t)number, data);
    return finish(t);
}

int ww_lpm_delete(void *memory, const uint8_t *key, uint32_t prefix_length) {
    lpm *t = memory;
    if (check_prefix(t, key, prefix_length) != WW_OK) return WW_ERROR_RANGE;
    const int64_t number = number_of(t, key, prefix_length);
    if (number < 0) return (int)number;
    t->bus_failed = 0;
    if (prefix_length < t->shape.root_bits) {
        const uint32_t prefix = key_part(t, key, 0, prefix_length);
        t->short_entries[1u << prefix_length | prefix] = 0;
        write_short(t, prefix, prefix_length);
    } else {
        delete_node(t, key, prefix_length);
    }
    t->count--;
    t->free_numbers[t->shape.entries - t->count - 1] = (uint32_t)number;
    return finish(t);
}

int ww_lpm_find(void *memory, const uint8_t *key, uint32_t prefix_length, uint8_t *data,
                uint32_t *number) {
    const lpm *t = memory;
    if (check_prefix(t, key, prefix_length) != WW_OK) return WW_ERROR_RANGE;
    const int64_t found = number_of(t, key, prefix_length);
    if (found < 0) return (int)found;
    if (data != NULL) memcpy(data, &t->data[(size_t)found * t->data_bytes], t->data_bytes);
    if (number != NULL) *number = (uint32_t)found;
    return WW_OK;
}

uint32_t ww_lpm_count(const void *memory) { return ((const lpm *)memory)->count; }

/* ---- memory --------------------------------------------------------------------------- */

/* Empties the shadow. */
static void reset(lpm *t) {
    t->count = 0;
    for (uint32_t i = 0; i < t->shape.entries; i++) t->free_numbers[i] = t->shape.entries - 1 - i;
    memset(t->short_entries, 0, sizeof *t->short_entries << t->shape.root_bits);
    memset(t->nodes[0], 0, sizeof *t->nodes[0] << t->shape.root_bits);
    ww_lpm_blocks_reset(&t->results);
    for (uint32_t i = 1; i < t->shape.levels; i++) ww_lpm_blocks_reset(&t->children[i]);
}

int ww_lpm_clear(void *memory) {
    lpm *t = memory;
    t->bus_failed = 0;
    reset(t);
    /* Short prefixes first: a key whose long prefix goes must not fall back on a short one. All
     * other rows are out of reach after this. */
    write_short(t, 0, 0);
    for (uint32_t row = 0; row < 1u << t->shape.root_bits; row++) write_node(t, 0, row);
    return finish(t);
}

/* The next `size` bytes of the table's memory; only counted while `base` is NULL. */
static void *part_of(uint8_t *base, size_t *used, size_t size) {
    void *part = base == NULL ? NULL : base + *used;
    *used += (size + 15) / 16 * 16;
    return part;
}

static size_t lay_out(lpm *t, uint8_t *base) {
    const ww_lpm_geometry_info *shape = &t->shape;
    size_t used = 0;
    part_of(base, &used, sizeof *t);
    for (uint32_t i = 0; i < shape->levels; i++) {
        const size_t rows = shape->level[i].rows;
        t->nodes[i] = part_of(base, &used, rows * sizeof(node));
        if (i == 0) continue;
        ww_lpm_blocks *blocks = &t->children[i];
        blocks->memory = i;
        blocks->block_max = 1u << shape->level[i - 1].stride;
        blocks->limit = shape->level[i].rows - blocks->block_max;
        blocks->tag = part_of(base, &used, rows * 4);
        blocks->next = part_of(base, &used, rows * 4);
        blocks->previous = part_of(base, &used, rows * 4);
    }
    const size_t list_rows = shape->list_rows;
    t->results.memory = RESULTS;
    t->results.block_max = (shape->list_rows - shape->entries) / 2;
    t->results.limit = shape->list_rows - t->results.block_max;
    t->results.tag = part_of(base, &used, list_rows * 4);
    t->results.next = part_of(base, &used, list_rows * 4);
    t->results.previous = part_of(base, &used, list_rows * 4);
    t->list = part_of(base, &used, list_rows * 4);
    t->owner = part_of(base, &used, list_rows * 4);
    t->short_entries = part_of(base, &used, sizeof *t->short_entries << shape->root_bits);
    t->free_numbers = part_of(base, &used, (size_t)shape->entries * 4);
    t->data = part_of(base, &used, (size_t)shape->entries * t->data_bytes);
    return used;
}

static int describe(lpm *t, const ww_table_info *info) {
    memset(t, 0, sizeof *t);
    t->info = info;
    t->data_bytes = (info->data_bits + 7) / 8;
    if (info->data_bits > WW_DATA_BITS_MAX || info->number_bits > 32) return WW_ERROR_INFO;
    return ww_lpm_geometry(info->key_bits, info->data_bits + info->number_bits, info->entries,
                           WW_LPM_MARGIN, &t->shape);
}

size_t ww_lpm_memory(const ww_table_info *info) {
    lpm t;
    return describe(&t, info) == WW_OK ? lay_out(&t, NULL) : 0;
}

int ww_lpm_open(void *memory, const ww_table_info *info, const ww_bus *bus) {
    lpm *t = memory;
    const int error = describe(t, info);
    if (error != WW_OK) return error;
    t->bus = bus;
    lay_out(t, memory);
    reset(t);
    return WW_OK;
}
