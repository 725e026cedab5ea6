// SPDX-License-Identifier: Apache-2.0
//
// Portable NIC Architecture: the extern objects that all its variants share.

// Hash functions over packed data. The second form is base + hash mod max.
extern Hash<O> {
    Hash(PNA_HashAlgorithm_t algo);
    @pure
    O get_hash<D>(in D data);
    @pure
    O get_hash<T, D>(in T base, in D data, in T max);
}

// A checksum over everything given to update() since clear(). Each packet
// starts with a cleared one.
extern Checksum<W> {
    Checksum(PNA_HashAlgorithm_t hash);
    void clear();
    void update<T>(in T data);
    @noSideEffects
    W get();
}

// The Internet checksum (RFC 1071) with incremental update (RFC 1624): data,
// a multiple of 16 bits, can be taken out again; the state can be carried on.
extern InternetChecksum {
    InternetChecksum();
    void clear();
    void add<T>(in T data);
    void subtract<T>(in T data);
    @noSideEffects
    bit<16> get();
    @noSideEffects
    bit<16> get_state();
    void set_state(in bit<16> checksum_state);
}

enum PNA_CounterType_t {
    PACKETS,
    BYTES,
    PACKETS_AND_BYTES
}

// An array of counters of W bits. Some targets want to be told the packet's
// length in bytes.
@noWarn("unused")
extern Counter<W, S> {
    Counter(bit<32> n_counters, PNA_CounterType_t type);
    void count(in S index);
    void count(in S index, in bit<32> pkt_len);
}

// One counter for each entry of the table that names it.
@noWarn("unused")
extern DirectCounter<W> {
    DirectCounter(PNA_CounterType_t type);
    void count();
    void count(in bit<32> pkt_len);
}

enum PNA_MeterType_t {
    PACKETS,
    BYTES
}

enum PNA_MeterColor_t {
    RED,
    GREEN,
    YELLOW
}

// An array of two-rate three-colour meters (RFC 2698): colour-aware with the
// packet's colour so far, colour-blind without.
extern Meter<S> {
    Meter(bit<32> n_meters, PNA_MeterType_t type);
    PNA_MeterColor_t execute(in S index);
    PNA_MeterColor_t execute(in S index, in PNA_MeterColor_t color);
    PNA_MeterColor_t execute(in S index, in PNA_MeterColor_t color, in bit<32> pkt_len);
    PNA_MeterColor_t dpdk_execute(in S index, in bit<32> pkt_len);
    PNA_MeterColor_t dpdk_execute(in S index, in PNA_MeterColor_t color, in bit<32> pkt_len);
}

// One meter for each entry of the table that names it.
extern DirectMeter {
    DirectMeter(PNA_MeterType_t type);
    PNA_MeterColor_t execute();
    PNA_MeterColor_t execute(in PNA_MeterColor_t color);
    PNA_MeterColor_t execute(in PNA_MeterColor_t color, in bit<32> pkt_len);
    PNA_MeterColor_t dpdk_execute(in bit<32> pkt_len);
    PNA_MeterColor_t dpdk_execute(in PNA_MeterColor_t color, in bit<32> pkt_len);
}

// An array of values that outlive the packet.
extern Register<T, S> {
    Register(bit<32> size);
    Register(bit<32> size, T initial_value);
    @noSideEffects
    T read(in S index);
    void write(in S index, in T value);
}

// Numbers in min..max, both ends included.
extern Random<T> {
    Random(T min, T max);
    T read();
}

// Table property: entries refer to shared members.
extern ActionProfile {
    ActionProfile(bit<32> size);
}

// Table property: entries refer to groups; the hash of the selector keys
// chooses the member.
extern ActionSelector {
    ActionSelector(PNA_HashAlgorithm_t algo, bit<32> size, bit<32> outputWidth);
}

// A stream of messages to the control plane.
extern Digest<T> {
    Digest();
    void pack(in T data);
}
