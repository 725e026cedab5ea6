// What a model offers to the program that loads it. The ports are memory: whoever loads the model
// reads and writes them there and calls ww_settle and ww_edge.

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

// Called by the runtime when a model stops by itself; they must not return or end the process.
[[noreturn]] static void ww_stopped(const char* file, int line, const std::string& why) {
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + why);
}
void vl_fatal(const char* file, int line, const char*, const char* message) {
    ww_stopped(file, line, message);
}
void vl_stop(const char* file, int line, const char*) { ww_stopped(file, line, "$stop or $error"); }
void vl_finish(const char* file, int line, const char*) { ww_stopped(file, line, "$finish"); }

#define WW_API extern "C" __attribute__((visibility("default")))

struct ww_port {
    const char* name;
    void* memory;
    uint32_t bits;
    uint32_t bytes;
    uint8_t is_output;
};

struct ww_model {
    VerilatedContext context;
    Vww top;
    std::vector<ww_port> ports;
    std::string error;
#ifdef WW_WAVEFORM
    WW_WAVEFORM waveform;
    bool is_open = false;
#endif

    // Registers without reset and memories begin with what the seed says: nothing may depend on it.
    static VerilatedContext* prepared(VerilatedContext* context, uint32_t seed) {
        context->randReset(2);
        context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
        context->fatalOnError(true);
#ifdef WW_WAVEFORM
        context->traceEverOn(true);
#endif
        return context;
    }
    explicit ww_model(uint32_t seed) : top(prepared(&context, seed), "top") {}
};

WW_API uint32_t ww_interface() { return WW_INTERFACE; }

WW_API ww_model* ww_create(uint32_t seed) {
    try {
        return new ww_model(seed);
    } catch (...) {
        return nullptr;
    }
}

WW_API void ww_destroy(ww_model* m) {
#ifdef WW_WAVEFORM
    if (m->is_open) m->waveform.close();
#endif
    delete m;
}

WW_API const char* ww_error(ww_model* m) { return m->error.c_str(); }

// Half a clock of 10 ns.
static int ww_half(ww_model* m, uint8_t level) {
    try {
        m->top.clk = level;
        m->top.eval();
#ifdef WW_WAVEFORM
        if (m->is_open) m->waveform.dump(m->context.time());
#endif
        m->context.timeInc(5000);
        return 0;
    } catch (const std::exception& error) {
        m->error = error.what();
    } catch (...) {
        m->error = "an unknown exception";
    }
    return -1;
}

// The clock is low: outputs follow inputs.
WW_API int ww_settle(ww_model* m) { return ww_half(m, 0); }

// The clock rises: registers take their values.
WW_API int ww_edge(ww_model* m) { return ww_half(m, 1); }

WW_API int ww_waveform(ww_model* m, const char* path) {
#ifdef WW_WAVEFORM
    try {
        m->top.trace(&m->waveform, 99);
        m->waveform.open(path);
        m->is_open = m->waveform.isOpen();
        if (m->is_open) return 0;
        m->error = "the waveform cannot be written";
    } catch (const std::exception& error) {
        m->error = error.what();
    }
#else
    (void)path;
    m->error = "the model was built without waveforms";
#endif
    return -1;
}
