/* A device as a Verilator model: its control bus and its packets, from C. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The model with its clock. */
typedef struct model model;

/* A model after its reset; NULL if there is no memory for it. */
model *model_open(void);
void model_close(model *device);

/* A word over AXI4-Lite, as the callbacks of ww_bus: 0, or -1 if the design answers with an error
 * or not at all. `device` is a model. */
int model_write(void *device, uint32_t address, uint32_t word);
int model_read(void *device, uint32_t address, uint32_t *word);

/* Sends a frame into a port, and lets the clock run until nothing is inside. 0, or -1 if that
 * does not happen. */
int model_send(model *device, uint16_t port, const uint8_t *frame, size_t length);

/* Takes the oldest frame that has come out: its length, 0 if there is none. What is beyond `room`
 * is cut off. */
size_t model_receive(model *device, uint16_t *port, uint8_t *frame, size_t room);

#ifdef __cplusplus
}
#endif

#endif
