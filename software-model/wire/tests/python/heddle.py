"""The wire format for scapy, written by hand from docs/protocol.md section 3 and rendered from nothing."""

import zlib

from scapy.fields import (BitEnumField, BitField, ByteEnumField, ByteField, IntField, LongField, ShortField,
                          ThreeBytesField, XByteField, XIntField, XLongField, XShortField)
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet, Raw, bind_layers

PORT = 54791
TYPES = {1: "DATA", 2: "ACK", 3: "NAK", 4: "PROBE", 5: "RESET"}
OPCODES = {1: "WRITE", 2: "WRITE_IMM", 3: "SEND", 4: "SEND_IMM", 5: "READ_REQ", 6: "READ_RESP", 7: "FETCH_ADD",
           8: "CMP_SWAP", 9: "ATOMIC_RESP"}


class Heddle(Packet):
    """Words 0 to 3."""
    fields_desc = [
        BitField("version", 1, 4),
        BitEnumField("packet_type", 1, 4, TYPES),
        ByteEnumField("opcode", 0, OPCODES),
        XByteField("flags", 0),
        ByteField("path", 0),
        ShortField("dst_conn", 0),
        XShortField("tag", 0),
        ByteField("route", 0),
        ThreeBytesField("psn", 0),
        IntField("timestamp", 0),
    ]


class Data(Packet):
    """Words 4 to 11."""
    fields_desc = [
        ByteField("stream", 0),
        ThreeBytesField("msn", 0),
        IntField("offset", 0),
        IntField("length", 0),
        XLongField("address", 0),
        XIntField("key", 0),
        XIntField("imm", 0),
        ShortField("rq_index", 0),
        ShortField("reserved", 0),
    ]


class ShortAck(Packet):
    """Words 4 to 9."""
    fields_desc = [
        XByteField("ack_flags", 0),
        ThreeBytesField("cum", 0),
        ShortField("hold", 0),
        ShortField("ce_count", 0),
        XShortField("hint", 0),
        ShortField("rq_credit", 0),
        ShortField("ack_seq", 0),
        ShortField("dup_count", 0),
        ByteField("done_stream", 0),
        ThreeBytesField("done_msn", 0),
        ShortField("arrivals", 0),
        ShortField("reserved", 0),
    ]


class Ack(Packet):
    """Words 4 to 17. A word of the vector holds 32 ring bits, the lowest in its least significant place."""
    fields_desc = ShortAck.fields_desc + [XIntField("sack%d" % i, 0) for i in range(8)]


class Nak(Packet):
    """Words 4 to 7."""
    fields_desc = [
        ByteField("code", 0),
        ThreeBytesField("reserved", 0),
        XIntField("offender0", 0),
        XIntField("offender1", 0),
        XIntField("offender2", 0),
    ]


class Probe(Packet):
    """Word 4."""
    fields_desc = [ByteField("stream", 0), ThreeBytesField("reserved", 0)]


BODIES = {1: Data, 2: Ack, 3: Nak, 4: Probe}

bind_layers(UDP, Heddle, dport=PORT)
for number, layer in BODIES.items():
    if layer is not Ack:
        bind_layers(Heddle, layer, packet_type=number)
bind_layers(Heddle, Ack, packet_type=2, opcode=0)
bind_layers(Heddle, ShortAck, packet_type=2, opcode=1)


def body_of(packet_type, opcode):
    """The layer behind the common header, and the prefix of its fields; (None, "") of a RESET."""
    if packet_type not in BODIES:
        return None, ""
    layer = ShortAck if (packet_type, opcode) == (2, 1) else BODIES[packet_type]
    return layer, "heddle.%s." % BODIES[packet_type].__name__.lower()


def icrc(ip_packet):
    """The ICRC of everything from the IP header on, ICRC excluded; four bytes as they travel."""
    data = bytearray(ip_packet)
    if data[0] >> 4 == 4:
        masked = [1, 8, 10, 11, 20 + 6, 20 + 7]
    else:
        data[0] |= 0x0F
        masked = [1, 2, 3, 7, 40 + 6, 40 + 7]
    for at in masked:
        data[at] = 0xFF
    return zlib.crc32(bytes(data)).to_bytes(4, "little")


def ether_bytes(frame):
    """Length of the Ethernet header of a frame's bytes."""
    return 18 if frame[12:14] == b"\x81\x00" else 14


def build(fields):
    """The bytes of the frame with these fields (names as in the dissector)."""
    frame = Ether(dst=fields["eth.dst"], src=fields["eth.src"])
    if "vlan.id" in fields:
        frame /= Dot1Q(prio=fields["vlan.priority"], dei=fields["vlan.dei"], vlan=fields["vlan.id"])
    if "ip.src" in fields:
        frame /= IP(tos=fields["ip.dsfield"], id=fields["ip.id"], flags="DF", ttl=fields["ip.ttl"],
                    src=fields["ip.src"], dst=fields["ip.dst"])
    else:
        frame /= IPv6(tc=fields["ipv6.tclass"], fl=fields["ipv6.flow"], hlim=fields["ipv6.hlim"],
                      src=fields["ipv6.src"], dst=fields["ipv6.dst"])
    frame /= UDP(sport=fields["udp.srcport"], dport=PORT, chksum=fields["udp.checksum"])
    frame /= Heddle(**_of(Heddle, "heddle.", fields))
    body, prefix = body_of(fields["heddle.packet_type"], fields["heddle.opcode"])
    if body:
        values = _of(body, prefix, fields)
        if body is Ack:
            words = bytes.fromhex(fields["heddle.ack.sack"])
            values.update({"sack%d" % i: int.from_bytes(words[4 * i:4 * i + 4], "big") for i in range(8)})
        frame /= body(**values)
    frame /= Raw(bytes.fromhex(fields["payload"]) + bytes(4))
    data = bytes(frame)
    covered = data[ether_bytes(data):-4]
    return data[:-4] + icrc(covered)


def _of(layer, prefix, fields):
    names = [field.name for field in layer.fields_desc]
    return {name: fields[prefix + name] for name in names if prefix + name in fields}


def dissect(data):
    """The fields of a frame's bytes, the ICRC checked."""
    frame = Ether(data)
    fields = {"eth.dst": frame.dst, "eth.src": frame.src}
    if Dot1Q in frame:
        tag = frame[Dot1Q]
        fields.update({"vlan.priority": tag.prio, "vlan.dei": int(tag.dei), "vlan.id": tag.vlan})
    if IP in frame:
        ip = frame[IP]
        if ip.flags != "DF" or ip.frag != 0:
            raise ValueError("not DF alone")
        if ip.len != len(data) - ether_bytes(data):
            raise ValueError("IP length %d" % ip.len)
        fields.update({"ip.dsfield": ip.tos, "ip.id": ip.id, "ip.ttl": ip.ttl, "ip.src": ip.src, "ip.dst": ip.dst})
    else:
        ip = frame[IPv6]
        if ip.plen != len(data) - ether_bytes(data) - 40:
            raise ValueError("IPv6 payload length %d" % ip.plen)
        fields.update({"ipv6.tclass": ip.tc, "ipv6.flow": ip.fl, "ipv6.hlim": ip.hlim, "ipv6.src": ip.src,
                       "ipv6.dst": ip.dst})
    fields.update({"udp.srcport": frame[UDP].sport, "udp.checksum": frame[UDP].chksum})
    header = frame[Heddle]
    fields.update({"heddle." + name: int(header.getfieldval(name)) for name in header.fields})
    body, prefix = body_of(header.packet_type, header.opcode)
    rest = bytes(header.payload)
    if body:
        layer = frame[body]
        values = {name: int(layer.getfieldval(name)) for name in layer.fields}
        if body is Ack:
            words = [values.pop("sack%d" % i) for i in range(8)]
            fields[prefix + "sack"] = b"".join(word.to_bytes(4, "big") for word in words).hex()
        fields.update({prefix + name: value for name, value in values.items()})
        rest = bytes(layer.payload)
    fields["payload"] = rest[:-4].hex()
    if icrc(data[ether_bytes(data):-4]) != rest[-4:]:
        raise ValueError("ICRC")
    return fields
