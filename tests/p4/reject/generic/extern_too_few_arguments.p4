// spec: §7.2.11 Type specialization
extern Map<K, V> { Map(bit<32> size); V get(in K key); }
control C() {
    Map<bit<8>>(16) m; //~ ERROR
    apply { }
}
