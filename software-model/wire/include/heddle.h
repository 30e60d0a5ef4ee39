/* Heddle: wire format, host queues and registers.
 * Rendered from software-model/wire by `cargo run -p heddle-wire --bin wire-gen`. Do not edit. */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdint.h>

#define HEDDLE_ASSERT(holds, name) typedef char name[(holds) ? 1 : -1]
#define HEDDLE_VERSION 1
#define HEDDLE_DEFAULT_PORT 54791
#define HEDDLE_ICRC_BYTES 4

enum {
    /* A slice of a message, an answer, or a request. */
    HEDDLE_TYPE_DATA = 1,
    /* What one path has received. */
    HEDDLE_TYPE_ACK = 2,
    /* A packet that was refused for good. */
    HEDDLE_TYPE_NAK = 3,
    /* A question that a full ACK answers. */
    HEDDLE_TYPE_PROBE = 4,
    /* The end of an incarnation of a connection. */
    HEDDLE_TYPE_RESET = 5,
};

enum {
    /* Writes the payload to the remote address. */
    HEDDLE_OP_WRITE = 1,
    /* Writes, then completes a posted receive with the immediate. */
    HEDDLE_OP_WRITE_IMM = 2,
    /* Fills the posted receive that it names. */
    HEDDLE_OP_SEND = 3,
    /* Fills the posted receive that it names, with an immediate. */
    HEDDLE_OP_SEND_IMM = 4,
    /* Asks for remote memory; no payload. */
    HEDDLE_OP_READ_REQ = 5,
    /* A slice of the memory asked for. */
    HEDDLE_OP_READ_RESP = 6,
    /* Adds operand to the remote 64-bit word. */
    HEDDLE_OP_FETCH_ADD = 7,
    /* Replaces the remote 64-bit word by operand when it equals compare. */
    HEDDLE_OP_CMP_SWAP = 8,
    /* The earlier value of an atomic's word. */
    HEDDLE_OP_ATOMIC_RESP = 9,
};

enum {
    /* Words 4 to 17. */
    HEDDLE_ACK_FORM_SACK = 0,
    /* Words 4 to 9: no bit of the SACK is set. */
    HEDDLE_ACK_FORM_NO_SACK = 1,
};

enum {
    /* The receiver answers with an ACK at once. */
    HEDDLE_FLAG_BIT_ACK_REQ = 0,
    /* Last packet of its message. */
    HEDDLE_FLAG_BIT_LAST = 1,
    /* Sent before, or a repeated PROBE. */
    HEDDLE_FLAG_BIT_RETX = 2,
    /* The sender could send faster than its hint lets it. */
    HEDDLE_FLAG_BIT_HINT_LIMITED = 3,
    /* RESET: the answer to a RESET. ACK, in ack_flags: word 8 speaks of answers. */
    HEDDLE_FLAG_BIT_RESPONSE = 4,
    /* PROBE: tests another plane. ACK, in ack_flags: answers such a PROBE. */
    HEDDLE_FLAG_BIT_PLANE_TEST = 5,
};

enum {
    /* Wrong key, or a right that the region does not give. Ends the connection. */
    HEDDLE_NAK_ACCESS = 1,
    /* Outside of the region, the posted receive or the sink. Ends the connection. */
    HEDDLE_NAK_BOUNDS = 2,
    /* An operation that is not enabled, or a misaligned atomic. Ends the connection. */
    HEDDLE_NAK_OPERATION = 3,
    /* A rule of the protocol broken. Ends the connection. */
    HEDDLE_NAK_PROTOCOL = 4,
    /* Unknown connection, or a tag of another incarnation. For the control plane. */
    HEDDLE_NAK_CONNECTION = 5,
};

enum {
    /* Held until the stream's earlier work requests are done. */
    HEDDLE_WORK_FLAG_BIT_FENCE = 0,
};

enum {
    /* Of a posted receive. */
    HEDDLE_COMPLETION_FLAG_BIT_RECEIVE = 0,
    /* The field imm is valid. */
    HEDDLE_COMPLETION_FLAG_BIT_IMM = 1,
};

enum {
    /* Done. */
    HEDDLE_STATUS_SUCCESS = 0,
    /* The peer refused key or right. */
    HEDDLE_STATUS_REMOTE_ACCESS = 1,
    /* The peer found it outside of a region or a receive. */
    HEDDLE_STATUS_REMOTE_BOUNDS = 2,
    /* The peer does not have the operation enabled. */
    HEDDLE_STATUS_REMOTE_OPERATION = 3,
    /* The peer saw a rule of the protocol broken. */
    HEDDLE_STATUS_REMOTE_PROTOCOL = 4,
    /* The peer has no such connection any more, or has reset it. */
    HEDDLE_STATUS_REMOTE_CONNECTION = 5,
    /* No progress for the retry budget. */
    HEDDLE_STATUS_RETRY_BUDGET = 6,
    /* The memory bus answered with an error. */
    HEDDLE_STATUS_LOCAL_MEMORY = 7,
    /* The connection had ended before this was done. */
    HEDDLE_STATUS_FLUSHED = 8,
    /* Refused at once: opcode, connection or stream is not one that this core has. */
    HEDDLE_STATUS_INVALID_REQUEST = 9,
};

enum {
    /* A connection has ended with an error; see connection_error. */
    HEDDLE_IRQ_BIT_CONNECTION_ERROR = 0,
    /* A set-up command was refused, or a work request of a wrong length thrown away. */
    HEDDLE_IRQ_BIT_SETUP_ERROR = 1,
    /* A plane has come up or gone down. */
    HEDDLE_IRQ_BIT_PLANE_CHANGE = 2,
    /* A CONNECTION NAK waits for the control plane. */
    HEDDLE_IRQ_BIT_CONNECTION_NAK = 3,
};

enum {
    /* DATA packets sent for the first time. */
    HEDDLE_COUNTER_DATA_SENT = 0,
    /* DATA packets sent again because evidence showed a loss. */
    HEDDLE_COUNTER_DATA_RESENT = 1,
    /* DATA packets sent because a timer expired. */
    HEDDLE_COUNTER_EXPIRY_RESENT = 2,
    /* PROBEs sent. */
    HEDDLE_COUNTER_PROBES_SENT = 3,
    /* ACKs sent. */
    HEDDLE_COUNTER_ACKS_SENT = 4,
    /* NAKs sent. */
    HEDDLE_COUNTER_NAKS_SENT = 5,
    /* Payload bytes sent, resends included. */
    HEDDLE_COUNTER_BYTES_SENT = 6,
    /* Frames received, before any check. */
    HEDDLE_COUNTER_FRAMES_RECEIVED = 7,
    /* DATA packets accepted. */
    HEDDLE_COUNTER_DATA_ACCEPTED = 8,
    /* Accepted or duplicate DATA packets that carried CE. */
    HEDDLE_COUNTER_CE_RECEIVED = 9,
    /* PROBEs received. */
    HEDDLE_COUNTER_PROBES_RECEIVED = 10,
    /* ACKs received that were good. */
    HEDDLE_COUNTER_ACKS_RECEIVED = 11,
    /* NAKs received that were valid. */
    HEDDLE_COUNTER_NAKS_RECEIVED = 12,
    /* Payload bytes written to memory. */
    HEDDLE_COUNTER_BYTES_WRITTEN = 13,
    /* Timers of paths that expired. */
    HEDDLE_COUNTER_EXPIRIES = 14,
    /* Routes found dead. */
    HEDDLE_COUNTER_DEAD_ROUTES = 15,
    /* Rise of the dup_count in ACKs: resends that were not needed. */
    HEDDLE_COUNTER_SPURIOUS = 16,
    /* Messages sent and completed. */
    HEDDLE_COUNTER_MESSAGES_SENT = 17,
    /* Messages received whole. */
    HEDDLE_COUNTER_MESSAGES_RECEIVED = 18,
    /* Connections ended with an error. */
    HEDDLE_COUNTER_CONNECTION_ERRORS = 19,
};

enum {
    /* Receive side of a connection; index: connection. Once per control.reset: earlier messages stay. */
    HEDDLE_TABLE_RX_CONNECTION = 1,
    /* Transmit side of a connection; index: connection. Once per control.reset: earlier messages stay. */
    HEDDLE_TABLE_TX_CONNECTION = 2,
    /* Receive state of a path, made new with this first PSN; index: path. */
    HEDDLE_TABLE_RX_PATH = 3,
    /* Transmit state of a path, made new with this first PSN; index: path. */
    HEDDLE_TABLE_TX_PATH = 4,
    /* Route of a path; index: path. */
    HEDDLE_TABLE_ROUTE = 5,
    /* Memory region; index: the index part of its key. */
    HEDDLE_TABLE_REGION = 6,
};

/* Drop reasons; of several that hold the lowest number is the reason. */
enum {
    /* The MAC flagged the frame (FCS, symbol error): tuser at the last beat. */
    HEDDLE_DROP_BAD_FRAME = 1,
    /* Shorter than the Ethernet header: below 14 bytes, or below 18 with a tag. */
    HEDDLE_DROP_ETHERNET_TRUNCATED = 2,
    /* Neither IPv4 nor IPv6, or a second tag. */
    HEDDLE_DROP_ETHER_TYPE = 3,
    /* Shorter than the IP header: below 20 bytes (IPv4) or 40 (IPv6) behind the Ethernet header. */
    HEDDLE_DROP_IP_TRUNCATED = 4,
    /* The version field disagrees with the EtherType. */
    HEDDLE_DROP_IP_VERSION = 5,
    /* IPv4 with a header length other than 5 words: options. */
    HEDDLE_DROP_IP_OPTIONS = 6,
    /* The IPv4 header checksum fails. */
    HEDDLE_DROP_IP_CHECKSUM = 7,
    /* The IPv4 flags and fragment offset are not exactly DF: a fragment, or one in the making. */
    HEDDLE_DROP_IP_FRAGMENT = 8,
    /* Not UDP; an IPv6 extension header counts as not UDP. */
    HEDDLE_DROP_IP_PROTOCOL = 9,
    /* The frame ends before the IP length says, or the IP length is below the IPv4 header's own 20 bytes. */
    HEDDLE_DROP_IP_LENGTH = 10,
    /* The frame goes on after the IP length says: trailing bytes. No frame of ours is short enough to be
     * padded. */
    HEDDLE_DROP_IP_TRAILING = 11,
    /* Fewer than 8 bytes behind the IP header. */
    HEDDLE_DROP_UDP_TRUNCATED = 12,
    /* Not addressed to the configured UDP port. */
    HEDDLE_DROP_UDP_PORT = 13,
    /* The UDP length is not the length of the IP payload. */
    HEDDLE_DROP_UDP_LENGTH = 14,
    /* Fewer than 20 bytes behind the UDP header: no room for the common header and the ICRC. */
    HEDDLE_DROP_TRANSPORT_TRUNCATED = 15,
    /* Not version 1. */
    HEDDLE_DROP_VERSION = 16,
    /* An unknown packet type. */
    HEDDLE_DROP_PACKET_TYPE = 17,
    /* An unknown opcode in a DATA packet, one other than 0 and 1 in an ACK, or one other than 0 in another
     * type. */
    HEDDLE_DROP_OPCODE = 18,
    /* The UDP length is no multiple of 4, or is not the one that type and opcode ask for. */
    HEDDLE_DROP_LENGTH = 19,
    /* Longer than the hold buffer's limit for one frame. */
    HEDDLE_DROP_OVERSIZE = 20,
    /* The hold buffer is full: what is behind it stalls. The MAC cannot be made to wait. */
    HEDDLE_DROP_HOLD_OVERFLOW = 21,
    /* The ICRC fails. */
    HEDDLE_DROP_ICRC = 22,
    /* dst_conn names no connection. */
    HEDDLE_DROP_CONNECTION = 24,
    /* The tag is one of another incarnation. */
    HEDDLE_DROP_TAG = 25,
    /* The source address, or its IP version, is not the peer's. */
    HEDDLE_DROP_SOURCE_ADDRESS = 26,
    /* The connection has ended with an error and waits for its RESET to be answered; a RESET still passes. */
    HEDDLE_DROP_CONNECTION_CLOSED = 27,
    /* The path number is not below the number of paths of the connection. */
    HEDDLE_DROP_PATH = 28,
    /* A packet type that this core is built without. */
    HEDDLE_DROP_UNSUPPORTED = 29,
    /* DATA received before. */
    HEDDLE_DROP_DUPLICATE = 32,
    /* DATA at or beyond cum + 256. */
    HEDDLE_DROP_OUT_OF_WINDOW = 33,
    /* The operation is not enabled, or an atomic's address is no multiple of 8. */
    HEDDLE_DROP_OPERATION = 34,
    /* The stream number is not below the number of streams of the connection. */
    HEDDLE_DROP_STREAM = 35,
    /* DATA of a message outside of [done, done + M): a stale one of an earlier lap, or one too far ahead. */
    HEDDLE_DROP_MSN_WINDOW = 36,
    /* An answer (READ_RESP, ATOMIC_RESP) to no request that is outstanding. */
    HEDDLE_DROP_ANSWER_UNMATCHED = 37,
    /* Offset, payload length, message length, LAST and the slice size disagree. */
    HEDDLE_DROP_SLICE = 38,
    /* Kind, length or rq_index is not that of the message's earlier packets. */
    HEDDLE_DROP_SLOT_MISMATCH = 39,
    /* rq_index names no posted receive: the peer sent beyond its credit. */
    HEDDLE_DROP_CREDIT = 40,
    /* More READ and atomic requests outstanding than the depth of the connection. */
    HEDDLE_DROP_DEPTH = 41,
    /* The key names no region, its tag is wrong, or the region is of another protection domain. */
    HEDDLE_DROP_KEY = 42,
    /* The region does not give the right. */
    HEDDLE_DROP_RIGHTS = 43,
    /* Outside of the region, the posted receive or the sink. An empty range is inside of everything. */
    HEDDLE_DROP_BOUNDS = 44,
    /* ACK with cum behind base, or an echo outside its age, be it too old or ahead of now: its path fields
     * are ignored, done and credit are taken. */
    HEDDLE_DROP_ACK_STALE = 48,
    /* ACK that speaks of packets never sent: ignored whole. */
    HEDDLE_DROP_ACK_INVALID = 49,
    /* ACK with PLANE_TEST whose timestamp matches no plane test of ours. */
    HEDDLE_DROP_ACK_PLANE_TEST = 50,
    /* NAK with an unknown code, of a PSN outside of [base, next), or whose offender is not of this
     * incarnation. */
    HEDDLE_DROP_NAK_INVALID = 51,
    /* CONNECTION NAK while the control plane's queue is full. */
    HEDDLE_DROP_NAK_OVERFLOW = 52,
    /* RESET with RESPONSE that answers none of ours. */
    HEDDLE_DROP_RESET_UNMATCHED = 53,
};

/* A field of a big-endian layout, at most 64 bits: heddle_get(bytes, HEDDLE_COMMON_PSN). */
static inline uint64_t heddle_get(const uint8_t *bytes, unsigned at, unsigned bits)
{
    uint64_t value = 0;
    unsigned i;
    for (i = at; i < at + bits; i++)
        value = value << 1 | (uint64_t)(bytes[i / 8] >> (7 - i % 8) & 1);
    return value;
}

static inline void heddle_put(uint8_t *bytes, unsigned at, unsigned bits, uint64_t value)
{
    unsigned i;
    for (i = 0; i < bits; i++) {
        uint8_t mask = (uint8_t)(0x80u >> ((at + i) % 8));
        if (value >> (bits - 1 - i) & 1)
            bytes[(at + i) / 8] |= mask;
        else
            bytes[(at + i) / 8] &= (uint8_t)~mask;
    }
}

/* Common header of every packet, words 0 to 3. */
#define HEDDLE_COMMON_BYTES 16
/* Version of the protocol, 1. */
#define HEDDLE_COMMON_VERSION 0, 4
/* Packet type: 1 DATA, 2 ACK, 3 NAK, 4 PROBE, 5 RESET. */
#define HEDDLE_COMMON_PACKET_TYPE 4, 4
/* What a DATA packet does; of an ACK whether it has SACK words; 0 in every other type. */
#define HEDDLE_COMMON_OPCODE 8, 8
/* Flag bits. */
#define HEDDLE_COMMON_FLAGS 16, 8
/* Path of the connection; in an ACK or NAK the path that carried the data. */
#define HEDDLE_COMMON_PATH 24, 8
/* Number of the connection at the receiver of this packet. */
#define HEDDLE_COMMON_DST_CONN 32, 16
/* Random per incarnation of the connection. */
#define HEDDLE_COMMON_TAG 48, 16
/* Counts the changes of route of the path; echoed by an ACK. */
#define HEDDLE_COMMON_ROUTE 64, 8
/* Packet sequence number of the path; in an ACK the highest received. */
#define HEDDLE_COMMON_PSN 72, 24
/* Time of sending in ticks of 8 ns; echoed by an ACK. */
#define HEDDLE_COMMON_TIMESTAMP 96, 32

/* DATA header, words 4 to 11, one layout for every opcode. */
#define HEDDLE_DATA_BYTES 32
/* Stream of the connection. */
#define HEDDLE_DATA_STREAM 0, 8
/* Message sequence number of the stream. */
#define HEDDLE_DATA_MSN 8, 24
/* Where this packet's payload lies in the message, in bytes; a multiple of the slice size. */
#define HEDDLE_DATA_OFFSET 32, 32
/* Bytes of the whole message; of the answer in a READ_REQ. */
#define HEDDLE_DATA_LENGTH 64, 32
/* Where this packet's payload goes (WRITE*), or where the source lies (READ_REQ, atomics). */
#define HEDDLE_DATA_ADDRESS 96, 64
/* Key of the memory region: an index and a random tag. */
#define HEDDLE_DATA_KEY 160, 32
/* Immediate (WRITE_IMM, SEND_IMM); in a READ_REQ the hint for the answer. */
#define HEDDLE_DATA_IMM 192, 32
/* Which posted receive the message consumes (SEND, SEND_IMM, WRITE_IMM); which place at the responder a
 * request takes (READ_REQ, FETCH_ADD, CMP_SWAP). */
#define HEDDLE_DATA_RQ_INDEX 224, 16
/* Sent 0, ignored. */
#define HEDDLE_DATA_RESERVED 240, 16

/* ACK header, words 4 to 17; without words 10 to 17 when no bit of the SACK is set (opcode 1). */
#define HEDDLE_ACK_BYTES 56
/* RESPONSE: word 8 speaks of answers. PLANE_TEST: answers a PROBE that tests a plane. */
#define HEDDLE_ACK_ACK_FLAGS 0, 8
/* The lowest PSN of the path that was not received. */
#define HEDDLE_ACK_CUM 8, 24
/* Ticks from the echoed arrival to this ACK; 0xffff = no RTT sample. */
#define HEDDLE_ACK_HOLD 32, 16
/* CE-marked arrivals on this path. */
#define HEDDLE_ACK_CE_COUNT 48, 16
/* Inverse rate for this connection, 16-bit float in 1/64 ps per byte; 0 = none. */
#define HEDDLE_ACK_HINT 64, 16
/* Receives posted. */
#define HEDDLE_ACK_RQ_CREDIT 80, 16
/* Number of this ACK in the connection. */
#define HEDDLE_ACK_ACK_SEQ 96, 16
/* Duplicates that arrived on this path. */
#define HEDDLE_ACK_DUP_COUNT 112, 16
/* The stream that done_msn speaks of. */
#define HEDDLE_ACK_DONE_STREAM 128, 8
/* Leading messages of that stream that are complete here; with RESPONSE, the peer's message before which
 * every READ and atomic is answered. */
#define HEDDLE_ACK_DONE_MSN 136, 24
/* Arrivals on this path. */
#define HEDDLE_ACK_ARRIVALS 160, 16
/* Sent 0, ignored. */
#define HEDDLE_ACK_RESERVED 176, 16
/* Bit p mod 256: PSN p beyond cum is received; bit i is bit i mod 32 of word 10 + i / 32. Not there, and all
 * zeros, with opcode 1. */
#define HEDDLE_ACK_SACK 192, 256

/* NAK header, words 4 to 7. */
#define HEDDLE_NAK_BYTES 16
/* Why: 1 ACCESS, 2 BOUNDS, 3 OPERATION, 4 PROTOCOL, 5 CONNECTION. */
#define HEDDLE_NAK_CODE 0, 8
/* Sent 0, ignored. */
#define HEDDLE_NAK_RESERVED 8, 24
/* Word 0 of the packet refused. */
#define HEDDLE_NAK_OFFENDER0 32, 32
/* Word 1 of the packet refused. */
#define HEDDLE_NAK_OFFENDER1 64, 32
/* Word 2 of the packet refused. */
#define HEDDLE_NAK_OFFENDER2 96, 32

/* PROBE header, word 4. */
#define HEDDLE_PROBE_BYTES 4
/* The stream whose done_msn the sender waits for. */
#define HEDDLE_PROBE_STREAM 0, 8
/* Sent 0, ignored. */
#define HEDDLE_PROBE_RESERVED 8, 24

/* Payload of FETCH_ADD and CMP_SWAP. */
#define HEDDLE_ATOMIC_OPERANDS_BYTES 16
/* Added, or swapped in. */
#define HEDDLE_ATOMIC_OPERANDS_OPERAND 0, 64
/* Compared with (CMP_SWAP); 0 in a FETCH_ADD. */
#define HEDDLE_ATOMIC_OPERANDS_COMPARE 64, 64

/* Payload of ATOMIC_RESP. */
#define HEDDLE_ATOMIC_RESULT_BYTES 8
/* The word's earlier value. */
#define HEDDLE_ATOMIC_RESULT_ORIGINAL 0, 64

/* Rows of the set-up tables, words written in order to setup_data. */
/* Receive side of a connection: what its packets must carry. */
#define HEDDLE_RX_CONNECTION_BYTES 24
/* 1: packets are accepted. */
#define HEDDLE_RX_CONNECTION_VALID 0, 1
/* 1: the peer's address is IPv6. */
#define HEDDLE_RX_CONNECTION_V6 1, 1
/* 0. */
#define HEDDLE_RX_CONNECTION_RESERVED0 2, 14
/* Tag that the peer must send. */
#define HEDDLE_RX_CONNECTION_TAG 16, 16
/* Protection domain that its keys must be of. */
#define HEDDLE_RX_CONNECTION_PD 32, 16
/* 0. */
#define HEDDLE_RX_CONNECTION_RESERVED1 48, 16
/* Source address of the peer; an IPv4 address in the last 4 bytes behind zeros. */
#define HEDDLE_RX_CONNECTION_PEER_ADDRESS 64, 128

/* Transmit side of a connection: what its packets carry. */
#define HEDDLE_TX_CONNECTION_BYTES 32
/* 1: work requests are accepted. */
#define HEDDLE_TX_CONNECTION_VALID 0, 1
/* 1: the peer's address is IPv6. */
#define HEDDLE_TX_CONNECTION_V6 1, 1
/* 1: frames carry an 802.1Q tag. */
#define HEDDLE_TX_CONNECTION_TAGGED 2, 1
/* 0. */
#define HEDDLE_TX_CONNECTION_RESERVED0 3, 13
/* The tag's control information: priority 3, drop eligible 1, VLAN 12. */
#define HEDDLE_TX_CONNECTION_VLAN_TCI 16, 16
/* Number of the connection at the peer. */
#define HEDDLE_TX_CONNECTION_PEER_CONN 32, 16
/* Tag that the peer expects. */
#define HEDDLE_TX_CONNECTION_PEER_TAG 48, 16
/* Destination address; an IPv4 address in the last 4 bytes behind zeros. */
#define HEDDLE_TX_CONNECTION_PEER_ADDRESS 64, 128
/* 0. */
#define HEDDLE_TX_CONNECTION_RESERVED1 192, 16
/* First two bytes of the next hop's Ethernet address. */
#define HEDDLE_TX_CONNECTION_PEER_MAC_HIGH 208, 16
/* Last four bytes of the next hop's Ethernet address. */
#define HEDDLE_TX_CONNECTION_PEER_MAC_LOW 224, 32

/* A path made new, on the receive or on the transmit side. */
#define HEDDLE_PATH_BYTES 4
/* 0. */
#define HEDDLE_PATH_RESERVED 0, 8
/* Random; the same at both ends. */
#define HEDDLE_PATH_FIRST_PSN 8, 24

/* Where a path's packets travel. */
#define HEDDLE_ROUTE_BYTES 4
/* Plane: tdest of its frames. */
#define HEDDLE_ROUTE_PLANE 0, 8
/* 0. */
#define HEDDLE_ROUTE_RESERVED 8, 8
/* UDP source port. */
#define HEDDLE_ROUTE_SRC_PORT 16, 16

/* A memory region that a peer can name. */
#define HEDDLE_REGION_BYTES 24
/* 1: the key can be used. */
#define HEDDLE_REGION_VALID 0, 1
/* 1: remote READ. */
#define HEDDLE_REGION_REMOTE_READ 1, 1
/* 1: remote WRITE. */
#define HEDDLE_REGION_REMOTE_WRITE 2, 1
/* 1: remote atomics. */
#define HEDDLE_REGION_REMOTE_ATOMIC 3, 1
/* 0. */
#define HEDDLE_REGION_RESERVED0 4, 12
/* The tag part of the key, random. */
#define HEDDLE_REGION_TAG 16, 16
/* Protection domain. */
#define HEDDLE_REGION_PD 32, 16
/* 0. */
#define HEDDLE_REGION_RESERVED1 48, 16
/* First byte. */
#define HEDDLE_REGION_BASE 64, 64
/* Bytes. */
#define HEDDLE_REGION_LENGTH 128, 64

/* A key as it travels in word 9 of DATA. */
#define HEDDLE_KEY_BYTES 4
/* Of the region's row. */
#define HEDDLE_KEY_INDEX 0, 16
/* Must be the row's tag. */
#define HEDDLE_KEY_TAG 16, 16

/* Records of the host's queues: little-endian in memory, whatever the host is. */
/* Work request: one message. 64 bytes on s_axis_wqe. */
struct heddle_work_request {
    /* WRITE, WRITE_IMM, SEND, SEND_IMM, READ_REQ (a READ), FETCH_ADD or CMP_SWAP, by its number on the wire.
     * */
    uint8_t opcode;
    /* Bit 0: FENCE. */
    uint8_t flags;
    /* Local number of the connection. */
    uint16_t conn;
    /* Stream of the connection. */
    uint8_t stream;
    /* 0. */
    uint8_t reserved0;
    /* 0. */
    uint16_t reserved1;
    /* Returned in the completion. */
    uint64_t wr_id;
    /* Local memory: source (WRITE, SEND), or sink of the answer (READ, atomics). Any byte address. */
    uint64_t local_address;
    /* Remote memory (WRITE, READ, atomics). */
    uint64_t remote_address;
    /* Bytes of the message; 8 for atomics. */
    uint32_t length;
    /* Remote key (WRITE, READ, atomics). */
    uint32_t rkey;
    /* Immediate (WRITE_IMM, SEND_IMM). */
    uint32_t imm;
    /* 0. */
    uint32_t reserved2;
    /* Added, or swapped in (atomics). */
    uint64_t operand;
    /* Compared with (CMP_SWAP). */
    uint64_t compare;
};
HEDDLE_ASSERT(sizeof(struct heddle_work_request) == 64, heddle_work_request_size);

/* Posted receive: the sink of one SEND, or the right to one WRITE_IMM. 32 bytes on s_axis_rqe. */
struct heddle_receive {
    /* Local number of the connection. */
    uint16_t conn;
    /* 0. */
    uint16_t reserved0;
    /* Bytes of the sink. */
    uint32_t length;
    /* Returned in the completion. */
    uint64_t wr_id;
    /* The sink, any byte address. */
    uint64_t local_address;
    /* 0. */
    uint64_t reserved1;
};
HEDDLE_ASSERT(sizeof(struct heddle_receive) == 32, heddle_receive_size);

/* Completion of a work request or of a posted receive. 32 bytes on m_axis_cpl. */
struct heddle_completion {
    /* How it ended; 0 is success. */
    uint8_t status;
    /* Opcode of the work request; of the arrived message for a posted receive. */
    uint8_t opcode;
    /* Local number of the connection. */
    uint16_t conn;
    /* Stream of the connection. */
    uint8_t stream;
    /* Bit 0: RECEIVE, of a posted receive. Bit 1: IMM, imm is valid. */
    uint8_t flags;
    /* 0. */
    uint16_t reserved0;
    /* The one given with the work request or the receive. */
    uint64_t wr_id;
    /* Bytes of the message that were moved; 0 unless the status is success. */
    uint32_t byte_count;
    /* Immediate of the arrived message. */
    uint32_t imm;
    /* Message sequence number on its stream, 24 bits; 0 for a work request that was refused. */
    uint32_t msn;
    /* 0. */
    uint32_t reserved1;
};
HEDDLE_ASSERT(sizeof(struct heddle_completion) == 32, heddle_completion_size);

/* Registers: byte addresses, and shift and mask of each field. */
#define HEDDLE_ID_VALUE 0x4844444cu
/* What this is. */
#define HEDDLE_REG_ID 0x000u
#define HEDDLE_REG_ID_ID_SHIFT 0
#define HEDDLE_REG_ID_ID_MASK 0xffffffffu
/* Which version this is. */
#define HEDDLE_REG_VERSION 0x004u
#define HEDDLE_REG_VERSION_PROTOCOL_SHIFT 16
#define HEDDLE_REG_VERSION_PROTOCOL_MASK 0xffu
#define HEDDLE_REG_VERSION_MAP_SHIFT 0
#define HEDDLE_REG_VERSION_MAP_MASK 0xffffu
/* Sizes of the tables this core was built with. */
#define HEDDLE_REG_CONFIG_SIZES 0x008u
#define HEDDLE_REG_CONFIG_SIZES_CONNECTION_BITS_SHIFT 20
#define HEDDLE_REG_CONFIG_SIZES_CONNECTION_BITS_MASK 0x1fu
#define HEDDLE_REG_CONFIG_SIZES_PATH_BITS_SHIFT 16
#define HEDDLE_REG_CONFIG_SIZES_PATH_BITS_MASK 0xfu
#define HEDDLE_REG_CONFIG_SIZES_STREAM_BITS_SHIFT 12
#define HEDDLE_REG_CONFIG_SIZES_STREAM_BITS_MASK 0xfu
#define HEDDLE_REG_CONFIG_SIZES_SLOT_BITS_SHIFT 8
#define HEDDLE_REG_CONFIG_SIZES_SLOT_BITS_MASK 0xfu
#define HEDDLE_REG_CONFIG_SIZES_REGION_BITS_SHIFT 4
#define HEDDLE_REG_CONFIG_SIZES_REGION_BITS_MASK 0xfu
#define HEDDLE_REG_CONFIG_SIZES_SLICE_BITS_SHIFT 0
#define HEDDLE_REG_CONFIG_SIZES_SLICE_BITS_MASK 0xfu
/* Widths and clock this core was built with. */
#define HEDDLE_REG_CONFIG_CLOCK 0x00cu
#define HEDDLE_REG_CONFIG_CLOCK_TICK_SHIFT_SHIFT 19
#define HEDDLE_REG_CONFIG_CLOCK_TICK_SHIFT_MASK 0x7u
#define HEDDLE_REG_CONFIG_CLOCK_TICK_FACTOR_SHIFT 16
#define HEDDLE_REG_CONFIG_CLOCK_TICK_FACTOR_MASK 0x7u
#define HEDDLE_REG_CONFIG_CLOCK_PLANES_SHIFT 10
#define HEDDLE_REG_CONFIG_CLOCK_PLANES_MASK 0x3fu
#define HEDDLE_REG_CONFIG_CLOCK_DATA_BITS_SHIFT 0
#define HEDDLE_REG_CONFIG_CLOCK_DATA_BITS_MASK 0x3ffu
/* Turns the core on and off. */
#define HEDDLE_REG_CONTROL 0x020u
#define HEDDLE_REG_CONTROL_RESET_SHIFT 1
#define HEDDLE_REG_CONTROL_RESET_MASK 0x1u
#define HEDDLE_REG_CONTROL_ENABLE_SHIFT 0
#define HEDDLE_REG_CONTROL_ENABLE_MASK 0x1u
/* Planes as the MACs report them. */
#define HEDDLE_REG_PLANE_STATUS 0x024u
#define HEDDLE_REG_PLANE_STATUS_UP_SHIFT 0
#define HEDDLE_REG_PLANE_STATUS_UP_MASK 0xffffffffu
/* Interrupts that wait. */
#define HEDDLE_REG_IRQ_STATUS 0x028u
#define HEDDLE_REG_IRQ_STATUS_CONNECTION_NAK_SHIFT 3
#define HEDDLE_REG_IRQ_STATUS_CONNECTION_NAK_MASK 0x1u
#define HEDDLE_REG_IRQ_STATUS_PLANE_CHANGE_SHIFT 2
#define HEDDLE_REG_IRQ_STATUS_PLANE_CHANGE_MASK 0x1u
#define HEDDLE_REG_IRQ_STATUS_SETUP_ERROR_SHIFT 1
#define HEDDLE_REG_IRQ_STATUS_SETUP_ERROR_MASK 0x1u
#define HEDDLE_REG_IRQ_STATUS_CONNECTION_ERROR_SHIFT 0
#define HEDDLE_REG_IRQ_STATUS_CONNECTION_ERROR_MASK 0x1u
/* Which of them raise the interrupt line: it is high while irq_status AND irq_enable is not 0. */
#define HEDDLE_REG_IRQ_ENABLE 0x02cu
#define HEDDLE_REG_IRQ_ENABLE_CONNECTION_NAK_SHIFT 3
#define HEDDLE_REG_IRQ_ENABLE_CONNECTION_NAK_MASK 0x1u
#define HEDDLE_REG_IRQ_ENABLE_PLANE_CHANGE_SHIFT 2
#define HEDDLE_REG_IRQ_ENABLE_PLANE_CHANGE_MASK 0x1u
#define HEDDLE_REG_IRQ_ENABLE_SETUP_ERROR_SHIFT 1
#define HEDDLE_REG_IRQ_ENABLE_SETUP_ERROR_MASK 0x1u
#define HEDDLE_REG_IRQ_ENABLE_CONNECTION_ERROR_SHIFT 0
#define HEDDLE_REG_IRQ_ENABLE_CONNECTION_ERROR_MASK 0x1u
/* The last connection that ended with an error. */
#define HEDDLE_REG_CONNECTION_ERROR 0x030u
#define HEDDLE_REG_CONNECTION_ERROR_VALID_SHIFT 31
#define HEDDLE_REG_CONNECTION_ERROR_VALID_MASK 0x1u
#define HEDDLE_REG_CONNECTION_ERROR_STATUS_SHIFT 16
#define HEDDLE_REG_CONNECTION_ERROR_STATUS_MASK 0xffu
#define HEDDLE_REG_CONNECTION_ERROR_CONN_SHIFT 0
#define HEDDLE_REG_CONNECTION_ERROR_CONN_MASK 0xffffu
/* Where packets of this transport are received and sent to. */
#define HEDDLE_REG_UDP_PORT 0x040u
#define HEDDLE_REG_UDP_PORT_PORT_SHIFT 0
#define HEDDLE_REG_UDP_PORT_PORT_MASK 0xffffu
/* Class of service and hops of sent packets. */
#define HEDDLE_REG_IP_CLASS 0x044u
#define HEDDLE_REG_IP_CLASS_HOP_LIMIT_SHIFT 16
#define HEDDLE_REG_IP_CLASS_HOP_LIMIT_MASK 0xffu
#define HEDDLE_REG_IP_CLASS_DATA_DSCP_SHIFT 8
#define HEDDLE_REG_IP_CLASS_DATA_DSCP_MASK 0x3fu
#define HEDDLE_REG_IP_CLASS_ACK_DSCP_SHIFT 0
#define HEDDLE_REG_IP_CLASS_ACK_DSCP_MASK 0x3fu
/* First two bytes of this port's Ethernet address. */
#define HEDDLE_REG_OWN_MAC_HIGH 0x048u
#define HEDDLE_REG_OWN_MAC_HIGH_MAC_SHIFT 0
#define HEDDLE_REG_OWN_MAC_HIGH_MAC_MASK 0xffffu
/* Last four bytes of this port's Ethernet address. */
#define HEDDLE_REG_OWN_MAC_LOW 0x04cu
#define HEDDLE_REG_OWN_MAC_LOW_MAC_SHIFT 0
#define HEDDLE_REG_OWN_MAC_LOW_MAC_MASK 0xffffffffu
/* This endpoint's IPv4 address. */
#define HEDDLE_REG_OWN_IPV4 0x050u
#define HEDDLE_REG_OWN_IPV4_ADDRESS_SHIFT 0
#define HEDDLE_REG_OWN_IPV4_ADDRESS_MASK 0xffffffffu
#define HEDDLE_REG_OWN_IPV6(i) (0x060u + 4u * (i)) /* i < 4 */
#define HEDDLE_REG_OWN_IPV6_ADDRESS_SHIFT 0
#define HEDDLE_REG_OWN_IPV6_ADDRESS_MASK 0xffffffffu
/* Seed of the one source of randomness; taken when control.enable goes to 1. */
#define HEDDLE_REG_SEED 0x070u
#define HEDDLE_REG_SEED_SEED_SHIFT 0
#define HEDDLE_REG_SEED_SEED_MASK 0xffffffffu
/* Expiry of a path without an RTT sample. */
#define HEDDLE_REG_RTO0 0x080u
#define HEDDLE_REG_RTO0_TICKS_SHIFT 0
#define HEDDLE_REG_RTO0_TICKS_MASK 0x7ffffffu
/* Cap of the doubling of a path's expiry. */
#define HEDDLE_REG_RTO_CAP 0x084u
#define HEDDLE_REG_RTO_CAP_TICKS_SHIFT 0
#define HEDDLE_REG_RTO_CAP_TICKS_MASK 0xffffffffu
/* T: how long an ACK may wait. */
#define HEDDLE_REG_ACK_DELAY 0x088u
#define HEDDLE_REG_ACK_DELAY_TICKS_SHIFT 0
#define HEDDLE_REG_ACK_DELAY_TICKS_MASK 0xffffu
/* A: how many arrivals an ACK may wait for. */
#define HEDDLE_REG_ACK_ARRIVALS 0x08cu
#define HEDDLE_REG_ACK_ARRIVALS_ARRIVALS_SHIFT 0
#define HEDDLE_REG_ACK_ARRIVALS_ARRIVALS_MASK 0xffu
/* Oldest echo that an ACK may carry. */
#define HEDDLE_REG_ECHO_AGE 0x090u
#define HEDDLE_REG_ECHO_AGE_TICKS_SHIFT 0
#define HEDDLE_REG_ECHO_AGE_TICKS_MASK 0xffffffffu
/* Congestion window of a path, first or fixed. */
#define HEDDLE_REG_CWND 0x098u
#define HEDDLE_REG_CWND_CWND_SHIFT 0
#define HEDDLE_REG_CWND_CWND_MASK 0x1ffffu
/* Guard of the loss rule. */
#define HEDDLE_REG_REORDER 0x09cu
#define HEDDLE_REG_REORDER_PACKETS_SHIFT 0
#define HEDDLE_REG_REORDER_PACKETS_MASK 0xffu
#define HEDDLE_REG_SETUP_DATA(i) (0x100u + 4u * (i)) /* i < 8 */
#define HEDDLE_REG_SETUP_DATA_WORD_SHIFT 0
#define HEDDLE_REG_SETUP_DATA_WORD_MASK 0xffffffffu
/* A write puts the row of setup_data into a table. */
#define HEDDLE_REG_SETUP_COMMAND 0x140u
#define HEDDLE_REG_SETUP_COMMAND_TABLE_SHIFT 24
#define HEDDLE_REG_SETUP_COMMAND_TABLE_MASK 0xffu
#define HEDDLE_REG_SETUP_COMMAND_INDEX_SHIFT 0
#define HEDDLE_REG_SETUP_COMMAND_INDEX_MASK 0xffffffu
/* How the last set-up command went. */
#define HEDDLE_REG_SETUP_STATUS 0x144u
#define HEDDLE_REG_SETUP_STATUS_REFUSED_SHIFT 1
#define HEDDLE_REG_SETUP_STATUS_REFUSED_MASK 0x1u
#define HEDDLE_REG_SETUP_STATUS_BUSY_SHIFT 0
#define HEDDLE_REG_SETUP_STATUS_BUSY_MASK 0x1u
#define HEDDLE_REG_DROPS(i) (0x200u + 4u * (i)) /* i < 64 */
#define HEDDLE_REG_DROPS_COUNT_SHIFT 0
#define HEDDLE_REG_DROPS_COUNT_MASK 0xffffffffu
#define HEDDLE_REG_TRAFFIC(i) (0x300u + 4u * (i)) /* i < 32 */
#define HEDDLE_REG_TRAFFIC_COUNT_SHIFT 0
#define HEDDLE_REG_TRAFFIC_COUNT_MASK 0xffffffffu

#endif
