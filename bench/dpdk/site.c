#include "site.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_errno.h>
#include <rte_hash_crc.h>
#include <rte_lcore.h>

#include "workload.h"

enum { FIELDS = 7, MAX_ROUTES = 2 << 20, GROUPS = 1 << 15 };

RTE_ACL_RULE_DEF(acl_rule, FIELDS);

#define ACL_FIELD(index, input, member, bytes) \
	{ .type = RTE_ACL_FIELD_TYPE_BITMASK, .size = (bytes), .field_index = (index), \
	  .input_index = (input), .offset = offsetof(struct acl_key, member) }

/* Fields with one input index share a word of four bytes. */
static const struct rte_acl_field_def ACL_FIELDS[FIELDS] = {
	ACL_FIELD(0, 0, protocol, 1), ACL_FIELD(1, 1, src, 4),    ACL_FIELD(2, 2, dst, 4),
	ACL_FIELD(3, 3, port, 2),     ACL_FIELD(4, 3, l4_dst, 2), ACL_FIELD(5, 4, l4_src, 2),
	ACL_FIELD(6, 4, pad2, 2),
};

static uint64_t mac(const char *text)
{
	unsigned b[6];
	if (sscanf(text, "%x:%x:%x:%x:%x:%x", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]) != 6)
		fail(text, "not a MAC address");
	uint64_t value = 0;
	for (int n = 0; n < 6; n++)
		value = value << 8 | b[n];
	return value;
}

static void mac_bytes(uint8_t *to, const char *text)
{
	uint64_t value = mac(text);
	for (int n = 0; n < 6; n++)
		to[n] = (uint8_t)(value >> (40 - 8 * n));
}

static uint32_t number(const char *text, uint32_t below)
{
	uint32_t value = (uint32_t)strtoul(text, NULL, 0);
	if (value >= below)
		fail(text, "a number is too large");
	return value;
}

static struct station *station(struct site *site, const char *vid, const char *address)
{
	uint64_t key = (uint64_t)number(vid, VLANS) << 48 | mac(address);
	int32_t known = rte_hash_lookup(site->macs, &key);
	if (known >= 0)
		return &site->stations[known];
	int32_t at = rte_hash_add_key(site->macs, &key);
	if (at < 0 || at >= STATIONS)
		fail("rte_hash", "no room");
	site->stations[at] = (struct station){ .source = NOWHERE, .destination = NOWHERE };
	return &site->stations[at];
}

static void ternary(struct rte_acl_field *field, const char *text, int bytes)
{
	char *mask = strstr(text, "&&&");
	if (!mask)
		fail(text, "expected V&&&MASK");
	field->value.u64 = 0;
	field->mask_range.u64 = 0;
	uint32_t value = (uint32_t)strtoul(text, NULL, 0), bits = (uint32_t)strtoul(mask + 3, NULL, 0);
	switch (bytes) {
	case 1:
		field->value.u8 = (uint8_t)value, field->mask_range.u8 = (uint8_t)bits;
		break;
	case 2:
		field->value.u16 = (uint16_t)value, field->mask_range.u16 = (uint16_t)bits;
		break;
	default:
		field->value.u32 = value, field->mask_range.u32 = bits;
	}
}

static void route(struct site *site, char *prefix, uint32_t hop)
{
	unsigned a, b, c, d, length;
	if (sscanf(prefix, "%u.%u.%u.%u/%u", &a, &b, &c, &d, &length) != 5)
		fail(prefix, "not a prefix");
	uint32_t address = a << 24 | b << 16 | c << 8 | d;
	int status = site->fib ? rte_fib_add(site->fib, address, (uint8_t)length, hop) :
				 rte_lpm_add(site->lpm, address, (uint8_t)length, hop);
	if (status)
		fail(prefix, strerror(-status));
}

/* keys and arguments of a command begin at words[3]. */
static void command(struct site *site, char **words, int *rules)
{
	const char *dot = strrchr(words[1], '.');
	const char *table = dot ? dot + 1 : words[1], *action = words[2];
	char **at = words + 3;
	if (!strcmp(table, "ipv4_lpm")) {
		route(site, at[0], number(at[2], HOPS));
	} else if (!strcmp(table, "port_config")) {
		site->port_vlan[number(at[0], SITE_PORTS)] = (uint16_t)number(at[2], VLANS);
	} else if (!strcmp(table, "vlan_ingress")) {
		site->members[number(at[0], SITE_PORTS) * VLANS + number(at[1], VLANS)] = 1;
	} else if (!strcmp(table, "vlan_egress")) {
		site->egress[number(at[0], SITE_PORTS) * VLANS + number(at[1], VLANS)] =
			!strcmp(action, "tagged") ? TAGGED : UNTAGGED;
	} else if (!strcmp(table, "router_mac")) {
		station(site, at[0], at[1])->router = true;
	} else if (!strcmp(table, "smac")) {
		station(site, at[0], at[1])->source = (uint16_t)number(at[3], SITE_PORTS);
	} else if (!strcmp(table, "dmac")) {
		station(site, at[0], at[1])->destination = (uint16_t)number(at[3], SITE_PORTS);
	} else if (!strcmp(table, "nexthop")) {
		struct hop *hop = &site->hops[number(at[0], HOPS)];
		hop->valid = true;
		hop->port = (uint16_t)number(at[2], SITE_PORTS);
		hop->vid = (uint16_t)number(at[3], VLANS);
		mac_bytes(hop->macs + 6, at[4]);
		mac_bytes(hop->macs, at[5]);
	} else if (!strcmp(table, "acl_ipv4")) {
		struct acl_rule rule = { 0 };
		if (*rules == RULES)
			fail("access list", "too many rules");
		rule.data.category_mask = 1;
		/* Here the higher number wins. */
		rule.data.priority = RTE_ACL_MAX_PRIORITY - (int32_t)number(at[7], 1 << 20);
		rule.data.userdata = (uint32_t)*rules + 1;
		ternary(&rule.field[3], at[0], 2);
		ternary(&rule.field[1], at[1], 4);
		ternary(&rule.field[2], at[2], 4);
		ternary(&rule.field[0], at[3], 1);
		ternary(&rule.field[5], at[4], 2);
		ternary(&rule.field[4], at[5], 2);
		site->denies[(*rules)++] = !strcmp(action, "deny");
		int status = rte_acl_add_rules(site->acl, (struct rte_acl_rule *)&rule, 1);
		if (status)
			fail("rte_acl", strerror(-status));
	} else {
		fail(table, "a table that this program does not have");
	}
}

struct site *site_load(const char *dir, bool fib)
{
	int socket = (int)rte_socket_id();
	struct site *site = calloc(1, sizeof *site);
	if (!site)
		fail("site", "no memory");
	memset(site->port_vlan, 0xff, sizeof site->port_vlan);
	struct rte_hash_parameters hash = { .name = "macs", .entries = STATIONS / 2, .key_len = 8,
					    .hash_func = rte_hash_crc, .socket_id = socket };
	site->macs = rte_hash_create(&hash);
	struct rte_acl_param acl = { .name = "acl", .socket_id = socket, .max_rule_num = RULES,
				     .rule_size = RTE_ACL_RULE_SZ(FIELDS) };
	site->acl = rte_acl_create(&acl);
	if (fib) {
		struct rte_fib_conf conf = { .type = RTE_FIB_DIR24_8, .default_nh = 0,
					     .max_routes = MAX_ROUTES, .rib_ext_sz = 0,
					     .dir24_8 = { .nh_sz = RTE_FIB_DIR24_8_2B, .num_tbl8 = GROUPS - 1 } };
		site->fib = rte_fib_create("routes", socket, &conf);
	} else {
		struct rte_lpm_config conf = { .max_rules = MAX_ROUTES, .number_tbl8s = GROUPS };
		site->lpm = rte_lpm_create("routes", socket, &conf);
	}
	if (!site->macs || !site->acl || !(fib ? (void *)site->fib : (void *)site->lpm))
		fail("tables", rte_strerror(rte_errno));

	char path[4096], line[1024];
	snprintf(path, sizeof path, "%s/entries.txt", dir);
	FILE *file = fopen(path, "r");
	if (!file)
		fail(path, strerror(errno));
	int rules = 0;
	while (fgets(line, sizeof line, file)) {
		char *words[16] = { 0 }, *rest = NULL;
		line[strcspn(line, "#\n")] = 0;
		for (int n = 0; n < 15; n++)
			if (!(words[n] = strtok_r(n ? NULL : line, " ", &rest)))
				break;
		if (words[0])
			command(site, words, &rules);
	}
	fclose(file);
	struct rte_acl_config config = { .num_categories = 1, .num_fields = FIELDS };
	memcpy(config.defs, ACL_FIELDS, sizeof ACL_FIELDS);
	int status = rte_acl_build(site->acl, &config);
	if (status)
		fail("rte_acl", strerror(-status));
	return site;
}
