#!/usr/bin/env python3
"""Writes rx_parse.txt: frames built with scapy and zlib, and what a receiver must say of them.

An implementation of docs/protocol.md section 3 of its own: nothing here comes from the Rust sources. Needs scapy:
    pip install scapy && python3 rx_parse.py > rx_parse.txt
"""
import struct
import zlib

from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrHopByHop
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

PORT = 54791
MACS = dict(dst="02:00:00:00:00:02", src="02:00:00:00:00:01")
V4 = dict(src="10.1.2.3", dst="10.9.8.7")
V6 = dict(src="2001:db8::1:2:3", dst="2001:db8:ffff::7")
HEADER = {1: 48, 2: 72, 3: 32, 4: 20, 5: 16}
SHORT_ACK = 40
NAMES = {1: "DATA", 2: "ACK", 3: "NAK", 4: "PROBE", 5: "RESET"}


def header_size(kind, opcode):
    """Bytes of the header of a packet of this type and opcode; of an unknown type the common header's."""
    return SHORT_ACK if (kind, opcode) == (2, 1) else HEADER.get(kind, 16)


def transport(kind, opcode=0, payload=b"", version=1, header=None):
    """Transport header and payload, without ICRC; every byte differs from its neighbours."""
    size = header_size(kind, opcode) if header is None else header
    body = bytes((7 * i + 3 * kind + opcode) & 0xFF for i in range(size))
    return struct.pack(">BB", version << 4 | kind, opcode) + body[2:] + payload


def icrc(packet):
    """ICRC of a scapy IP packet: variant fields to ones, CRC-32 of what is then on the wire."""
    masked = packet.copy()
    if IPv6 in masked:
        masked[IPv6].tc, masked[IPv6].fl, masked[IPv6].hlim = 0xFF, 0xFFFFF, 0xFF
    else:
        masked[IP].tos, masked[IP].ttl, masked[IP].chksum = 0xFF, 0xFF, 0xFFFF
    masked[UDP].chksum = 0xFFFF
    return struct.pack("<I", zlib.crc32(bytes(masked)))


def datagram(body, v6=False, ce=False, port=PORT, ip=None, udp=None):
    """IP packet with its ICRC."""
    ecn = 3 if ce else 2
    if v6:
        network = IPv6(**{**V6, "tc": 26 << 2 | ecn, "fl": 0x5A5A5, "hlim": 61, **(ip or {})})
    else:
        network = IP(**{**V4, "tos": 26 << 2 | ecn, "flags": "DF", "id": 0x1234, "ttl": 61, **(ip or {})})
    network = network / UDP(**{"sport": 0xC123, "dport": port, "chksum": 0, **(udp or {})})
    # A stand-in of the ICRC's size lets scapy fill the lengths and the checksum in.
    whole = type(network)(bytes(network / Raw(body + bytes(4))))
    short = whole.copy()
    short[UDP].remove_payload()
    short = short / Raw(body)
    return bytes(whole)[:-4] + icrc(short)


def frame(packet, v6=False, tag=False, ether_type=None):
    """Ethernet frame around the bytes of an IP packet."""
    kind = ether_type if ether_type is not None else 0x86DD if v6 else 0x0800
    if tag:
        return bytes(Ether(**MACS, type=0x8100) / Dot1Q(vlan=0x123, prio=5, type=kind) / Raw(packet))
    return bytes(Ether(**MACS, type=kind) / Raw(packet))


def show(name, data, drop=None, bad=False, good=True, **header):
    print(f"name {name}")
    text = data.hex()
    for i in range(0, len(text), 96):
        print(f"frame {text[i:i + 96]}")
    if bad:
        print("mac bad")
    if drop:
        print(f"drop {drop}")
    else:
        body = header["body"]
        size = min(header_size(body[0] & 15, body[1]), 48)
        words = struct.unpack(f">{size // 4}I", body[:size])
        print(f"v6 {int(header['v6'])}")
        address = V6["src"] if header["v6"] else V4["src"]
        layer = IPv6(src=address) if header["v6"] else IP(src=address)
        print(f"src {bytes(layer)[8:24].hex() if header['v6'] else bytes(layer)[12:16].hex()}")
        print(f"ce {int(header['ce'])}")
        print("words " + " ".join(f"{word:08x}" for word in words))
        print(f"paylen {len(body) + 4}")
        print(f"icrc {'good' if good else 'bad'}")
    print()


def accepted():
    kinds = [(2, 0, b""), (2, 1, b""), (3, 0, b""), (4, 0, b""), (5, 0, b"")]
    kinds += [(1, 5, b""), (1, 7, bytes(range(16))), (1, 8, bytes(range(16))), (1, 9, bytes(range(8)))]
    kinds += [(1, op, bytes(i * 11 & 0xFF for i in range(n))) for op, n in
              [(1, 0), (1, 4), (1, 1024), (1, 2048), (2, 8), (3, 100), (4, 256), (6, 60)]]
    for n, (kind, opcode, payload) in enumerate(kinds):
        body = transport(kind, opcode, payload)
        for v6 in (False, True):
            for tag in (False, True):
                ce = (n + v6 + tag) % 2 == 0
                name = f"{NAMES[kind]} opcode {opcode} payload {len(payload)} {'v6' if v6 else 'v4'}"
                name += " tagged" if tag else ""
                data = frame(datagram(body, v6, ce), v6, tag)
                show(name, data, v6=v6, ce=ce, body=body)
    body = transport(1, 1, b"payload!")
    for v6 in (False, True):
        data = bytearray(frame(datagram(body, v6), v6))
        data[-9] ^= 4
        show(f"payload bit wrong {'v6' if v6 else 'v4'}", bytes(data), v6=v6, ce=False, body=body, good=False)
    # Hop by hop the fabric changes TTL, checksum, ECN and a UDP checksum: the ICRC still holds.
    hop = IP(frame(datagram(body))[14:])
    hop.ttl, hop.tos, hop.chksum = 3, 0x6B, None
    hop[UDP].chksum = 0x4321
    show("changed on the way v4", frame(bytes(hop)), v6=False, ce=True, body=body)
    hop = IPv6(frame(datagram(body, True), True)[14:])
    hop.hlim, hop.tc, hop.fl = 3, 0x6B, 0x12345
    hop[UDP].chksum = 0x4321
    show("changed on the way v6", frame(bytes(hop), True), v6=True, ce=True, body=body)


def dropped():
    body = transport(1, 1, b"payload!")
    good = frame(datagram(body))
    good6 = frame(datagram(body, True), True)
    show("MAC error", good, "bad_frame", bad=True)
    show("MAC error of an unknown protocol", bytes(Ether(**MACS) / ARP()), "bad_frame", bad=True)
    show("one byte", good[:1], "ethernet_truncated")
    show("cut in the EtherType", good[:13], "ethernet_truncated")
    show("cut in the tag", frame(datagram(body), tag=True)[:17], "ethernet_truncated")
    show("cut behind the EtherType", good[:14], "ip_truncated")
    show("ARP", bytes(Ether(**MACS) / ARP()), "ether_type")
    show("two tags", bytes(Ether(**MACS) / Dot1Q(vlan=1) / Dot1Q(vlan=2) / IP(datagram(body))), "ether_type")
    show("cut in the IPv4 header", good[:33], "ip_truncated")
    show("cut in the IPv6 header", good6[:53], "ip_truncated")
    show("IPv6 under the EtherType of IPv4", frame(datagram(body, True), False), "ip_version")
    show("IPv4 under the EtherType of IPv6", frame(datagram(body), True), "ip_version")
    show("IPv4 options", frame(bytes(IP(**V4, flags="DF", options=[IPOption_NOP()] * 4) / UDP(dport=PORT) / Raw(body))),
         "ip_options")
    show("IPv4 checksum", frame(bytes(IP(**V4, flags="DF", chksum=0x1234) / UDP(dport=PORT) / Raw(body))),
         "ip_checksum")
    show("more fragments", frame(datagram(body, ip=dict(flags="MF"))), "ip_fragment")
    show("later fragment", frame(bytes(IP(**V4, frag=100) / UDP(dport=PORT) / Raw(body))), "ip_fragment")
    show("no DF", frame(datagram(body, ip=dict(flags=0))), "ip_fragment")
    show("DF and the reserved flag", frame(datagram(body, ip=dict(flags="evil+DF"))), "ip_fragment")
    show("TCP", frame(bytes(IP(**V4, flags="DF") / TCP() / Raw(body))), "ip_protocol")
    show("ICMP", frame(bytes(IP(**V4, flags="DF") / ICMP() / Raw(body))), "ip_protocol")
    show("IPv6 extension header", frame(bytes(IPv6(**V6) / IPv6ExtHdrHopByHop() / UDP(dport=PORT) / Raw(body)), True),
         "ip_protocol")
    show("last byte missing", good[:-1], "ip_length")
    show("last byte missing v6", good6[:-1], "ip_length")
    show("IPv4 length below its header", frame(bytes(IP(**V4, flags="DF", len=19) / UDP(dport=PORT) / Raw(body))),
         "ip_length")
    show("one byte too many", good + b"\0", "ip_trailing")
    show("one byte too many v6", good6 + b"\0", "ip_trailing")
    short = bytes(IP(**V4, flags="DF", proto=17) / Raw(bytes(7)))
    show("seven bytes of UDP", frame(short), "udp_truncated")
    show("other port", frame(datagram(body, port=4791)), "udp_port")
    show("UDP length", frame(datagram(body, udp=dict(len=70))), "udp_length")
    show("UDP length v6", frame(datagram(body, True, udp=dict(len=70)), True), "udp_length")
    show("no room for header and ICRC", frame(datagram(transport(5)[:12])), "transport_truncated")
    show("version 2", frame(datagram(transport(1, 1, b"payload!", version=2))), "version")
    show("version 0", frame(datagram(transport(5, version=0))), "version")
    show("type 0", frame(datagram(transport(0))), "packet_type")
    show("type 6", frame(datagram(transport(6))), "packet_type")
    show("opcode 0 in DATA", frame(datagram(transport(1, 0, b"payload!"))), "opcode")
    show("opcode 10 in DATA", frame(datagram(transport(1, 10, b"payload!"))), "opcode")
    show("opcode 2 in an ACK", frame(datagram(transport(2, 2))), "opcode")
    show("opcode in a PROBE", frame(datagram(transport(4, 1))), "opcode")
    show("odd payload", frame(datagram(transport(1, 1, b"12345"))), "length")
    show("DATA header cut", frame(datagram(transport(1, 1, header=44))), "length")
    show("READ_REQ with payload", frame(datagram(transport(1, 5, b"1234"))), "length")
    show("atomic with one operand", frame(datagram(transport(1, 7, bytes(8)))), "length")
    show("ACK with SACK words and the opcode of one without", frame(datagram(transport(2, 1, header=72))), "length")
    show("ACK without SACK words and the opcode of one with", frame(datagram(transport(2, header=40))), "length")
    show("ACK without SACK words too long", frame(datagram(transport(2, 1, header=44), True), True), "length")
    show("ACK too long", frame(datagram(transport(2, header=76))), "length")
    show("RESET too long", frame(datagram(transport(5, header=20)), tag=True), "length")
    show("PROBE too short", frame(datagram(transport(4, header=16), True), True), "length")


print("# Written by rx_parse.py with scapy and zlib; see there. Port 54791.")
print()
accepted()
dropped()
