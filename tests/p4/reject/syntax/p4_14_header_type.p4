// spec: §7.2.2 Header types
header_type ethernet_t { //~ ERROR P4_14|p4test --std p4-14
    fields { dst : 48; }
}
