/* Traffic and a yardstick for benchmarks on veth pairs.
 *
 *     veth send IF FILE.pcap SECONDS   sends the frames again and again; prints how many
 *     veth forward IN OUT              sends everything that comes in at IN out of OUT, until killed
 *
 * The forwarder is as bare as AF_PACKET allows: a ring of blocks to receive (TPACKET_V3), sendmmsg
 * past the queueing discipline to send.
 */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 64, BLOCK = 1 << 20, BLOCKS = 16, MAX_FRAMES = 1 << 17 };

static void die(const char *what)
{
	fprintf(stderr, "veth: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* A raw socket on an interface; with protocol 0 it receives nothing. */
static int open_socket(int protocol)
{
	int fd = socket(AF_PACKET, SOCK_RAW, htons(protocol));
	if (fd < 0)
		die("socket");
	return fd;
}

static void attach(int fd, const char *name, int protocol)
{
	struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(protocol),
				       .sll_ifindex = (int)if_nametoindex(name) };
	if (!address.sll_ifindex || bind(fd, (struct sockaddr *)&address, sizeof address))
		die(name);
}

static int sender(const char *name)
{
	int fd = open_socket(0), one = 1;
	if (setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof one))
		die("PACKET_QDISC_BYPASS");
	attach(fd, name, 0);
	return fd;
}

struct batch {
	struct mmsghdr messages[BATCH];
	struct iovec parts[BATCH];
	unsigned count;
};

static void add(struct batch *batch, void *frame, size_t length)
{
	unsigned n = batch->count++;
	batch->parts[n] = (struct iovec){ .iov_base = frame, .iov_len = length };
	batch->messages[n].msg_hdr = (struct msghdr){ .msg_iov = &batch->parts[n], .msg_iovlen = 1 };
}

/* Frames that do not fit are lost, as on any wire. */
static unsigned flush(struct batch *batch, int fd)
{
	unsigned sent = 0, count = batch->count;
	batch->count = 0;
	while (sent < count) {
		int done = sendmmsg(fd, batch->messages + sent, count - sent, MSG_DONTWAIT);
		if (done <= 0) {
			if (errno == EAGAIN || errno == ENOBUFS)
				break;
			die("sendmmsg");
		}
		sent += (unsigned)done;
	}
	return sent;
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

static void send_all(const char *name, const char *path, double duration)
{
	static struct { uint8_t *bytes; uint32_t length; } frames[MAX_FRAMES];
	size_t count = 0;
	FILE *file = fopen(path, "rb");
	uint32_t head[6], record[4];
	if (!file || fread(head, sizeof head, 1, file) != 1)
		die(path);
	while (count < MAX_FRAMES && fread(record, sizeof record, 1, file) == 1) {
		frames[count].length = record[2];
		frames[count].bytes = malloc(record[2]);
		if (!frames[count].bytes || fread(frames[count].bytes, record[2], 1, file) != 1)
			die(path);
		count++;
	}
	fclose(file);
	if (!count)
		die(path);
	int fd = sender(name);
	static struct batch batch;
	uint64_t sent = 0;
	double end = seconds() + duration;
	for (size_t at = 0; seconds() < end;) {
		for (int n = 0; n < BATCH; n++, at = (at + 1) % count)
			add(&batch, frames[at].bytes, frames[at].length);
		sent += flush(&batch, fd);
	}
	printf("%llu\n", (unsigned long long)sent);
}

static void forward(const char *from, const char *to)
{
	int fd = open_socket(0), version = TPACKET_V3, one = 1;
	if (setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version))
		die("PACKET_VERSION");
	/* Not what we send ourselves. */
	setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one);
	struct tpacket_req3 ring = { .tp_block_size = BLOCK, .tp_block_nr = BLOCKS,
				     .tp_frame_size = 2048, .tp_frame_nr = BLOCK / 2048 * BLOCKS,
				     .tp_retire_blk_tov = 1 };
	if (setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring))
		die("PACKET_RX_RING");
	uint8_t *blocks = mmap(NULL, (size_t)BLOCK * BLOCKS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (blocks == MAP_FAILED)
		die("mmap");
	attach(fd, from, ETH_P_ALL);
	int out = sender(to);
	static struct batch batch;
	for (unsigned n = 0;; n = (n + 1) % BLOCKS) {
		struct tpacket_block_desc *block = (void *)(blocks + (size_t)n * BLOCK);
		while (!(__atomic_load_n(&block->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER)) {
			struct pollfd wait = { .fd = fd, .events = POLLIN };
			poll(&wait, 1, 100);
		}
		uint8_t *at = (uint8_t *)block + block->hdr.bh1.offset_to_first_pkt;
		for (unsigned left = block->hdr.bh1.num_pkts; left; left--) {
			struct tpacket3_hdr *packet = (void *)at;
			add(&batch, at + packet->tp_mac, packet->tp_snaplen);
			if (batch.count == BATCH)
				flush(&batch, out);
			at += packet->tp_next_offset;
		}
		flush(&batch, out);
		__atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
	}
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "send")) {
		send_all(argv[2], argv[3], atof(argv[4]));
	} else if (argc == 4 && !strcmp(argv[1], "forward")) {
		forward(argv[2], argv[3]);
	} else {
		fprintf(stderr, "usage: veth send IF FILE.pcap SECONDS | veth forward IN OUT\n");
		return 2;
	}
	return 0;
}
