// Drives the ports of a design with a 64-bit bus that Verilator has turned into the class Vdevice.
#include "device.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <vector>

#include "Vdevice.h"
#include "verilated.h"

namespace {

constexpr size_t BEAT = 8;          // bytes
constexpr int PATIENCE = 100000;    // clocks

struct Frame {
    uint16_t port;
    std::vector<uint8_t> bytes;
};

}  // namespace

struct model {
    VerilatedContext context;
    std::unique_ptr<Vdevice> top{new Vdevice{&context, "device"}};
    std::deque<Frame> out;
    std::vector<uint8_t> arriving;

    // One clock; `sample` looks at the outputs just before the edge.
    template <typename Sample>
    void clock(Sample sample) {
        top->clk = 0;
        top->eval();
        sample();
        if (top->m_axis_tvalid && top->m_axis_tready) {
            take_beat();
        }
        top->clk = 1;
        top->eval();
    }

    void clock() {
        clock([] {});
    }

    void take_beat() {
        for (size_t n = 0; n < BEAT; n++) {
            if (top->m_axis_tkeep >> n & 1) {
                arriving.push_back(static_cast<uint8_t>(top->m_axis_tdata >> (8 * n)));
            }
        }
        if (top->m_axis_tlast) {
            // tuser = {time[47:0], port[15:0], bad_fcs}
            out.push_back({static_cast<uint16_t>(top->m_axis_tuser[0] >> 1), arriving});
            arriving.clear();
        }
    }
};

model *model_open(void) {
    auto *device = new (std::nothrow) model;
    if (device == nullptr) {
        return nullptr;
    }
    auto &top = *device->top;
    top.rst = 1;
    top.m_axis_tready = 1;
    top.cfg_valid = 0;
    for (int n = 0; n < 4; n++) {
        device->clock();
    }
    top.rst = 0;
    device->clock();
    return device;
}

void model_close(model *device) {
    delete device;
}

int model_write(void *context, uint32_t address, uint32_t word) {
    auto &device = *static_cast<model *>(context);
    auto &top = *device.top;
    top.s_axil_awaddr = address;
    top.s_axil_awvalid = 1;
    top.s_axil_wdata = word;
    top.s_axil_wstrb = 0xF;
    top.s_axil_wvalid = 1;
    top.s_axil_bready = 1;
    bool done = false;
    int response = 0;
    for (int n = 0; n < PATIENCE && !done; n++) {
        bool address_taken = false;
        bool word_taken = false;
        device.clock([&] {
            address_taken = top.s_axil_awvalid && top.s_axil_awready;
            word_taken = top.s_axil_wvalid && top.s_axil_wready;
            done = top.s_axil_bvalid;
            response = top.s_axil_bresp;
        });
        if (address_taken) top.s_axil_awvalid = 0;
        if (word_taken) top.s_axil_wvalid = 0;
    }
    top.s_axil_bready = 0;
    return done && response == 0 ? 0 : -1;
}

int model_read(void *context, uint32_t address, uint32_t *word) {
    auto &device = *static_cast<model *>(context);
    auto &top = *device.top;
    top.s_axil_araddr = address;
    top.s_axil_arvalid = 1;
    top.s_axil_rready = 1;
    bool done = false;
    int response = 0;
    for (int n = 0; n < PATIENCE && !done; n++) {
        bool taken = false;
        device.clock([&] {
            taken = top.s_axil_arvalid && top.s_axil_arready;
            done = top.s_axil_rvalid;
            response = top.s_axil_rresp;
            *word = top.s_axil_rdata;
        });
        if (taken) top.s_axil_arvalid = 0;
    }
    top.s_axil_rready = 0;
    return done && response == 0 ? 0 : -1;
}

int model_send(model *device, uint16_t port, const uint8_t *frame, size_t length) {
    auto &top = *device->top;
    for (size_t at = 0; at < length; at += BEAT) {
        const size_t count = std::min(BEAT, length - at);
        uint64_t data = 0;
        for (size_t n = 0; n < count; n++) {
            data |= static_cast<uint64_t>(frame[at + n]) << (8 * n);
        }
        top.s_axis_tdata = data;
        top.s_axis_tkeep = static_cast<uint8_t>((1u << count) - 1);
        top.s_axis_tlast = at + count == length;
        top.s_axis_tuser[0] = static_cast<uint32_t>(port) << 1;
        top.s_axis_tuser[1] = 0;
        top.s_axis_tuser[2] = 0;
        top.s_axis_tvalid = 1;
        bool taken = false;
        for (int n = 0; n < PATIENCE && !taken; n++) {
            device->clock([&] { taken = top.s_axis_tready; });
        }
        top.s_axis_tvalid = 0;
        if (!taken) {
            return -1;
        }
    }
    bool idle = false;
    for (int n = 0; n < PATIENCE && !idle; n++) {
        device->clock([&] { idle = top.idle; });
    }
    return idle ? 0 : -1;
}

size_t model_receive(model *device, uint16_t *port, uint8_t *frame, size_t room) {
    if (device->out.empty()) {
        return 0;
    }
    const Frame &first = device->out.front();
    const size_t length = first.bytes.size();
    *port = first.port;
    std::copy_n(first.bytes.begin(), std::min(length, room), frame);
    device->out.pop_front();
    return length;
}
