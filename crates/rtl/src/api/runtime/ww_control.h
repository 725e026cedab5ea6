/*
 * What the generated control plane of a device stands on: fields of keys and rows, counters,
 * meters, multicast groups and mirror sessions. The tables are those of ww_driver.h.
 */
#ifndef WW_CONTROL_H
#define WW_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "ww_driver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- fields of a vector: bit 0 of byte 0 is bit 0 ---------------------------------- */

/* Puts a value of at most 64 bits at a place that is zero so far. WW_ERROR_RANGE if the value
 * needs more bits than `width`. */
int ww_put(uint8_t *vector, uint32_t offset, uint32_t width, uint64_t value);

/* The same for a value of any width: (width + 7) / 8 bytes in network order. */
int ww_put_bytes(uint8_t *vector, uint32_t offset, uint32_t width, const uint8_t *value);

/* Sets all bits of a field. */
void ww_put_ones(uint8_t *vector, uint32_t offset, uint32_t width);

/* Sets the `length` highest bits of a field; WW_ERROR_RANGE if it has fewer. */
int ww_put_prefix(uint8_t *vector, uint32_t offset, uint32_t width, uint32_t length);

/* Clears the bits of a field of `vector` that are clear in `mask`. */
void ww_keep(uint8_t *vector, const uint8_t *mask, uint32_t offset, uint32_t width);

/* A field of at most 64 bits. */
uint64_t ww_get(const uint8_t *vector, uint32_t offset, uint32_t width);

/* A field of any width, as (width + 7) / 8 bytes in network order. */
void ww_get_bytes(const uint8_t *vector, uint32_t offset, uint32_t width, uint8_t *value);

/* ---- rows ------------------------------------------------------------------------- */

/* Cell `index` of a counter array: packets and bytes since the start. Pointers may be NULL. */
int ww_counter_read(const ww_bus *bus, uint32_t window, uint32_t index, uint64_t *packets,
                    uint64_t *bytes);
int ww_counter_write(const ww_bus *bus, uint32_t window, uint32_t index, uint64_t packets,
                     uint64_t bytes);

/* Rates of a two-rate three-colour meter (RFC 2698), in packets or bytes. The rates are per
 * second, at most 1,152,921,504,606. */
typedef struct ww_rates {
    uint64_t committed_rate;
    uint32_t committed_burst;
    uint64_t peak_rate;
    uint32_t peak_burst;
} ww_rates;

/* Sets the rates of a meter, whose buckets are full then. NULL: everything is green. */
int ww_meter_write(const ww_bus *bus, uint32_t window, uint32_t index, const ww_rates *rates);

/* Whether the design behind the bus has rows of this many bits in the window: WW_OK, or
 * WW_ERROR_INFO if it is another design. */
int ww_window_check(const ww_bus *bus, uint32_t window, uint32_t row_bits);

/* ---- copies ----------------------------------------------------------------------- */

/* A copy of a packet: where to, and what the program reads as its replication id. */
typedef struct ww_replica {
    uint16_t replication_id;
    uint16_t port;
} ww_replica;

/* Copies go to the port that the packet has. */
#define WW_PORT_OF_PACKET 0xFFFFu
/* Copies of a mirror session stay whole. */
#define WW_WHOLE 0xFFFFu

/* Multicast groups and mirror sessions of a device. */
typedef struct ww_replication ww_replication;

/* Takes them to be empty. WW_ERROR_MEMORY if malloc fails. */
int ww_replication_open(ww_replication **copies, const ww_bus *bus, uint32_t window,
                        uint32_t groups, uint32_t replicas, uint32_t sessions);
void ww_replication_close(ww_replication *copies);

/* Replaces the members of a group; `count` 0 empties it. Packets meanwhile get the old or the new
 * members. WW_ERROR_FULL if there are not so many free rows next to each other. */
int ww_multicast_set(ww_replication *copies, uint32_t group, const ww_replica *members,
                     uint32_t count);

/* Replaces the copies of a mirror session, cut to `truncate` bytes or WW_WHOLE. */
int ww_mirror_set(ww_replication *copies, uint32_t session, const ww_replica *members,
                  uint32_t count, uint32_t truncate);

/* Empties all groups and sessions and writes every row. */
int ww_replication_clear(ww_replication *copies);

#ifdef __cplusplus
}
#endif

#endif
