/* A workload through DPDK's SWX pipeline, on one core:
 *
 *     swx [EAL options] -- WORKLOAD DIR LIB.so SECONDS ROUNDS
 *
 * WORKLOAD is what bench/workload.py wrote, DIR what swx_files.py made of it. Frames are copied
 * fresh into buffers, which go to the pipeline through rings (its own source ports would keep the
 * originals in buffers of 100 MB) and come back through rings. A window of buffers is on its way
 * all the time. Prints one line of JSON; the time of a round is the median's.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_memcpy.h>
#include <rte_ring.h>
#include <rte_swx_ctl.h>
#include <rte_swx_pipeline.h>

#include "workload.h"

enum {
	/* Instructions that a run executes: some dozens of frames. */
	QUANTUM = 4096,
	/* Buffers on their way. */
	WINDOW = 512,
	POOL = 2 * WINDOW - 1,
	BURST = 64,
};

static void check(const char *what, int status)
{
	if (status)
		fail(what, strerror(status < 0 ? -status : status));
}

/* Adds the entries of DIR/TABLE.txt for each table that DIR/tables names. */
static size_t load(struct rte_swx_pipeline *pipeline, const char *dir)
{
	struct rte_swx_ctl_pipeline *ctl = rte_swx_ctl_pipeline_create(pipeline);
	if (!ctl)
		fail("swx", "no control of the pipeline");
	char path[4096], table[128], line[1024];
	size_t count = 0;
	snprintf(path, sizeof path, "%s/tables", dir);
	FILE *tables = fopen(path, "r");
	if (!tables)
		fail(path, strerror(errno));
	while (fgets(table, sizeof table, tables)) {
		table[strcspn(table, "\n")] = 0;
		snprintf(path, sizeof path, "%s/%s.txt", dir, table);
		FILE *entries = fopen(path, "r");
		if (!entries)
			fail(path, strerror(errno));
		while (fgets(line, sizeof line, entries)) {
			int blank;
			struct rte_swx_table_entry *entry =
				rte_swx_ctl_pipeline_table_entry_read(ctl, table, line, &blank);
			int status = entry ? rte_swx_ctl_pipeline_table_entry_add(ctl, table, entry) : -EINVAL;
			if (status)
				fprintf(stderr, "%s: %s", path, line);
			check("entry refused", status);
			count++;
		}
		fclose(entries);
	}
	fclose(tables);
	check("commit", rte_swx_ctl_pipeline_commit(ctl, 1));
	return count;
}

static struct rte_swx_pipeline *build(const char *dir, const char *lib)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/rings.io", dir);
	FILE *file = fopen(path, "r");
	if (!file)
		fail(path, strerror(errno));
	struct rte_swx_pipeline *pipeline = NULL;
	check("build", rte_swx_pipeline_build_from_lib(&pipeline, "l2l3", lib, file,
						       (int)rte_socket_id()));
	fclose(file);
	return pipeline;
}

static uint64_t reg(struct rte_swx_pipeline *pipeline, const char *array, uint32_t index)
{
	uint64_t value = 0;
	check(array, rte_swx_ctl_pipeline_regarray_read(pipeline, array, index, &value));
	return value;
}

/* The rings and the buffers. */
struct world {
	struct rte_swx_pipeline *pipeline;
	const struct frames *frames;
	struct rte_mempool *pool;
	struct rte_ring *in[PORTS], *out[PORTS];
	struct rte_mbuf *idle[WINDOW];
	size_t idles;
	uint64_t sunk;
};

static void world_open(struct world *world, struct rte_mempool *pool)
{
	char name[32];
	for (int port = 0; port < PORTS; port++) {
		snprintf(name, sizeof name, "OUT%d", port);
		world->out[port] = rte_ring_create(name, 2 * WINDOW, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
		snprintf(name, sizeof name, "IN%d", port);
		world->in[port] = rte_ring_create(name, 2 * WINDOW, 0, RING_F_SP_ENQ | RING_F_SC_DEQ);
		if (!world->out[port] || !world->in[port])
			fail("ring", rte_strerror(rte_errno));
	}
	check("buffers", rte_pktmbuf_alloc_bulk(pool, world->idle, WINDOW));
	world->idles = WINDOW;
	world->pool = pool;
}

/* Takes in what left, and the buffers of what was dropped, which the pipeline frees. */
static void collect(struct world *world, struct fingerprint *outputs)
{
	for (int port = 0; port < PORTS; port++) {
		struct rte_mbuf **to = &world->idle[world->idles];
		unsigned count = rte_ring_sc_dequeue_burst(world->out[port], (void **)to,
							   WINDOW - world->idles, NULL);
		world->idles += count;
		for (unsigned n = 0; outputs && n < count; n++)
			fingerprint_add(&outputs[port], rte_pktmbuf_mtod(to[n], uint8_t *),
					to[n]->pkt_len);
		world->sunk += count;
	}
	/* The pool has no cache, so this is one subtraction. */
	unsigned freed = rte_mempool_avail_count(world->pool) - (POOL - WINDOW);
	if (freed) {
		check("buffers", rte_pktmbuf_alloc_bulk(world->pool, &world->idle[world->idles], freed));
		world->idles += freed;
		world->sunk += freed;
	}
}

/* All frames once. */
static void pass(struct world *world, struct fingerprint *outputs)
{
	size_t next = 0;
	uint64_t until = world->sunk + world->frames->count;
	while (world->sunk < until) {
		struct rte_mbuf *bursts[PORTS][BURST];
		unsigned counts[PORTS] = { 0 };
		size_t room = world->idles < BURST ? world->idles : BURST;
		for (; room && next < world->frames->count; room--, next++) {
			const struct frame *frame = &world->frames->list[next];
			struct rte_mbuf *buffer = world->idle[--world->idles];
			buffer->data_off = RTE_PKTMBUF_HEADROOM;
			buffer->data_len = frame->length;
			buffer->pkt_len = frame->length;
			rte_memcpy(rte_pktmbuf_mtod(buffer, void *), frame->bytes, frame->length);
			bursts[frame->port][counts[frame->port]++] = buffer;
		}
		for (int port = 0; port < PORTS; port++)
			if (counts[port])
				rte_ring_sp_enqueue_bulk(world->in[port], (void **)bursts[port],
							 counts[port], NULL);
		rte_swx_pipeline_run(world->pipeline, QUANTUM);
		/* The pipeline keeps what does not fill a burst. */
		if (next == world->frames->count)
			rte_swx_pipeline_flush(world->pipeline);
		collect(world, outputs);
	}
}

int main(int argc, char **argv)
{
	int used = rte_eal_init(argc, argv);
	if (used < 0)
		fail("EAL", rte_strerror(rte_errno));
	argc -= used;
	argv += used;
	if (argc != 6) {
		fprintf(stderr, "usage: swx [EAL options] -- WORKLOAD DIR LIB.so SECONDS ROUNDS\n");
		return 2;
	}
	struct frames frames = frames_load(argv[1]);
	double budget = atof(argv[4]);
	int rounds = atoi(argv[5]);
	struct rte_mempool *pool =
		rte_pktmbuf_pool_create("MEMPOOL0", POOL, 0, 0, 512, (int)rte_socket_id());
	if (!pool)
		fail("mempool", rte_strerror(rte_errno));
	struct world world = { .frames = &frames };
	world_open(&world, pool);
	world.pipeline = build(argv[2], argv[3]);
	double start = seconds();
	size_t entries = load(world.pipeline, argv[2]);
	double entries_ms = (seconds() - start) * 1e3;

	struct fingerprint outputs[PORTS] = { 0 };
	pass(&world, outputs);
	struct fingerprint output = fingerprint_all(outputs);
	uint64_t learn = reg(world.pipeline, "learn", 0), drops = 0;
	for (uint32_t reason = 0; reason < 16; reason++)
		drops += reg(world.pipeline, "drops", reason);
	if (reg(world.pipeline, "others", 0))
		fail("swx", "there are frames that the program has no way for");

	struct rounds measured = { 0 };
	start = seconds();
	pass(&world, NULL);
	int passes = (int)(budget / rounds / (seconds() - start)) + 1;
	for (int round = 0; round < rounds; round++) {
		start = seconds();
		for (int n = 0; n < passes; n++)
			pass(&world, NULL);
		round_add(&measured, seconds() - start, frames.count * (uint64_t)passes);
	}
	char more[256];
	snprintf(more, sizeof more,
		 ", \"entries\": %zu, \"entries_ms\": %f, \"learn\": %" PRIu64 ", \"dropped\": %" PRIu64,
		 entries, entries_ms, learn, drops);
	report("dpdk-swx", &measured, &frames, &output, more);
	return 0;
}
