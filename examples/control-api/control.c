/*
 * Controls a simulated device that counts UDP packets by destination port: entries, defaults,
 * counters, packets. Ends with 0 if the device does what the entries say.
 */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "udp_count.h"

#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            return 1;                                                            \
        }                                                                        \
    } while (0)

enum { DNS = 53, TFTP = 69, FRAME = 60 };

static model *hardware;

/* A UDP packet to a port, in at port 0 of the device. Returns where it comes out, -1 if it is
 * dropped, -2 if it is not the packet that went in. */
static int send_udp(uint16_t destination)
{
    uint8_t frame[FRAME] = {
        0x02, 0, 0, 0, 0, 2, 0x02, 0, 0, 0, 0, 1, 0x08, 0x00,              /* Ethernet */
        0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2, /* IPv4 */
        0x30, 0x39, 0, 0, 0, 26, 0, 0,                                      /* UDP */
    };
    uint8_t out[2 * FRAME];
    uint16_t port = 0;
    size_t length;

    frame[36] = (uint8_t)(destination >> 8);
    frame[37] = (uint8_t)destination;
    if (model_send(hardware, 0, frame, sizeof frame) != 0)
        return -2;
    length = model_receive(hardware, &port, out, sizeof out);
    if (length == 0)
        return -1;
    return length == sizeof frame && memcmp(frame, out, sizeof frame) == 0 ? port : -2;
}

static uint64_t packets(udp_count *device, uint32_t cell)
{
    uint64_t count = UINT64_MAX;

    if (udp_count_ingress_c1_read(device, cell, &count, NULL) != WW_OK)
        fprintf(stderr, "the counter cannot be read\n");
    return count;
}

static int run(udp_count *device)
{
    udp_count_ingress_udp_ports_action action;
    udp_count_counts counts;

    /* Without entries everything passes, uncounted. */
    CHECK(send_udp(DNS) == 1);

    /* Insert, and read back. */
    CHECK(udp_count_ingress_udp_ports_insert_count(device, DNS, 1) == WW_OK);
    CHECK(udp_count_ingress_udp_ports_insert_drop(device, TFTP) == WW_OK);
    CHECK(udp_count_ingress_udp_ports_insert_drop(device, DNS) == WW_ERROR_EXISTS);
    CHECK(udp_count_ingress_udp_ports_insert_count(device, 1, 1024) == WW_ERROR_RANGE);
    CHECK(udp_count_ingress_udp_ports_count(device) == 2);
    CHECK(udp_count_ingress_udp_ports_read(device, DNS, &action) == WW_OK);
    CHECK(action.action == UDP_COUNT_INGRESS_UDP_PORTS_COUNT && action.parameters.count.cell == 1);
    CHECK(send_udp(DNS) == 1 && send_udp(DNS) == 1 && packets(device, 1) == 2);
    CHECK(send_udp(TFTP) == -1);

    /* Modify. */
    CHECK(udp_count_ingress_udp_ports_modify_count(device, DNS, 1023) == WW_OK);
    CHECK(send_udp(DNS) == 1 && packets(device, 1) == 2 && packets(device, 1023) == 1);

    /* Counters can be set. */
    CHECK(udp_count_ingress_c1_write(device, 1023, UINT64_C(0xFFFFFFFF), 0) == WW_OK);
    CHECK(send_udp(DNS) == 1 && packets(device, 1023) == UINT64_C(0x100000000));
    CHECK(udp_count_ingress_c1_read(device, 1024, NULL, NULL) == WW_ERROR_RANGE);

    /* Delete. */
    CHECK(udp_count_ingress_udp_ports_delete(device, DNS) == WW_OK);
    CHECK(udp_count_ingress_udp_ports_delete(device, DNS) == WW_ERROR_NOT_FOUND);
    CHECK(send_udp(DNS) == 1 && packets(device, 1023) == UINT64_C(0x100000000));

    /* Another default action; the reset brings the program's own back, and removes the entries. */
    CHECK(udp_count_ingress_udp_ports_set_default_drop(device) == WW_OK);
    CHECK(send_udp(DNS) == -1);
    CHECK(udp_count_reset(device) == WW_OK);
    CHECK(send_udp(DNS) == 1 && send_udp(TFTP) == 1);

    /* Ten packets came in; one to TFTP and that with the default action drop went nowhere. */
    CHECK(udp_count_counts_read(device, &counts) == WW_OK);
    CHECK(counts.packets_received == 10 && counts.packets_sent == 8 && counts.packets_dropped == 2);
    return 0;
}

int main(void)
{
    ww_bus bus = {0};
    udp_count *device;
    int failed;

    hardware = model_open();
    if (!hardware)
        return 1;
    bus.context = hardware;
    bus.write = model_write;
    bus.read = model_read;
    failed = udp_count_open(&device, &bus);
    if (failed != WW_OK) {
        fprintf(stderr, "%s\n", ww_error_text(failed));
    } else {
        failed = run(device);
        udp_count_close(device);
    }
    model_close(hardware);
    puts(failed ? "failed" : "passed");
    return failed ? 1 : 0;
}
