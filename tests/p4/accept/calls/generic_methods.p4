// spec: §7.2.11 Type specialization
extern Map<K, V> {
    Map(bit<32> size);
    V get(in K key);
    void put<T>(in K key, in V value, in T extra);
}
typedef Map<bit<8>, bit<16>> SmallMap;
control C(in bit<8> k, inout bit<16> v) {
    Map<bit<8>, bit<16>>(16) m;
    SmallMap(4) n;
    apply { v = m.get(k) + n.get(3); m.put(k, v, true); n.put<bool>(1, 2, false); }
}
