/* The memories of a ww_table_lpm as the hardware keeps them, and a lookup in them. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdint.h>

#include "../../driver/ww_driver.h"
#include "../../driver/ww_lpm.h"

typedef struct answer {
    int hit;
    uint32_t index;
    uint64_t data;
} answer;

typedef struct image {
    ww_lpm_geometry_info shape;
    uint8_t *data, *list, *shorts;
    uint8_t *level[WW_LPM_LEVELS_MAX];
    void (*written)(void *context); /* after every row write, or NULL */
    void *context;
    uint64_t writes;
    uint64_t limit; /* row writes from this one on fail; 0: none */
} image;

void image_open(image *im, uint32_t key_bits, uint32_t data_bits, uint32_t entries);
void image_close(image *im);
/* Stores a row. Aborts if the row does not exist or has not `bits` bits; 0: do not check the bits. */
int image_write(image *im, uint32_t memory, uint32_t index, const uint8_t *row, uint32_t bits);
/* Finds the entry for a key, reading the rows as ww_table_lpm does. Aborts on a pointer out of range. */
answer image_lookup(const image *im, const uint8_t *key);

#endif
