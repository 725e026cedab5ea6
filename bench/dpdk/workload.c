#include "workload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

static int by_time(const void *a, const void *b)
{
	const struct frame *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (int)x->port - (int)y->port;
}

static void load_one(struct frames *frames, const char *path, uint16_t port)
{
	FILE *file = fopen(path, "rb");
	uint32_t head[6], record[4];
	if (!file)
		fail(path, strerror(errno));
	if (fread(head, sizeof head, 1, file) != 1 || head[0] != 0xa1b2c3d4)
		fail(path, "not a pcap file of this machine with microseconds");
	while (fread(record, sizeof record, 1, file) == 1) {
		uint8_t buffer[2048];
		if (record[2] > sizeof buffer || fread(buffer, record[2], 1, file) != 1)
			fail(path, "a packet is too long or cut off");
		frames->list = realloc(frames->list, (frames->count + 1) * sizeof *frames->list);
		uint8_t *bytes = malloc(record[2]);
		if (!frames->list || !bytes)
			fail(path, "no memory");
		memcpy(bytes, buffer, record[2]);
		frames->list[frames->count++] = (struct frame){
			.time = record[0] * UINT64_C(1000000) + record[1],
			.bytes = bytes,
			.length = (uint16_t)record[2],
			.port = port,
		};
	}
	fclose(file);
}

struct frames frames_load(const char *dir)
{
	struct frames frames = { 0 };
	for (uint16_t port = 0; port < PORTS; port++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/in.%u.pcap", dir, port);
		load_one(&frames, path, port);
	}
	if (!frames.count)
		fail(dir, "there are no frames");
	qsort(frames.list, frames.count, sizeof *frames.list, by_time);
	/* Side by side in the order of arrival, as the other contenders have them. */
	size_t size = 0;
	for (size_t n = 0; n < frames.count; n++)
		size += (frames.list[n].length + 63u) & ~63u;
	uint8_t *at = aligned_alloc(64, size);
	if (!at)
		fail(dir, "no memory");
	for (size_t n = 0; n < frames.count; n++) {
		struct frame *frame = &frames.list[n];
		memcpy(at, frame->bytes, frame->length);
		free((void *)frame->bytes);
		frame->bytes = at;
		at += (frame->length + 63u) & ~63u;
	}
	return frames;
}

static const uint64_t K[4] = { 0x243f6a8885a308d3, 0x13198a2e03707345, 0xa4093822299f31d1,
			       0x082efa98ec4e6c89 };

static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Up to eight bytes, the first one lowest (on a little-endian machine, as pcap files are read). */
static uint64_t word(const uint8_t *bytes, size_t length)
{
	uint64_t value = 0;
	memcpy(&value, bytes, length);
	return value;
}

static uint64_t chain(uint64_t before, uint64_t next)
{
	return ((before << 23 | before >> 41) ^ next) * K[0];
}

void fingerprint_add(struct fingerprint *to, const uint8_t *frame, size_t length)
{
	uint64_t state = K[0] ^ length * K[3];
	for (; length >= 16; frame += 16, length -= 16)
		state = fold(word(frame, 8) ^ K[1], word(frame + 8, 8) ^ state);
	size_t low = length < 8 ? length : 8;
	state = fold(word(frame, low) ^ K[2], word(frame + low, length - low) ^ state);
	state = fold(state, K[3]);
	to->hash = chain(to->hash, state);
	to->sum += state;
	to->frames++;
}

struct fingerprint fingerprint_all(const struct fingerprint ports[PORTS])
{
	struct fingerprint all = { 0 };
	for (uint64_t port = 0; port < PORTS; port++) {
		if (!ports[port].frames)
			continue;
		all.hash = chain(chain(all.hash, port), ports[port].hash);
		all.sum += chain(port, ports[port].sum);
		all.frames += ports[port].frames;
	}
	return all;
}

double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

void round_add(struct rounds *rounds, double elapsed, uint64_t packets)
{
	if (rounds->count == MAX_ROUNDS)
		fail("rounds", "too many");
	rounds->ns[rounds->count++] = elapsed * 1e9 / packets;
	rounds->total += elapsed;
	rounds->packets += packets;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void report(const char *engine, struct rounds *rounds, const struct frames *frames,
	    const struct fingerprint *output, const char *more)
{
	qsort(rounds->ns, rounds->count, sizeof *rounds->ns, by_value);
	double median = rounds->ns[rounds->count / 2];
	printf("{\"engine\": \"%s\", \"packets\": %" PRIu64 ", \"seconds\": %f, \"mpps\": %f, "
	       "\"ns_per_packet\": %f, \"fastest_ns\": %f, \"slowest_ns\": %f, \"frames\": %zu, "
	       "\"output\": {\"frames\": %" PRIu64 ", \"hash\": \"%016" PRIx64 "\", "
	       "\"sum\": \"%016" PRIx64 "\"}%s}\n",
	       engine, rounds->packets, rounds->total, 1e3 / median, median, rounds->ns[0],
	       rounds->ns[rounds->count - 1], frames->count, output->frames, output->hash,
	       output->sum, more);
}
