"""The other implementation, line by line: `build` turns fields (JSON) into bytes (hex), `dissect` bytes into fields,
`random SEED COUNT` makes frames of its own: fields, a blank, bytes."""

import json
import random
import sys

import heddle


def random_fields(rng):
    """A frame of a random kind with random fields."""
    bits = rng.getrandbits
    mac = ":".join("%02x" % bits(8) for _ in range(6))
    fields = {"eth.dst": mac, "eth.src": "02:00:00:00:%02x:%02x" % (bits(8), bits(8))}
    if bits(1):
        fields.update({"vlan.priority": bits(3), "vlan.dei": bits(1), "vlan.id": bits(12)})
    if bits(1):
        fields.update({"ip.dsfield": bits(8), "ip.id": bits(16), "ip.ttl": bits(8)})
        fields.update({"ip." + end: ".".join(str(bits(8)) for _ in range(4)) for end in ("src", "dst")})
    else:
        fields.update({"ipv6.tclass": bits(8), "ipv6.flow": bits(20), "ipv6.hlim": bits(8)})
        fields.update({"ipv6." + end: "2001:db8::%x:%x" % (1 + bits(15), 1 + bits(15)) for end in ("src", "dst")})
    packet_type = rng.choice(list(heddle.TYPES))
    opcode = {1: rng.choice(list(heddle.OPCODES)), 2: bits(1)}.get(packet_type, 0)
    fields.update({"udp.srcport": bits(16), "udp.checksum": 0, "heddle.version": 1,
                   "heddle.packet_type": packet_type, "heddle.opcode": opcode, "heddle.flags": bits(8),
                   "heddle.path": bits(8), "heddle.dst_conn": bits(16), "heddle.tag": bits(16),
                   "heddle.route": bits(8), "heddle.psn": bits(24), "heddle.timestamp": bits(32)})
    body, prefix = heddle.body_of(packet_type, opcode)
    if body:
        for field in body.fields_desc:
            fields[prefix + field.name] = bits(round(8 * field.sz))
        if body is heddle.Ack:
            words = [fields.pop(prefix + "sack%d" % i) for i in range(8)]
            fields[prefix + "sack"] = b"".join(word.to_bytes(4, "big") for word in words).hex()
    size = 0
    if packet_type == 1:
        size = {"READ_REQ": 0, "FETCH_ADD": 16, "CMP_SWAP": 16, "ATOMIC_RESP": 8}.get(
            heddle.OPCODES[opcode], 4 * rng.randrange(64))
    fields["payload"] = bytes(bits(8) for _ in range(size)).hex()
    return fields


def main():
    command = sys.argv[1]
    if command == "random":
        rng = random.Random(int(sys.argv[2]))
        for _ in range(int(sys.argv[3])):
            fields = random_fields(rng)
            print(json.dumps(fields, separators=(",", ":")), heddle.build(fields).hex())
        return
    for line in sys.stdin:
        if command == "build":
            print(heddle.build(json.loads(line)).hex())
        elif command == "dissect":
            print(json.dumps(heddle.dissect(bytes.fromhex(line))))
        else:
            sys.exit("frames.py: unknown command " + command)


main()
