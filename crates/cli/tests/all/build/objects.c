/* The structures of the generated C functions, on the simulated device of objects.p4. */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "objects.h"

#define CHECK(condition)                                                \
    do {                                                                \
        if (!(condition)) {                                             \
            fprintf(stderr, "line %d: not true: %s\n", __LINE__, #condition); \
            return 1;                                                   \
        }                                                               \
    } while (0)

enum { FRAME = 33, OUT_TERNARY = 12, OUT_LPM = 14, OUT_EXACT = 16, OUT_OWN = 22, OUT_COLOUR = 28 };

static const uint8_t mac[6] = {2, 3, 4, 5, 6, 7};
static model *hardware;
static uint8_t out[FRAME];

/* Sends a packet with this address and `mac`; returns where it comes out, -1 if nowhere. */
static int send_packet(uint8_t a, uint8_t b, uint32_t address)
{
    uint8_t frame[FRAME] = {0};
    uint16_t port;
    int n;

    frame[0] = a;
    frame[1] = b;
    for (n = 0; n < 4; n++)
        frame[2 + n] = (uint8_t)(address >> (24 - 8 * n));
    memcpy(frame + 6, mac, sizeof mac);
    if (model_send(hardware, 0, frame, sizeof frame) != 0)
        return -2;
    return model_receive(hardware, &port, out, sizeof out) == FRAME ? port : -1;
}

static unsigned word(int at)
{
    return (unsigned)out[at] << 8 | out[at + 1];
}

static int run(objects *device)
{
    static const uint8_t to[6] = {10, 11, 12, 13, 14, 15};
    objects_ingress_by_ternary_match rule = {.a = 0x10, .a_mask = 0xF0, .b_low = 4, .b_high = 9,
                                             .mac_any = 1, .priority = 5};
    objects_ingress_by_ternary_match any = {.b_high = 255, .mac = {2, 3, 4, 5, 6, 7}, .priority = -1};
    objects_ingress_by_prefix_match net = {.address = 0x0A010000, .address_prefix = 16};
    objects_ingress_by_mac_action action;
    objects_digest digest;
    ww_replica members[2] = {{1, 8}, {2, 9}};
    ww_rates rates = {1, 1, 1, 2};
    uint64_t packets, bytes, value;

    CHECK(send_packet(0, 2, 0) == 0 && word(OUT_OWN) == 0x202 && word(OUT_LPM) == 0xFFFF);
    CHECK(objects_ingress_by_ternary_insert_mark(device, &rule, 1) == WW_OK);
    CHECK(objects_ingress_by_ternary_insert_mark(device, &any, 2) == WW_OK);
    CHECK(objects_ingress_by_prefix_insert_via(device, &net, 3) == WW_OK);
    CHECK(objects_ingress_by_mac_insert_rewrite(device, mac, 0x12, to) == WW_OK);
    net.address_prefix = 33;
    CHECK(objects_ingress_by_prefix_insert_via(device, &net, 3) == WW_ERROR_RANGE);

    CHECK(send_packet(0x12, 9, 0x0A01FFFF) == 0);
    CHECK(word(OUT_TERNARY) == 1 && word(OUT_LPM) == 3 && memcmp(out + OUT_EXACT, to, 6) == 0);
    CHECK(send_packet(0x12, 10, 0x0A02FFFF) == 0);
    CHECK(word(OUT_TERNARY) == 2 && word(OUT_LPM) == 0xFFFF);
    CHECK(objects_ingress_by_ternary_counter_read(device, &any, &packets, &bytes) == WW_OK);
    CHECK(packets == 1 && bytes == FRAME);
    CHECK(objects_ingress_by_ternary_delete(device, &any) == WW_OK);
    CHECK(send_packet(0x12, 10, 0) == 0 && word(OUT_TERNARY) == 0);
    CHECK(objects_ingress_by_mac_read(device, mac, 0x12, &action) == WW_OK);
    CHECK(action.action == OBJECTS_INGRESS_BY_MAC_REWRITE &&
          memcmp(action.parameters.rewrite.mac_2, to, 6) == 0);
    CHECK(objects_ingress_own_count(device) == 2);

    CHECK(objects_ingress_cells_write(device, 3, 0x12345678) == WW_OK);
    CHECK(send_packet(3, 0, 0) == 0);
    CHECK(objects_ingress_cells_read(device, 3, &value) == WW_OK && value == 0x12345679);
    CHECK(objects_ingress_cells_write(device, 16, 0) == WW_ERROR_RANGE);

    CHECK(objects_ingress_rates_write(device, 3, &rates) == WW_OK);
    CHECK(send_packet(3, 0, 0) == 0 && out[OUT_COLOUR] == 0);
    CHECK(send_packet(3, 0, 0) == 0 && out[OUT_COLOUR] == 1);
    CHECK(send_packet(3, 0, 0) == 0 && out[OUT_COLOUR] == 2);
    CHECK(objects_ingress_rates_write(device, 3, NULL) == WW_OK);
    CHECK(send_packet(3, 0, 0) == 0 && out[OUT_COLOUR] == 0);

    CHECK(objects_multicast_set(device, 1, members, 2) == WW_OK);
    while (objects_digest_take(device, &digest) == WW_OK)
        ;
    CHECK(send_packet(0x77, 0x10, 0) == 8 && model_receive(hardware, &(uint16_t){0}, out, FRAME));
    CHECK(objects_digest_take(device, &digest) == WW_OK);
    CHECK(digest.kind == OBJECTS_DIGEST_SEEN_T && digest.receiver == 3);
    CHECK(digest.fields.seen_t.a == 0x77 && memcmp(digest.fields.seen_t.mac, mac, 6) == 0);
    CHECK(objects_digest_take(device, &digest) == WW_ERROR_NOT_FOUND);
    return 0;
}

int main(void)
{
    ww_bus bus = {0};
    objects *device;
    int failed;

    hardware = model_open();
    if (!hardware)
        return 1;
    bus.context = hardware;
    bus.write = model_write;
    bus.read = model_read;
    failed = objects_open(&device, &bus);
    if (failed == WW_OK) {
        failed = run(device);
        objects_close(device);
    }
    model_close(hardware);
    puts(failed ? "failed" : "passed");
    return failed != 0;
}
