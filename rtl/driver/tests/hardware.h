/*
 * The tables' memories behind a ww_bus, and what the hardware answers to a lookup. For the
 * driver's tests: the rows are read as the READMEs of the tables describe them.
 */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdint.h>

#include "../ww_driver.h"

enum { HARDWARE_KEY_BYTES = 64, HARDWARE_DATA_BYTES = 64, HARDWARE_MEMORIES = 16 };

typedef struct hardware {
    const ww_table_info *info;
    uint32_t rows;         /* of each memory */
    uint32_t row_bytes;
    uint8_t *memory[HARDWARE_MEMORIES];
    uint8_t staging[4 * 768];
    uint64_t words;        /* accesses of the bus */
    uint64_t row_writes;
    uint64_t fail_at;      /* the access with this number fails; 0: none does */
    void (*after_row)(void *context); /* called after each row write, or NULL */
    void *context;
} hardware;

/* Makes empty memories for a table. */
void hardware_make(hardware *h, const ww_table_info *info);

/* Frees them. */
void hardware_free(hardware *h);

/* The bus that reaches them. */
ww_bus hardware_bus(hardware *h);

/* What a lookup of `key` gives: 1 with `data` (the data and the entry number above them),
 * or 0. If two places have the key their data must be equal; otherwise the program ends. */
int hardware_lookup(const hardware *h, const uint8_t *key, uint8_t *data);

/* Ends the program with a message unless `truth`. */
#define CHECK(truth) hardware_check((truth) != 0, #truth, __FILE__, __LINE__)
void hardware_check(int truth, const char *text, const char *file, int line);

/* A random number: xorshift64* (Vigna, 2016). */
uint32_t hardware_random(uint32_t below);

/* Sets what hardware_random gives. */
void hardware_seed(uint64_t seed);

#endif
