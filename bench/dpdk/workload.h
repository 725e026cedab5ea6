/* What the peers share: frames, fingerprints of what leaves, and taking the time. */

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

enum { PORTS = 8, MAX_ROUNDS = 64 };

struct frame {
	uint64_t time; /* microseconds */
	const uint8_t *bytes; /* on a cache line of its own */
	uint16_t length;
	uint16_t port;
};

struct frames {
	struct frame *list;
	size_t count;
};

/* Ends the program with a message. */
void fail(const char *what, const char *why) __attribute__((noreturn));

/* Reads DIR/in.P.pcap for all ports; by timestamp, then by port. */
struct frames frames_load(const char *dir);

/* Two hashes of a row of frames, as crates/io/src/fingerprint.rs defines them: one depends on
 * their order, the other does not. */
struct fingerprint {
	uint64_t hash, sum, frames;
};

void fingerprint_add(struct fingerprint *to, const uint8_t *frame, size_t length);

/* The hashes of all ports together, as `ww bench` prints them. */
struct fingerprint fingerprint_all(const struct fingerprint ports[PORTS]);

/* Seconds on a clock that never goes back. */
double seconds(void);

struct rounds {
	double ns[MAX_ROUNDS];
	int count;
	double total;
	uint64_t packets;
};

/* Appends a round. */
void round_add(struct rounds *rounds, double elapsed, uint64_t packets);

/* Prints what all contenders print, and then `more`, which is JSON with a comma in front. */
void report(const char *engine, struct rounds *rounds, const struct frames *frames,
	    const struct fingerprint *output, const char *more);

#endif
