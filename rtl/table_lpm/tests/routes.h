/* Prefixes for the tests: sets with the shape of Internet routing tables, and random ones. */
#ifndef ROUTES_H
#define ROUTES_H

#include <stdint.h>

/* The first bit of the key is the top bit of `high`; bits behind the prefix are zero. */
typedef struct route {
    uint64_t high, low;
    uint32_t length;
} route;

/* xorshift64*, so that a seed gives the same tables everywhere. */
typedef struct randomness {
    uint64_t state;
} randomness;

uint64_t draw(randomness *r);
/* Evenly from 0 .. count - 1. */
uint32_t below(randomness *r, uint32_t count);

/* Clears the bits behind the prefix. */
void clip(route *r);
/* Key bytes of a key of `key_bits` bits, as the driver takes them. */
void key_bytes(const route *r, uint32_t key_bits, uint8_t bytes[16]);
int matches(const route *prefix, const route *key);

/* `count` different prefixes in random order. Holders of address blocks announce runs of equal
 * prefixes and some of the blocks themselves, as in BGP tables. */
void internet_routes(randomness *r, uint32_t key_bits, uint32_t count, route *routes);

#endif
