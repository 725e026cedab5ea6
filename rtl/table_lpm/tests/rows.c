/* Stands in for the bus when the driver is loaded into the cocotb tests: row writes go to a callback. */
#include "../../driver/ww_driver.h"

typedef void row_sink(uint32_t memory, uint32_t index, const uint8_t *row, uint32_t bits);

static row_sink *sink;

void on_row_write(row_sink *callback) { sink = callback; }

int ww_row_write(const ww_bus *bus, uint32_t window, uint32_t memory, uint32_t index,
                 const uint8_t *row, uint32_t bits) {
    (void)bus;
    (void)window;
    sink(memory, index, row, bits);
    return WW_OK;
}
