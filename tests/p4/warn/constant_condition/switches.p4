// no warnings
// A condition with a name in it is a switch that the author sets.
#define WITH_COUNTERS 1
const bool DEBUG = false;
control C(inout bit<8> x)(bool verbose) {
    apply {
        if (DEBUG) { x = 1; }
        if (WITH_COUNTERS == 1) { x = 2; }
        if (verbose) { x = 3; }
        for (; true; ) { x = x + 1; if (x == 9) { break; } }
    }
}
