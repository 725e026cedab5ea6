/* What Rust calls of DPDK: most of DPDK's packet path is inline functions, which only
 * a C compiler can use. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <rte_dev.h>
#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_lcore.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

enum {
    RX_DESCRIPTORS = 1024,
    TX_DESCRIPTORS = 1024,
    CACHE = 256,
    MBUFS_PER_QUEUE = 8192,
    STEERED = 4096,
};

int ww_dpdk_init(int argc, char **argv)
{
    return rte_eal_init(argc, argv) < 0 ? -rte_errno : 0;
}

/* The buffers of this thread are cached like those of DPDK's own threads. */
int ww_dpdk_register_thread(void)
{
    return rte_lcore_id() == LCORE_ID_ANY ? rte_thread_register() : 0;
}

const char *ww_dpdk_error(int error)
{
    return rte_strerror(error < 0 ? -error : error);
}

/* A device and what belongs to it. */
struct ww_dpdk_device {
    uint16_t port;
    uint16_t rx_queues;
    uint16_t tx_queues;
    int hashed; /* whether the device spreads flows over its queues */
    struct rte_mempool *pool;
};

static int configure(struct ww_dpdk_device *device, uint16_t workers, const char **step)
{
    struct rte_eth_dev_info info;
    struct rte_eth_conf conf;
    uint64_t flows = RTE_ETH_RSS_IP | RTE_ETH_RSS_TCP | RTE_ETH_RSS_UDP;
    uint16_t port = device->port;
    int socket = rte_eth_dev_socket_id(port);
    char name[RTE_MEMPOOL_NAMESIZE];
    int result;

    *step = "asking the device what it can do";
    if ((result = rte_eth_dev_info_get(port, &info)) != 0)
        return result;
    memset(&conf, 0, sizeof(conf));
    flows &= info.flow_type_rss_offloads;
    device->hashed = workers > 1 && flows != 0 && info.max_rx_queues >= workers;
    device->rx_queues = device->hashed ? workers : 1;
    device->tx_queues = RTE_MIN(workers, RTE_MAX(info.max_tx_queues, 1));
    if (device->hashed) {
        conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
        conf.rx_adv_conf.rss_conf.rss_hf = flows;
    }
    *step = "configuring the device";
    result = rte_eth_dev_configure(port, device->rx_queues, device->tx_queues, &conf);
    if (result != 0)
        return result;
    uint16_t receive = RX_DESCRIPTORS, send = TX_DESCRIPTORS;
    if ((result = rte_eth_dev_adjust_nb_rx_tx_desc(port, &receive, &send)) != 0)
        return result;
    *step = "allocating packet buffers";
    snprintf(name, sizeof(name), "ww_pool_%u", port);
    device->pool = rte_pktmbuf_pool_create(
        name, MBUFS_PER_QUEUE * workers, CACHE, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    if (device->pool == NULL)
        return -rte_errno;
    *step = "setting up queues";
    for (uint16_t queue = 0; queue < device->rx_queues; queue++) {
        result = rte_eth_rx_queue_setup(port, queue, receive, socket, NULL, device->pool);
        if (result != 0)
            return result;
    }
    for (uint16_t queue = 0; queue < device->tx_queues; queue++) {
        if ((result = rte_eth_tx_queue_setup(port, queue, send, socket, NULL)) != 0)
            return result;
    }
    *step = "starting the device";
    if ((result = rte_eth_dev_start(port)) != 0)
        return result;
    /* Virtual devices may not know this mode, and take all frames anyway. */
    rte_eth_promiscuous_enable(port);
    return 0;
}

/* Opens a device (`arguments`: in DPDK's words, beginning with `name`) for so many workers.
 * On failure returns an error number, and in `step` what went wrong. */
int ww_dpdk_open(const char *arguments, const char *name, uint16_t workers,
                 struct ww_dpdk_device *device, const char **step)
{
    int result;

    memset(device, 0, sizeof(*device));
    if (rte_eth_dev_get_port_by_name(name, &device->port) != 0) {
        *step = "finding the device";
        if ((result = rte_dev_probe(arguments)) != 0)
            return result;
        if ((result = rte_eth_dev_get_port_by_name(name, &device->port)) != 0)
            return result;
    }
    result = configure(device, workers, step);
    if (result != 0) {
        rte_eth_dev_close(device->port);
        rte_mempool_free(device->pool);
    }
    return result;
}

void ww_dpdk_close(struct ww_dpdk_device *device)
{
    rte_eth_dev_stop(device->port);
    rte_eth_dev_close(device->port);
    rte_mempool_free(device->pool);
}

int ww_dpdk_is_removed(const struct ww_dpdk_device *device)
{
    return rte_eth_dev_is_removed(device->port);
}

/* Frames that the device dropped so far because nobody fetched them or buffers ran out. */
uint64_t ww_dpdk_missed(const struct ww_dpdk_device *device)
{
    struct rte_eth_stats stats;

    if (rte_eth_stats_get(device->port, &stats) != 0)
        return 0;
    return stats.imissed + stats.rx_nombuf;
}

/* Where a frame lies. Frames in several pieces are joined first; NULL if that fails. */
static uint8_t *place(struct rte_mbuf *mbuf, uint32_t *length)
{
    if (mbuf->nb_segs > 1 && rte_pktmbuf_linearize(mbuf) != 0)
        return NULL;
    *length = rte_pktmbuf_data_len(mbuf);
    return rte_pktmbuf_mtod(mbuf, uint8_t *);
}

static uint16_t places(struct rte_mbuf **mbufs, uint16_t count, uint8_t **data, uint32_t *lengths)
{
    for (uint16_t n = 0; n < count; n++)
        data[n] = place(mbufs[n], &lengths[n]);
    return count;
}

uint16_t ww_dpdk_receive(const struct ww_dpdk_device *device, uint16_t queue,
                         struct rte_mbuf **mbufs, uint8_t **data, uint32_t *lengths,
                         uint16_t count)
{
    count = rte_eth_rx_burst(device->port, queue, mbufs, count);
    return places(mbufs, count, data, lengths);
}

void ww_dpdk_free(struct rte_mbuf **mbufs, uint16_t count)
{
    rte_pktmbuf_free_bulk(mbufs, count);
}

/* A copy of a frame to be sent; NULL without a buffer that holds it. */
struct rte_mbuf *ww_dpdk_copy(const struct ww_dpdk_device *device, const uint8_t *frame,
                              uint32_t length)
{
    struct rte_mbuf *mbuf = rte_pktmbuf_alloc(device->pool);
    char *room;

    if (mbuf == NULL)
        return NULL;
    room = length > UINT16_MAX ? NULL : rte_pktmbuf_append(mbuf, length);
    if (room == NULL) {
        rte_pktmbuf_free(mbuf);
        return NULL;
    }
    memcpy(room, frame, length);
    return mbuf;
}

uint32_t ww_dpdk_longest(const struct ww_dpdk_device *device)
{
    return rte_pktmbuf_data_room_size(device->pool) - RTE_PKTMBUF_HEADROOM;
}

uint16_t ww_dpdk_send(const struct ww_dpdk_device *device, uint16_t queue,
                      struct rte_mbuf **mbufs, uint16_t count)
{
    return rte_eth_tx_burst(device->port, queue, mbufs, count);
}

/* A ring through which one worker hands frames to another. */
struct rte_ring *ww_dpdk_ring(const struct ww_dpdk_device *device, uint16_t worker)
{
    char name[RTE_RING_NAMESIZE];

    snprintf(name, sizeof(name), "ww_steer_%u_%u", device->port, worker);
    return rte_ring_create(name, STEERED, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
}

/* Frees a ring and the frames in it. */
void ww_dpdk_ring_free(struct rte_ring *ring)
{
    void *mbuf;

    while (rte_ring_dequeue(ring, &mbuf) == 0)
        rte_pktmbuf_free(mbuf);
    rte_ring_free(ring);
}

/* Whether there was room. */
int ww_dpdk_ring_put(struct rte_ring *ring, struct rte_mbuf *mbuf)
{
    return rte_ring_enqueue(ring, mbuf) == 0;
}

uint16_t ww_dpdk_ring_take(struct rte_ring *ring, struct rte_mbuf **mbufs, uint8_t **data,
                           uint32_t *lengths, uint16_t count)
{
    count = rte_ring_dequeue_burst(ring, (void **)mbufs, count, NULL);
    return places(mbufs, count, data, lengths);
}
