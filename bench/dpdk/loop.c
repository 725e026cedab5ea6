/* l2l3's work on IPv4 frames as a loop on DPDK's libraries, on one core:
 *
 *     loop [EAL options] -- WORKLOAD lpm|fib SECONDS ROUNDS
 *
 * rte_hash holds the stations, rte_acl the access list, rte_lpm or rte_fib the routes (rte_lpm
 * looks through all rules of a length for each one that is added: a million routes are for
 * rte_fib); the rest are arrays. Frames are copied fresh into mbufs, and all lookups of a burst are
 * made together. Frames that need the rest of l2l3 (IPv6, ARP, flooding) end the program.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_memcpy.h>

#include "site.h"
#include "workload.h"

enum { BURST = 64 };

enum drop { PORT_UNKNOWN = 0, VLAN_INGRESS = 1, ACL = 4, IP_MALFORMED = 6, TTL = 8, NO_ROUTE = 9,
	    NO_NEXTHOP = 10, SAME_PORT = 11, VLAN_EGRESS = 13, REASONS = 16 };

struct counter {
	uint64_t packets, bytes;
};

struct loop {
	const struct frames *frames;
	struct site *site;
	struct rte_mbuf *mbufs[BURST];
	struct counter acl_hits[RULES + 1], port_out[SITE_PORTS];
	uint64_t drops[REASONS], learn, others, sunk, sunk_bytes;
};

/* A frame on its way. */
struct packet {
	struct rte_mbuf *mbuf;
	uint16_t in_port, vid, tci, out_port;
	uint8_t ethertype; /* where it is in the frame */
	uint8_t alive;
};

static uint64_t station_key(uint16_t vid, const uint8_t *address)
{
	uint64_t bytes = 0;
	memcpy((uint8_t *)&bytes + 2, address, 6);
	return (uint64_t)vid << 48 | rte_be_to_cpu_64(bytes);
}

static void drop(struct loop *loop, struct packet *packet, enum drop reason)
{
	loop->drops[reason]++;
	packet->alive = 0;
}

/* Port, VLAN and headers. */
static inline void parse(struct loop *loop, struct packet *packet, struct acl_key *key)
{
	const uint8_t *frame = rte_pktmbuf_mtod(packet->mbuf, const uint8_t *);
	memset(key, 0, sizeof *key);
	packet->vid = loop->site->port_vlan[packet->in_port % SITE_PORTS];
	packet->tci = 0;
	packet->ethertype = 12;
	packet->alive = 1;
	if (packet->vid == NOWHERE) {
		drop(loop, packet, PORT_UNKNOWN);
		return;
	}
	if (frame[12] == 0x81 && frame[13] == 0) {
		uint16_t tci = (uint16_t)(frame[14] << 8 | frame[15]);
		packet->ethertype = 16;
		packet->tci = tci & 0xf000;
		if (tci & 0xfff)
			packet->vid = tci & 0xfff;
	}
	if (!loop->site->members[packet->in_port % SITE_PORTS * VLANS + packet->vid]) {
		drop(loop, packet, VLAN_INGRESS);
		return;
	}
	const uint8_t *type = frame + packet->ethertype;
	const struct rte_ipv4_hdr *ip = (const void *)(type + 2);
	if (packet->mbuf->data_len < packet->ethertype + 2 + 20 + 4 || type[0] != 8 || type[1] != 0 ||
	    ip->version_ihl != 0x45 || ((frame[0] | frame[6]) & 1)) {
		loop->others++;
		packet->alive = 0;
		return;
	}
	key->protocol = ip->next_proto_id;
	key->src = ip->src_addr;
	key->dst = ip->dst_addr;
	key->port = rte_cpu_to_be_16(packet->in_port);
	if ((ip->next_proto_id == 6 || ip->next_proto_id == 17) &&
	    !(ip->fragment_offset & RTE_BE16(0x1fff))) {
		const uint16_t *ports = (const void *)(ip + 1);
		key->l4_src = ports[0];
		key->l4_dst = ports[1];
	}
}

/* Tag, counters, and out. */
static inline void depart(struct loop *loop, struct packet *packet, struct fingerprint *outputs)
{
	struct rte_mbuf *mbuf = packet->mbuf;
	uint8_t *frame = rte_pktmbuf_mtod(mbuf, uint8_t *), macs[12];
	uint16_t length = mbuf->data_len, port = packet->out_port % SITE_PORTS;
	uint8_t tag = loop->site->egress[port * VLANS + packet->vid];
	if (tag == NOT_MEMBER) {
		drop(loop, packet, VLAN_EGRESS);
		return;
	}
	int start = packet->ethertype - (tag == TAGGED ? 16 : 12);
	if (start) {
		memcpy(macs, frame, 12);
		frame = (uint8_t *)(start > 0 ? rte_pktmbuf_adj(mbuf, 4) : rte_pktmbuf_prepend(mbuf, 4));
		memcpy(frame, macs, 12);
	}
	if (tag == TAGGED) {
		uint16_t tci = packet->tci | packet->vid;
		uint8_t bytes[4] = { 0x81, 0, (uint8_t)(tci >> 8), (uint8_t)tci };
		memcpy(frame + 12, bytes, 4);
	}
	loop->port_out[port].packets++;
	loop->port_out[port].bytes += length;
	loop->sunk++;
	loop->sunk_bytes += mbuf->data_len;
	if (outputs)
		fingerprint_add(&outputs[port % PORTS], frame, mbuf->data_len);
}

static void burst(struct loop *loop, const struct frame *frames, unsigned count,
		  struct fingerprint *outputs)
{
	struct site *site = loop->site;
	struct packet packets[BURST];
	struct acl_key keys[BURST];
	const uint8_t *data[BURST];
	uint32_t rules[BURST];
	for (unsigned n = 0; n < count; n++) {
		struct rte_mbuf *mbuf = loop->mbufs[n];
		mbuf->data_off = RTE_PKTMBUF_HEADROOM;
		mbuf->data_len = frames[n].length;
		mbuf->pkt_len = frames[n].length;
		rte_memcpy(rte_pktmbuf_mtod(mbuf, void *), frames[n].bytes, frames[n].length);
		packets[n].mbuf = mbuf;
		packets[n].in_port = frames[n].port;
		data[n] = (const uint8_t *)&keys[n];
		parse(loop, &packets[n], &keys[n]);
	}
	rte_acl_classify(site->acl, data, rules, count, 1);

	/* Those that the access list permits. */
	uint64_t from[BURST], to[BURST];
	const void *from_keys[BURST], *to_keys[BURST];
	int32_t from_at[BURST], to_at[BURST];
	struct packet *left[BURST];
	unsigned lefts = 0;
	for (unsigned n = 0; n < count; n++) {
		struct packet *packet = &packets[n];
		if (!packet->alive)
			continue;
		struct counter *hits = &loop->acl_hits[rules[n]];
		hits->packets++;
		hits->bytes += packet->mbuf->data_len;
		if (rules[n] && site->denies[rules[n] - 1]) {
			drop(loop, packet, ACL);
			continue;
		}
		const uint8_t *frame = rte_pktmbuf_mtod(packet->mbuf, const uint8_t *);
		to[lefts] = station_key(packet->vid, frame);
		from[lefts] = station_key(packet->vid, frame + 6);
		to_keys[lefts] = &to[lefts];
		from_keys[lefts] = &from[lefts];
		left[lefts++] = packet;
	}
	if (!lefts)
		return;
	rte_hash_lookup_bulk(site->macs, from_keys, lefts, from_at);
	rte_hash_lookup_bulk(site->macs, to_keys, lefts, to_at);

	struct packet *routed[BURST];
	uint32_t addresses[BURST];
	unsigned routes = 0;
	for (unsigned n = 0; n < lefts; n++) {
		struct packet *packet = left[n];
		if (from_at[n] < 0 || site->stations[from_at[n]].source != packet->in_port)
			loop->learn++;
		const struct station *station = to_at[n] < 0 ? NULL : &site->stations[to_at[n]];
		if (!station || (!station->router && station->destination == NOWHERE)) {
			loop->others++;
			packet->alive = 0;
		} else if (!station->router) {
			packet->out_port = station->destination;
			if (packet->out_port == packet->in_port)
				drop(loop, packet, SAME_PORT);
		} else {
			const struct rte_ipv4_hdr *ip = rte_pktmbuf_mtod_offset(
				packet->mbuf, const struct rte_ipv4_hdr *, packet->ethertype + 2);
			if (rte_raw_cksum(ip, 20) != 0xffff) {
				drop(loop, packet, IP_MALFORMED);
			} else if (ip->time_to_live <= 1) {
				drop(loop, packet, TTL);
			} else {
				addresses[routes] = rte_be_to_cpu_32(ip->dst_addr);
				routed[routes++] = packet;
			}
		}
	}

	uint32_t hops[BURST];
	uint64_t wide[BURST];
	if (site->fib && routes) {
		rte_fib_lookup_bulk(site->fib, addresses, wide, (int)routes);
		for (unsigned n = 0; n < routes; n++)
			hops[n] = wide[n] ? (uint32_t)wide[n] | RTE_LPM_LOOKUP_SUCCESS : 0;
	} else if (routes) {
		rte_lpm_lookup_bulk(site->lpm, addresses, hops, routes);
	}
	for (unsigned n = 0; n < routes; n++) {
		struct packet *packet = routed[n];
		if (!(hops[n] & RTE_LPM_LOOKUP_SUCCESS)) {
			drop(loop, packet, NO_ROUTE);
			continue;
		}
		const struct hop *hop = &site->hops[hops[n] % HOPS];
		if (!hop->valid) {
			drop(loop, packet, NO_NEXTHOP);
			continue;
		}
		packet->out_port = hop->port;
		packet->vid = hop->vid;
		memcpy(rte_pktmbuf_mtod(packet->mbuf, uint8_t *), hop->macs, 12);
		struct rte_ipv4_hdr *ip = rte_pktmbuf_mtod_offset(packet->mbuf, struct rte_ipv4_hdr *,
								  packet->ethertype + 2);
		/* The checksum follows the TTL (RFC 1624). */
		uint32_t sum = (uint16_t)~rte_be_to_cpu_16(ip->hdr_checksum) + UINT32_C(0xfeff);
		ip->hdr_checksum = rte_cpu_to_be_16((uint16_t)~(sum + (sum >> 16)));
		ip->time_to_live--;
	}
	for (unsigned n = 0; n < lefts; n++)
		if (left[n]->alive)
			depart(loop, left[n], outputs);
}

/* All frames once. */
static void pass(struct loop *loop, struct fingerprint *outputs)
{
	size_t total = loop->frames->count;
	for (size_t at = 0; at < total; at += BURST)
		burst(loop, &loop->frames->list[at], total - at < BURST ? total - at : BURST, outputs);
}

int main(int argc, char **argv)
{
	int used = rte_eal_init(argc, argv);
	if (used < 0)
		fail("EAL", rte_strerror(rte_errno));
	argc -= used;
	argv += used;
	if (argc != 5 || (strcmp(argv[2], "lpm") && strcmp(argv[2], "fib"))) {
		fprintf(stderr, "usage: loop [EAL options] -- WORKLOAD lpm|fib SECONDS ROUNDS\n");
		return 2;
	}
	struct frames frames = frames_load(argv[1]);
	double budget = atof(argv[3]), start = seconds();
	int rounds = atoi(argv[4]);
	struct loop *loop = calloc(1, sizeof *loop);
	struct rte_mempool *pool =
		rte_pktmbuf_pool_create("buffers", 2 * BURST - 1, 0, 0, 2048, (int)rte_socket_id());
	if (!loop || !pool || rte_pktmbuf_alloc_bulk(pool, loop->mbufs, BURST))
		fail("buffers", rte_strerror(rte_errno));
	loop->frames = &frames;
	loop->site = site_load(argv[1], !strcmp(argv[2], "fib"));
	double entries_ms = (seconds() - start) * 1e3;

	struct fingerprint outputs[PORTS] = { 0 };
	pass(loop, outputs);
	struct fingerprint output = fingerprint_all(outputs);
	uint64_t drops = 0;
	for (int reason = 0; reason < REASONS; reason++)
		drops += loop->drops[reason];
	uint64_t learn = loop->learn;
	if (loop->others)
		fail("loop", "there are frames that the program has no way for");

	struct rounds measured = { 0 };
	pass(loop, NULL);
	start = seconds();
	pass(loop, NULL);
	int passes = (int)(budget / rounds / (seconds() - start)) + 1;
	for (int round = 0; round < rounds; round++) {
		start = seconds();
		for (int n = 0; n < passes; n++)
			pass(loop, NULL);
		round_add(&measured, seconds() - start, frames.count * (uint64_t)passes);
	}
	char engine[32], more[256];
	snprintf(engine, sizeof engine, "dpdk-%s", argv[2]);
	snprintf(more, sizeof more, ", \"entries_ms\": %f, \"learn\": %" PRIu64 ", \"dropped\": %" PRIu64,
		 entries_ms, learn, drops);
	report(engine, &measured, &frames, &output, more);
	return 0;
}
