#!/usr/bin/env python3
"""Writes tx_framer.txt: packets, and the frames that scapy and zlib make of them.

An implementation of docs/protocol.md section 3 of its own: nothing here comes from the Rust sources. Needs scapy:
    pip install scapy && python3 tx_framer.py > tx_framer.txt
"""
import struct
import zlib

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw

PORT = 54791
OWN = dict(mac="02:00:5e:10:20:30", v4="192.0.2.17", v6="2001:db8:1::17", hops=64, data_dscp=26, ack_dscp=48)
ECT0 = 2
# Name, type, opcode, header words, bytes of payload, DSCP, ECN.
KINDS = [
    ("DATA", 1, 1, 12, 1000, OWN["data_dscp"], ECT0),
    ("DATA that ends in a word", 1, 1, 12, 333, OWN["data_dscp"], ECT0),
    ("empty DATA", 1, 1, 12, 0, OWN["data_dscp"], ECT0),
    ("PROBE", 4, 0, 5, 0, OWN["data_dscp"], ECT0),
    ("ACK", 2, 0, 18, 0, OWN["ack_dscp"], 0),
    ("ACK without SACK words", 2, 1, 10, 0, OWN["ack_dscp"], 0),
    ("NAK", 3, 0, 8, 0, OWN["ack_dscp"], 0),
]
# Bits of the last words that are reserved: sent as 0.
RESERVED = {1: (11, 0xFFFF), 2: (9, 0xFFFF), 3: (4, 0xFFFFFF), 4: (4, 0xFFFFFF)}


def icrc(packet):
    """ICRC of a scapy IP packet: variant fields to ones, CRC-32 of what is then on the wire."""
    masked = packet.copy()
    if IPv6 in masked:
        masked[IPv6].tc, masked[IPv6].fl, masked[IPv6].hlim = 0xFF, 0xFFFFF, 0xFF
    else:
        masked[IP].tos, masked[IP].ttl, masked[IP].chksum = 0xFF, 0xFF, 0xFFFF
    masked[UDP].chksum = 0xFFFF
    return struct.pack("<I", zlib.crc32(bytes(masked)))


def lines(key, data):
    text = data.hex()
    for i in range(0, len(text), 96):
        print(f"{key} {text[i:i + 96]}")


def vector(n, kind, v6, tagged):
    name, packet_type, opcode, count, size, dscp, ecn = kind
    words = [(0x9E3779B9 * (97 * n + i + 1)) & 0xFFFFFFFF for i in range(count)]
    words[0] = 1 << 28 | packet_type << 24 | opcode << 16 | words[0] & 0xFFFF
    at, mask = RESERVED[packet_type]
    words[at] &= ~mask
    given, peer_conn, peer_tag = list(words), 0x0100 + n, 0xC0DE ^ n * 257
    words[1] = peer_conn << 16 | peer_tag
    payload = bytes((i * 29 + n * 7 + 1) & 0xFF for i in range(size))
    body = struct.pack(f">{count}I", *words) + payload + bytes(-size % 4)

    port, plane, tci = 0xC000 + 1001 * n & 0xFFFF, n % 16, 0xA123 + n
    peer = f"2001:db8:2::{n:x}:1" if v6 else f"198.51.100.{n + 1}"
    mac = f"02:00:5e:99:00:{n:02x}"
    udp = UDP(sport=port, dport=PORT, chksum=0)
    if v6:
        ip = IPv6(src=OWN["v6"], dst=peer, tc=dscp << 2 | ecn, fl=0, hlim=OWN["hops"]) / udp
    else:
        ip = IP(src=OWN["v4"], dst=peer, tos=dscp << 2 | ecn, flags="DF", id=0, ttl=OWN["hops"]) / udp
    # A stand-in of the ICRC's size lets scapy fill the lengths and the checksum in.
    whole = type(ip)(bytes(ip / Raw(body + bytes(4))))
    covered = whole.copy()
    covered[UDP].remove_payload()
    datagram = bytes(whole)[:-4] + icrc(covered / Raw(body))
    kind_number = 0x86DD if v6 else 0x0800
    ether = Ether(src=OWN["mac"], dst=mac, type=0x8100 if tagged else kind_number)
    if tagged:
        ether = ether / Dot1Q(prio=tci >> 13, id=tci >> 12 & 1, vlan=tci & 0xFFF, type=kind_number)

    print(f"name {name} {'v6' if v6 else 'v4'}{' tagged' if tagged else ''}")
    print(f"v6 {int(v6)}")
    if tagged:
        print(f"tci {tci}")
    print(f"peer_conn {peer_conn}")
    print(f"peer_tag {peer_tag}")
    lines("peer", bytes(IPv6(dst=peer))[24:40] if v6 else bytes(IP(dst=peer))[16:20])
    lines("mac", bytes.fromhex(mac.replace(":", "")))
    print(f"plane {plane}")
    print(f"src_port {port}")
    lines("words", struct.pack(f">{count}I", *given))
    if size:
        lines("payload", payload)
    lines("frame", bytes(ether / Raw(datagram)))
    print()


print("# Written by tx_framer.py with scapy and zlib; see there.")
print()
print("name own")
lines("mac", bytes.fromhex(OWN["mac"].replace(":", "")))
lines("v4", bytes(IP(src=OWN["v4"]))[12:16])
lines("v6", bytes(IPv6(src=OWN["v6"]))[8:24])
print(f"hops {OWN['hops']}")
print(f"data_dscp {OWN['data_dscp']}")
print(f"ack_dscp {OWN['ack_dscp']}")
print(f"port {PORT}")
print()
cases = [(kind, v6, tagged) for kind in KINDS for v6 in (False, True) for tagged in (False, True)]
for number, (kind, v6, tagged) in enumerate(cases):
    vector(number, kind, v6, tagged)
