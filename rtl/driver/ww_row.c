/* Rows of an object's memories, through its window on the control bus. */

#include "ww_shadow.h"

enum { ROW_BITS_MAX = 768 * 32, WINDOWS = 4096 };

const char *ww_error_text(int error)
{
    switch (error) {
    case WW_OK:
        return "no error";
    case WW_ERROR_BUS:
        return "the control bus reported a failure; the state of the hardware is not known";
    case WW_ERROR_FULL:
        return "the table has no room for the entry";
    case WW_ERROR_EXISTS:
        return "the table already has an entry with this match";
    case WW_ERROR_NOT_FOUND:
        return "the table has no entry with this match";
    case WW_ERROR_RANGE:
        return "a key, mask, data, prefix length or row number is outside its range";
    case WW_ERROR_INFO:
        return "the description of the table is not consistent";
    case WW_ERROR_MEMORY:
        return "there is not enough memory for the table's shadow";
    default:
        return "unknown error number";
    }
}

static int legal(uint32_t window, uint32_t memory, uint32_t index, uint32_t bits)
{
    return window < WINDOWS && memory < 16 && index < (1u << 28) && bits >= 1 &&
           bits <= ROW_BITS_MAX;
}

static uint32_t row_address(uint32_t memory, uint32_t index)
{
    return (memory << 28) | index;
}

int ww_row_write(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index,
                 const uint8_t *row, uint32_t bits)
{
    const uint32_t base = window << 12;
    const uint32_t bytes = (bits + 7) / 8;

    if (!legal(window, memory, index, bits))
        return WW_ERROR_RANGE;
    for (uint32_t first = 0; first < bytes; first += 4) {
        uint32_t word = 0;
        for (uint32_t i = 0; i < 4 && first + i < bytes; i++)
            word |= (uint32_t)row[first + i] << (8 * i);
        if (bus->write(bus->context, base + WW_WINDOW_STAGING + first, word) != 0)
            return WW_ERROR_BUS;
    }
    return ww_row_store(bus, window, memory, index);
}

int ww_row_store(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index)
{
    const uint32_t address = (window << 12) + WW_WINDOW_WRITE;

    return bus->write(bus->context, address, row_address(memory, index)) == 0 ? WW_OK
                                                                              : WW_ERROR_BUS;
}

int ww_row_read(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index,
                uint8_t *row, uint32_t bits)
{
    const uint32_t base = window << 12;
    const uint32_t bytes = (bits + 7) / 8;

    if (!legal(window, memory, index, bits))
        return WW_ERROR_RANGE;
    if (bus->write(bus->context, base + WW_WINDOW_READ, row_address(memory, index)) != 0)
        return WW_ERROR_BUS;
    for (uint32_t first = 0; first < bytes; first += 4) {
        uint32_t word = 0;
        if (bus->read(bus->context, base + WW_WINDOW_STAGING + first, &word) != 0)
            return WW_ERROR_BUS;
        for (uint32_t i = 0; i < 4 && first + i < bytes; i++)
            row[first + i] = (uint8_t)(word >> (8 * i));
    }
    if (bits % 8 != 0)
        row[bytes - 1] &= (uint8_t)((1u << (bits % 8)) - 1);
    return WW_OK;
}

void ww_bits_copy(uint8_t *target, uint32_t to, const uint8_t *source, uint32_t bits)
{
    for (uint32_t done = 0; done < bits; done += 8) {
        const uint32_t position = to + done;
        const uint32_t left = bits - done;
        uint32_t value = source[done / 8];
        if (left < 8)
            value &= (1u << left) - 1;
        value <<= position % 8;
        target[position / 8] |= (uint8_t)value;
        if (value >> 8 != 0)
            target[position / 8 + 1] |= (uint8_t)(value >> 8);
    }
}

int ww_bits_excess(const uint8_t *bytes, uint32_t bits)
{
    return bits % 8 != 0 && bytes[bits / 8] >> (bits % 8) != 0;
}
