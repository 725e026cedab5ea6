// SPDX-License-Identifier: Apache-2.0
//
// Portable NIC Architecture: forwarding, table entries added by the data plane
// and their ageing. Of several forwarding calls the last one counts.

extern void drop_packet();
extern void send_to_port(in PortId_t dest_port);
extern void recirculate();

// A copy of the packet, in addition to the packet itself.
extern void mirror_packet(in MirrorSlotId_t mirror_slot_id,
                          in MirrorSessionId_t mirror_session_id);

// Adds the key that has just missed, with this action and its parameters in a
// struct, to the table; for default actions of tables with add_on_miss = true.
#ifdef PNA_ADD_ENTRY_STATUS
typedef bit<1> AddEntryErrorStatus_t;

const AddEntryErrorStatus_t ADD_ENTRY_SUCCESS = 0;
const AddEntryErrorStatus_t ADD_ENTRY_NOT_DONE = 1;

extern AddEntryErrorStatus_t add_entry<T>(
    string action_name,
    in T action_params,
    in ExpireTimeProfileId_t expire_time_profile_id);

extern AddEntryErrorStatus_t add_entry_if<T>(
    in bool do_add_entry,
    string action_name,
    in T action_params,
    in ExpireTimeProfileId_t expire_time_profile_id);
#else
extern bool add_entry<T>(
    string action_name,
    in T action_params,
    in ExpireTimeProfileId_t expire_time_profile_id);
#endif

extern FlowId_t allocate_flow_id();

// For actions of tables with an idle timeout: a new timeout for the entry that
// matched, or its present one from the beginning, or either on a condition.
extern void set_entry_expire_time(
    in ExpireTimeProfileId_t expire_time_profile_id);

extern void restart_expire_timer();

extern void update_expire_info(
    in bool update_aging_info,
    in bool update_expire_time,
    in ExpireTimeProfileId_t expire_time_profile_id);

extern void set_entry_expire_time_if(
    in bool condition,
    in ExpireTimeProfileId_t expire_time_profile_id);
