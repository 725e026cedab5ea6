#include "ww_control.h"

#include <stdlib.h>
#include <string.h>

/* ---- fields ----------------------------------------------------------------------- */

static void set_bit(uint8_t *vector, uint32_t at)
{
    vector[at / 8] |= (uint8_t)(1u << (at % 8));
}

static unsigned bit(const uint8_t *vector, uint32_t at)
{
    return (vector[at / 8] >> (at % 8)) & 1u;
}

int ww_put(uint8_t *vector, uint32_t offset, uint32_t width, uint64_t value)
{
    uint32_t n;

    if (width < 64 && value >> width != 0)
        return WW_ERROR_RANGE;
    for (n = 0; n < width && n < 64; n++)
        if (value >> n & 1)
            set_bit(vector, offset + n);
    return WW_OK;
}

int ww_put_bytes(uint8_t *vector, uint32_t offset, uint32_t width, const uint8_t *value)
{
    uint32_t bytes = (width + 7) / 8;
    uint32_t n;

    if (width % 8 != 0 && value[0] >> (width % 8) != 0)
        return WW_ERROR_RANGE;
    for (n = 0; n < width; n++)
        if (value[bytes - 1 - n / 8] >> (n % 8) & 1)
            set_bit(vector, offset + n);
    return WW_OK;
}

void ww_put_ones(uint8_t *vector, uint32_t offset, uint32_t width)
{
    uint32_t n;

    for (n = 0; n < width; n++)
        set_bit(vector, offset + n);
}

int ww_put_prefix(uint8_t *vector, uint32_t offset, uint32_t width, uint32_t length)
{
    if (length > width)
        return WW_ERROR_RANGE;
    ww_put_ones(vector, offset + width - length, length);
    return WW_OK;
}

void ww_keep(uint8_t *vector, const uint8_t *mask, uint32_t offset, uint32_t width)
{
    uint32_t at;

    for (at = offset; at < offset + width; at++)
        if (!bit(mask, at))
            vector[at / 8] &= (uint8_t)~(1u << (at % 8));
}

uint64_t ww_get(const uint8_t *vector, uint32_t offset, uint32_t width)
{
    uint64_t value = 0;
    uint32_t n;

    for (n = 0; n < width && n < 64; n++)
        value |= (uint64_t)bit(vector, offset + n) << n;
    return value;
}

void ww_get_bytes(const uint8_t *vector, uint32_t offset, uint32_t width, uint8_t *value)
{
    uint32_t bytes = (width + 7) / 8;
    uint32_t n;

    memset(value, 0, bytes);
    for (n = 0; n < width; n++)
        value[bytes - 1 - n / 8] |= (uint8_t)(bit(vector, offset + n) << (n % 8));
}

/* ---- rows ------------------------------------------------------------------------- */

int ww_counter_read(const ww_bus *bus, uint32_t window, uint32_t index, uint64_t *packets,
                    uint64_t *bytes)
{
    uint8_t row[16];
    int error = ww_row_read(bus, window, 0, index, row, 128);

    if (error != WW_OK)
        return error;
    if (packets)
        *packets = ww_get(row, 0, 64);
    if (bytes)
        *bytes = ww_get(row, 64, 64);
    return WW_OK;
}

int ww_counter_write(const ww_bus *bus, uint32_t window, uint32_t index, uint64_t packets,
                     uint64_t bytes)
{
    uint8_t row[16] = {0};

    ww_put(row, 0, 64, packets);
    ww_put(row, 64, 64, bytes);
    return ww_row_write(bus, window, 0, index, row, 128);
}

/* Rates are in 10^-12 units per microsecond, bursts in 10^-12 units. */
enum { RATE_BITS = 60, TOKEN_BITS = 72, METER_BITS = 1 + 2 * (RATE_BITS + TOKEN_BITS) };

static int put_rate(uint8_t *row, uint32_t offset, uint64_t rate, uint32_t burst)
{
    const uint64_t fraction = 1000000000000u;
    uint8_t tokens[TOKEN_BITS / 8]; /* network order */
    uint64_t sum = 0;
    int n;

    if (rate > ((UINT64_C(1) << RATE_BITS) - 1) / 1000000)
        return WW_ERROR_RANGE;
    /* burst * 10^12 has up to 72 bits: byte by byte. */
    for (n = 0; n < (int)sizeof tokens; n++) {
        if (n < 5)
            sum += (fraction >> (8 * n) & 0xFF) * burst;
        tokens[sizeof tokens - 1 - (size_t)n] = (uint8_t)sum;
        sum >>= 8;
    }
    ww_put(row, offset, RATE_BITS, rate * 1000000);
    return ww_put_bytes(row, offset + RATE_BITS, TOKEN_BITS, tokens);
}

int ww_meter_write(const ww_bus *bus, uint32_t window, uint32_t index, const ww_rates *rates)
{
    uint8_t row[(METER_BITS + 7) / 8] = {0};

    if (rates) {
        int error = put_rate(row, 0, rates->committed_rate, rates->committed_burst);

        if (error == WW_OK)
            error = put_rate(row, RATE_BITS + TOKEN_BITS, rates->peak_rate, rates->peak_burst);
        if (error != WW_OK)
            return error;
        ww_put(row, METER_BITS - 1, 1, 1);
    }
    return ww_row_write(bus, window, 0, index, row, METER_BITS);
}

int ww_window_check(const ww_bus *bus, uint32_t window, uint32_t row_bits)
{
    uint32_t width, object;

    if (bus->read(bus->context, window << 12 | WW_WINDOW_WIDTH, &width) != 0 ||
        bus->read(bus->context, window << 12 | WW_WINDOW_OBJECT, &object) != 0)
        return WW_ERROR_BUS;
    return width == row_bits && object == window ? WW_OK : WW_ERROR_INFO;
}

/* ---- copies ----------------------------------------------------------------------- */

enum { GROUPS = 0, REPLICAS = 1, SESSIONS = 2, REPLICATION_BITS = 48 };

typedef struct range {
    uint16_t first, count;
} range;

struct ww_replication {
    ww_bus bus;
    uint32_t window, groups, replicas, sessions;
    range *group, *session;
    uint8_t *used; /* a byte for each row of replicas */
};

int ww_replication_open(ww_replication **copies, const ww_bus *bus, uint32_t window,
                        uint32_t groups, uint32_t replicas, uint32_t sessions)
{
    ww_replication *made = calloc(1, sizeof *made);

    *copies = NULL;
    if (!made)
        return WW_ERROR_MEMORY;
    made->bus = *bus;
    made->window = window;
    made->groups = groups;
    made->replicas = replicas;
    made->sessions = sessions;
    made->group = calloc(groups ? groups : 1, sizeof *made->group);
    made->session = calloc(sessions ? sessions : 1, sizeof *made->session);
    made->used = calloc(replicas ? replicas : 1, 1);
    if (!made->group || !made->session || !made->used) {
        ww_replication_close(made);
        return WW_ERROR_MEMORY;
    }
    *copies = made;
    return WW_OK;
}

void ww_replication_close(ww_replication *copies)
{
    if (!copies)
        return;
    free(copies->group);
    free(copies->session);
    free(copies->used);
    free(copies);
}

static int write_row(ww_replication *copies, uint32_t memory, uint32_t index, uint64_t value)
{
    uint8_t row[REPLICATION_BITS / 8] = {0};

    ww_put(row, 0, REPLICATION_BITS, value);
    return ww_row_write(&copies->bus, copies->window, memory, index, row, REPLICATION_BITS);
}

/* The first run of `count` free rows, or WW_ERROR_FULL. */
static int find_run(const ww_replication *copies, uint32_t count, uint32_t *first)
{
    uint32_t row, length = 0;

    for (row = 0; row < copies->replicas; row++) {
        length = copies->used[row] ? 0 : length + 1;
        if (length == count) {
            *first = row + 1 - count;
            return WW_OK;
        }
    }
    return WW_ERROR_FULL;
}

/* The new members get rows of their own, then the one row is written that points at them. */
static int replace(ww_replication *copies, uint32_t memory, uint32_t index, range *place,
                   const ww_replica *members, uint32_t count, uint32_t truncate)
{
    uint32_t first = 0, n;
    int error;

    if (count > UINT16_MAX || truncate > WW_WHOLE)
        return WW_ERROR_RANGE;
    if (count > 0) {
        error = find_run(copies, count, &first);
        if (error != WW_OK)
            return error;
    }
    for (n = 0; n < count; n++) {
        error = write_row(copies, REPLICAS, first + n,
                          members[n].replication_id | (uint64_t)members[n].port << 16);
        if (error != WW_OK)
            return error;
    }
    if (memory == GROUPS)
        error = write_row(copies, memory, index, first | (uint64_t)count << 16);
    else
        error = write_row(copies, memory, index,
                          truncate | (uint64_t)count << 16 | (uint64_t)first << 32);
    if (error != WW_OK)
        return error;
    memset(copies->used + place->first, 0, place->count);
    if (count > 0)
        memset(copies->used + first, 1, count);
    place->first = (uint16_t)first;
    place->count = (uint16_t)count;
    return WW_OK;
}

int ww_multicast_set(ww_replication *copies, uint32_t group, const ww_replica *members,
                     uint32_t count)
{
    if (group >= copies->groups)
        return WW_ERROR_RANGE;
    return replace(copies, GROUPS, group, &copies->group[group], members, count, WW_WHOLE);
}

int ww_mirror_set(ww_replication *copies, uint32_t session, const ww_replica *members,
                  uint32_t count, uint32_t truncate)
{
    if (session >= copies->sessions)
        return WW_ERROR_RANGE;
    return replace(copies, SESSIONS, session, &copies->session[session], members, count, truncate);
}

int ww_replication_clear(ww_replication *copies)
{
    uint32_t n;
    int error = WW_OK;

    for (n = 0; n < copies->groups && error == WW_OK; n++)
        error = write_row(copies, GROUPS, n, 0);
    for (n = 0; n < copies->sessions && error == WW_OK; n++)
        error = write_row(copies, SESSIONS, n, 0);
    if (error != WW_OK)
        return error;
    memset(copies->group, 0, copies->groups * sizeof *copies->group);
    memset(copies->session, 0, copies->sessions * sizeof *copies->session);
    memset(copies->used, 0, copies->replicas);
    return WW_OK;
}
