#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int good, const char *what) {
    if (good) return;
    fprintf(stderr, "image of the hardware: %s\n", what);
    abort();
}

static size_t row_bytes(uint32_t bits) { return (bits + 7) / 8; }

void image_open(image *im, uint32_t key_bits, uint32_t data_bits, uint32_t entries) {
    memset(im, 0, sizeof *im);
    require(ww_lpm_geometry(key_bits, data_bits, entries, WW_LPM_MARGIN, &im->shape) == WW_OK,
            "geometry");
    const ww_lpm_geometry_info *s = &im->shape;
    im->data = calloc(entries, row_bytes(data_bits));
    im->list = calloc(s->list_rows, row_bytes(s->index_bits));
    im->shorts = calloc((size_t)1 << s->root_bits, row_bytes(s->index_bits + 1));
    for (uint32_t i = 0; i < s->levels; i++)
        im->level[i] = calloc(s->level[i].rows, row_bytes(s->level[i].width));
}

void image_close(image *im) {
    free(im->data);
    free(im->list);
    free(im->shorts);
    for (uint32_t i = 0; i < im->shape.levels; i++) free(im->level[i]);
}

int image_write(image *im, uint32_t memory, uint32_t index, const uint8_t *row, uint32_t bits) {
    const ww_lpm_geometry_info *s = &im->shape;
    uint8_t *rows = NULL;
    uint32_t count = 0, width = 0;
    if (im->limit != 0 && im->writes >= im->limit) return WW_ERROR_BUS;
    im->writes++;
    if (memory == WW_LPM_MEMORY_DATA) {
        rows = im->data, count = s->entries, width = s->data_bits;
    } else if (memory == WW_LPM_MEMORY_LIST) {
        rows = im->list, count = s->list_rows, width = s->index_bits;
    } else if (memory == WW_LPM_MEMORY_SHORT) {
        rows = im->shorts, count = 1u << s->root_bits, width = s->index_bits + 1;
    } else {
        const uint32_t level = index >> 22;
        require(memory == WW_LPM_MEMORY_NODES && level < s->levels, "memory that does not exist");
        index &= (1u << 22) - 1;
        rows = im->level[level], count = s->level[level].rows, width = s->level[level].width;
    }
    require(index < count && (bits == width || bits == 0), "row that does not exist");
    memcpy(rows + index * row_bytes(width), row, row_bytes(width));
    if (im->written != NULL) im->written(im->context);
    return WW_OK;
}

static uint64_t field(const uint8_t *row, uint32_t *at, uint32_t bits) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bits; i++, ++*at) value |= (uint64_t)(row[*at / 8] >> *at % 8 & 1) << i;
    return value;
}

static uint32_t leading(const image *im, const uint8_t *key, uint32_t depth, uint32_t bits) {
    uint32_t value = 0;
    for (uint32_t i = depth; i < depth + bits; i++) {
        const uint32_t at = im->shape.key_bits - 1 - i;
        value = value << 1 | (key[at / 8] >> at % 8 & 1);
    }
    return value;
}

static uint32_t set_below(uint64_t map, uint32_t position) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < position; i++) count += map >> i & 1;
    return count;
}

answer image_lookup(const image *im, const uint8_t *key) {
    const ww_lpm_geometry_info *s = &im->shape;
    answer a = {0, 0, 0};
    uint32_t row = leading(im, key, 0, s->root_bits), at = 0, in_list = 0, slot = 0;
    const uint8_t *word = im->shorts + row * row_bytes(s->index_bits + 1);
    a.index = (uint32_t)field(word, &at, s->index_bits);
    a.hit = (int)field(word, &at, 1);
    for (uint32_t i = 0; i < s->levels; i++) {
        const ww_lpm_level *l = &s->level[i];
        const int last = i + 1 == s->levels;
        require(row < l->rows, "child pointer");
        word = im->level[i] + row * row_bytes(l->width);
        at = 0;
        const uint64_t internal = field(word, &at, (1u << l->stride) - 1);
        const uint64_t external = last ? 0 : field(word, &at, 1u << l->stride);
        const uint32_t result = (uint32_t)field(word, &at, s->list_bits);
        const uint32_t child = (uint32_t)field(word, &at, l->child_bits);
        for (uint32_t j = l->stride; j-- > 0;) {
            const uint32_t position = (1u << j) - 1 + leading(im, key, l->depth, j);
            if ((internal >> position & 1) == 0) continue;
            a.hit = in_list = 1;
            slot = result + set_below(internal, position);
            break;
        }
        if (last) break;
        const uint32_t part = leading(im, key, l->depth, l->stride);
        if ((external >> part & 1) == 0) break;
        row = child + set_below(external, part);
    }
    if (in_list) {
        require(slot < s->list_rows, "list pointer");
        at = 0;
        a.index = (uint32_t)field(im->list + slot * row_bytes(s->index_bits), &at, s->index_bits);
    }
    if (!a.hit) return (answer){0, 0, 0};
    require(a.index < s->entries, "entry number");
    at = 0;
    a.data = field(im->data + a.index * row_bytes(s->data_bits), &at,
                   s->data_bits < 64 ? s->data_bits : 64);
    return a;
}
