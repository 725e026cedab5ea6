#include "routes.h"

#include <stdlib.h>

uint64_t draw(randomness *r) {
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545F4914F6CDD1Du;
}

uint32_t below(randomness *r, uint32_t count) {
    return (uint32_t)(((draw(r) >> 32) * count) >> 32);
}

void clip(route *r) {
    if (r->length < 64) {
        r->high = r->length == 0 ? 0 : r->high & ~(uint64_t)0 << (64 - r->length);
        r->low = 0;
    } else {
        r->low = r->length == 64 ? 0 : r->low & ~(uint64_t)0 << (128 - r->length);
    }
}

void key_bytes(const route *r, uint32_t key_bits, uint8_t bytes[16]) {
    for (uint32_t i = 0; i < 16; i++) bytes[i] = 0;
    for (uint32_t i = 0; i < key_bits; i++) {
        const uint64_t word = i < 64 ? r->high : r->low;
        const uint32_t at = key_bits - 1 - i;
        bytes[at / 8] = (uint8_t)(bytes[at / 8] | (word >> (63 - i % 64) & 1) << at % 8);
    }
}

int matches(const route *prefix, const route *key) {
    route cut = *key;
    cut.length = prefix->length;
    clip(&cut);
    return cut.high == prefix->high && cut.low == prefix->low;
}

/* Percent of the prefixes that have a length. */
typedef struct share {
    uint32_t length, percent;
} share;

/* IPv4: 60 % /24, 10 % /23 and /22 each; some host routes. */
static const share ipv4_shares[] = {{24, 60}, {23, 10}, {22, 10}, {21, 5}, {20, 5}, {19, 3},
                                    {18, 2},  {17, 1},  {16, 3},  {32, 1}, {0, 0}};
static const share ipv4_holders[] = {{16, 15}, {17, 5}, {18, 10}, {19, 20}, {20, 25}, {22, 25}, {0, 0}};
/* IPv6: half /48, the rest /29 to /64, a few longer ones. */
static const share ipv6_shares[] = {{48, 50}, {32, 12}, {44, 9}, {40, 8}, {36, 5}, {29, 3}, {33, 2},
                                    {34, 1},  {46, 2},  {47, 2}, {45, 1}, {42, 1}, {38, 1}, {64, 2},
                                    {128, 1}, {0, 0}};
static const share ipv6_holders[] = {{29, 25}, {32, 75}, {0, 0}};

static uint32_t pick(randomness *r, const share *shares) {
    uint32_t at = below(r, 100);
    while (shares[1].percent > 0 && at >= shares->percent) at -= shares++->percent;
    return shares->length;
}

/* Adds to a prefix the value `part` in its last bits. */
static route extended(route base, uint32_t length, uint64_t part) {
    base.length = length;
    if (length <= 64)
        base.high += part << (64 - length);
    else
        base.low += part << (128 - length);
    return base;
}

static route holder(randomness *r, uint32_t key_bits, const share *shares) {
    route block = {0, 0, pick(r, shares)};
    if (key_bits == 32) {
        /* 1.0.0.0 to 223.255.255.255, half of it in a third of the /8. */
        uint32_t first = 1 + below(r, 223);
        if (below(r, 2)) first = 1 + first / 3 * 3 % 223;
        block.high = (uint64_t)first << 56 | draw(r) >> 8;
    } else {
        /* Registries fill 2001::/16, 2400::/12, 2600::/12, 2800::/12 and 2a00::/12 from below. */
        static const uint32_t regions[] = {0x2001, 0x2400, 0x2600, 0x2800, 0x2a00};
        const uint32_t region = below(r, 5);
        block.high = (uint64_t)regions[region] << 48;
        block.high |= draw(r) >> (region == 0 ? 16 : 12) & (region == 0 ? ~(uint64_t)0 : 0xFFFFFFFFFFFFFu);
    }
    clip(&block);
    return block;
}

enum { SLOTS = 1 << 21 };

/* Whether the route is new; notes it. */
static int note(route *slots, const route *r) {
    uint64_t hash = (r->high ^ r->low * 31 ^ (uint64_t)r->length << 7) * 0x9E3779B97F4A7C15u;
    for (uint32_t at = (uint32_t)(hash >> 43);; at = (at + 1) % SLOTS) {
        route *slot = &slots[at];
        if (slot->length == 0) {
            *slot = *r;
            return 1;
        }
        if (slot->high == r->high && slot->low == r->low && slot->length == r->length) return 0;
    }
}

void internet_routes(randomness *r, uint32_t key_bits, uint32_t count, route *routes) {
    route *slots = calloc(SLOTS, sizeof *slots);
    const share *shares = key_bits == 32 ? ipv4_shares : ipv6_shares;
    uint32_t made = 0;
    while (made < count) {
        const route block = holder(r, key_bits, key_bits == 32 ? ipv4_holders : ipv6_holders);
        /* Few holders announce much: 1, 2, 4 .. runs with halving probability. */
        uint32_t runs = 1;
        while (runs < 256 && below(r, 100) < 55) runs *= 2;
        while (runs-- > 0 && made < count) {
            const uint32_t length = pick(r, shares);
            if (length < block.length) continue;
            route base = block;
            if (length > 64) {
                /* A host, in some subnet of the holder. */
                base.high |= draw(r) >> block.length;
                base.length = 65;
            }
            const uint32_t width = length - base.length;
            const uint64_t size = (uint64_t)1 << width;
            /* Sites are numbered from the start of the block, or on round numbers. */
            uint64_t part = draw(r) & (size - 1);
            if (width > 8 && below(r, 2)) part &= 0xFF;
            uint32_t run = 1;
            while (below(r, 100) < 60) run++;
            for (; run > 0 && part < size && made < count; run--, part++) {
                const route made_route = extended(base, length, part);
                if (note(slots, &made_route)) routes[made++] = made_route;
            }
        }
        if (below(r, 3) == 0 && made < count && note(slots, &block)) routes[made++] = block;
    }
    for (uint32_t i = count - 1; i > 0; i--) {
        const uint32_t j = below(r, i + 1);
        const route swap = routes[i];
        routes[i] = routes[j];
        routes[j] = swap;
    }
    free(slots);
}
