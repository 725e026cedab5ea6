/* The tables of the loop: plain arrays where they can be, DPDK's structures where not. */

#ifndef SITE_H
#define SITE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_acl.h>
#include <rte_fib.h>
#include <rte_hash.h>
#include <rte_lpm.h>

enum { SITE_PORTS = 512, VLANS = 4096, HOPS = 1024, STATIONS = 4096, RULES = 128, NOWHERE = 0xffff };

enum tag { NOT_MEMBER, UNTAGGED, TAGGED };

struct hop {
	bool valid;
	uint16_t port, vid;
	uint8_t macs[12]; /* destination, source */
};

struct station {
	uint16_t source, destination;
	bool router;
};

/* What the access list looks at, in network byte order. */
struct acl_key {
	uint8_t protocol, pad[3];
	uint32_t src, dst;
	uint16_t port, l4_dst, l4_src, pad2;
};

struct site {
	uint16_t port_vlan[SITE_PORTS]; /* NOWHERE: unknown port */
	uint8_t members[SITE_PORTS * VLANS];
	uint8_t egress[SITE_PORTS * VLANS]; /* enum tag */
	struct hop hops[HOPS];
	struct station stations[STATIONS]; /* by position in `macs` */
	bool denies[RULES];
	struct rte_hash *macs; /* keys: VLAN << 48 | address */
	struct rte_acl_ctx *acl; /* results: rule + 1 */
	struct rte_lpm *lpm; /* one of these two */
	struct rte_fib *fib;
};

/* Reads the commands of DIR/entries.txt. `fib`: routes go to rte_fib, else to rte_lpm. */
struct site *site_load(const char *dir, bool fib);

#endif
