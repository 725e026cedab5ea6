// SPDX-License-Identifier: Apache-2.0
//
// Portable NIC Architecture: metadata of the variants in which the port alone
// tells whether a packet comes from the network or from the host.

// Where a packet comes from.
enum PNA_Source_t {
    FROM_HOST,
    FROM_NET
}

struct pna_main_parser_input_metadata_t {
    bool     recirculated;
    PortId_t input_port;
}

struct pna_main_input_metadata_t {
    bool             recirculated;
    Timestamp_t      timestamp;
    ParserError_t    parser_error;
    ClassOfService_t class_of_service;
    PortId_t         input_port;
}

struct pna_main_output_metadata_t {
    ClassOfService_t class_of_service;
}

extern bool is_host_port(in PortId_t p);
extern bool is_net_port(in PortId_t p);

// The value for the side that the packet comes from.
@pure
extern T SelectByDirection<T>(
    in bool is_network_port,
    in T from_net_value,
    in T from_host_value);
