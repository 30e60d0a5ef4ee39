-- From here on nothing depends on what the tables hold: fields are made from them, packets walked by them.

local heddle = Proto("heddle", "Heddle transport")
heddle.prefs.port = Pref.uint("UDP port", DEFAULT_PORT, "UDP destination port of the transport")

local bitop = bit or bit32
local WRAP = 2 ^ 32

-- Drop reasons by name, as numbers.
local REASON = {}
for number, name in pairs(DROPS) do REASON[name] = number end

-- The names of the opcodes of DATA; those of an ACK are shown in their place where a packet is one.
local SHOWN_OPCODES = { [0] = "none" }
for number, name in pairs(OPCODES) do SHOWN_OPCODES[number] = name end
local VALUES = { packet_type = TYPES, opcode = SHOWN_OPCODES, code = NAK_CODES }
local HEX = { tag = true, key = true, imm = true, address = true, hint = true, offender0 = true,
    offender1 = true, offender2 = true, flags = true, ack_flags = true,
    operand = true, compare = true, original = true }

-- One ProtoField per field: the common header's are heddle.NAME, the others heddle.LAYOUT.NAME.
local fields, all = {}, {}
local function keep(field)
    all[#all + 1] = field
    return field
end

local function make(layout_name, entry)
    local abbr = "heddle." .. (layout_name == "common" and "" or layout_name .. ".") .. entry.name
    local base_kind = HEX[entry.name] and base.HEX or base.DEC
    local values = VALUES[entry.name]
    if entry.bits < 8 then
        local mask = bitop.lshift(2 ^ entry.bits - 1, 8 - entry.at % 8 - entry.bits)
        return ProtoField.uint8(abbr, entry.name, base_kind, values, mask, entry.doc)
    elseif entry.bits == 8 then
        return ProtoField.uint8(abbr, entry.name, base_kind, values, nil, entry.doc)
    elseif entry.bits == 16 then
        return ProtoField.uint16(abbr, entry.name, base_kind, values, nil, entry.doc)
    elseif entry.bits == 24 then
        return ProtoField.uint24(abbr, entry.name, base_kind, values, nil, entry.doc)
    elseif entry.bits == 32 then
        return ProtoField.uint32(abbr, entry.name, base_kind, values, nil, entry.doc)
    elseif entry.bits == 64 then
        return ProtoField.uint64(abbr, entry.name, base_kind, values, nil, entry.doc)
    end
    return ProtoField.bytes(abbr, entry.name, base.NONE, entry.doc)
end

for layout_name, entries in pairs(LAYOUTS) do
    fields[layout_name] = {}
    for _, entry in ipairs(entries) do
        fields[layout_name][entry.name] = keep(make(layout_name, entry))
    end
end

local flag_fields = { flags = {}, ack_flags = {} }
for position, name in pairs(FLAGS) do
    for owner, list in pairs(flag_fields) do
        local abbr = "heddle." .. (owner == "flags" and "flag." or "ack.flag.") .. name:lower()
        list[position] = keep(ProtoField.bool(abbr, name, 8, nil, 2 ^ position))
    end
end

local STATUS = { [0] = "bad", [1] = "good" }
local payload_field = keep(ProtoField.bytes("heddle.payload", "payload"))
local icrc_field = keep(ProtoField.uint32("heddle.icrc", "ICRC", base.HEX))
local icrc_status = keep(ProtoField.uint8("heddle.icrc.status", "ICRC status", base.DEC, STATUS))
local icrc_computed = keep(ProtoField.uint32("heddle.icrc.computed", "ICRC computed", base.HEX))
local ipv4_status = keep(ProtoField.uint8("heddle.ipv4_checksum.status", "IPv4 checksum status",
    base.DEC, STATUS))
local drop_field = keep(ProtoField.uint8("heddle.drop", "drop reason", base.DEC, DROPS))
local received_field = keep(ProtoField.string("heddle.ack.received", "received beyond cum"))
local rate_field = keep(ProtoField.double("heddle.ack.hint_gbps", "hint in Gbit/s"))
heddle.fields = all

local ip_header, ipv6_header, udp_header = Field.new("ip"), Field.new("ipv6"), Field.new("udp")

local CRC = {}
for i = 0, 255 do
    local value = i
    for _ = 1, 8 do
        local odd = bitop.band(value, 1) == 1
        value = bitop.rshift(value, 1)
        if odd then value = bitop.bxor(value, CRC_POLYNOMIAL) end
    end
    CRC[i] = value
end

local function innermost(field)
    local found = { field() }
    return found[#found]
end

-- The bytes that the lower headers hold, or nil where the packet did not come in an IP packet.
local function lower_headers()
    local v4, v6, udp = innermost(ip_header), innermost(ipv6_header), innermost(udp_header)
    local ip = v4 or v6
    if not ip or not udp then return nil end
    return { is_v6 = not v4, ip = ip.range:bytes(), ip_at = ip.range:offset(), udp = udp.range:bytes(0, 8) }
end

local function number(bytes, at, length)
    local value = 0
    for i = at, at + length - 1 do value = value * 256 + bytes:get_index(i) end
    return value
end

-- The ICRC over IP header, UDP header and the first `length` bytes of the UDP payload.
local function icrc_of(lower, payload, length)
    local masked = lower.is_v6 and IPV6_MASKED or IPV4_MASKED
    local register, position = 0xffffffff, 0
    local function feed(byte)
        if masked[position] then
            byte = 0xff
        elseif position == 0 and lower.is_v6 then
            byte = bitop.bor(byte, 0x0f)
        end
        position = position + 1
        local index = bitop.band(bitop.bxor(register, byte), 0xff)
        register = bitop.bxor(bitop.rshift(register, 8), CRC[index])
    end
    for i = 0, (lower.is_v6 and 40 or 20) - 1 do feed(lower.ip:get_index(i)) end
    for i = 0, 7 do feed(lower.udp:get_index(i)) end
    for i = 0, length - 1 do feed(payload:get_index(i)) end
    return bitop.bnot(register) % WRAP
end

local function ipv4_checksum_holds(ip)
    local sum = 0
    for i = 0, 18, 2 do sum = sum + number(ip, i, 2) end
    while sum > 0xffff do sum = sum % 0x10000 + math.floor(sum / 0x10000) end
    return sum == 0xffff
end

-- The reason that the lower headers give, in order of number. What Wireshark never hands on is not asked.
local function lower_drop(lower, frame_length)
    local ip_length
    if lower.is_v6 then
        ip_length = 40 + number(lower.ip, 4, 2)
        if lower.ip:get_index(6) ~= 17 then return REASON.ip_protocol end
    else
        ip_length = number(lower.ip, 2, 2)
        if lower.ip:get_index(0) ~= 0x45 then return REASON.ip_options end
        if not ipv4_checksum_holds(lower.ip) then return REASON.ip_checksum end
        if number(lower.ip, 6, 2) ~= 0x4000 then return REASON.ip_fragment end
    end
    local there = frame_length - lower.ip_at
    if there < ip_length then return REASON.ip_length end
    if there > ip_length then return REASON.ip_trailing end
    if number(lower.udp, 4, 2) ~= ip_length - (lower.is_v6 and 40 or 20) then return REASON.udp_length end
    return 0
end

-- The reason that the transport header gives, the ICRC aside.
local function transport_drop(bytes)
    local length = bytes:len()
    if length < 20 then return REASON.transport_truncated end
    local first = bytes:get_index(0)
    local version, packet_type, opcode = math.floor(first / 16), first % 16, bytes:get_index(1)
    if version ~= VERSION then return REASON.version end
    local needed = HEADER_BYTES[packet_type]
    if not needed then return REASON.packet_type end
    needed = needed + 4
    if TYPES[packet_type] == "ACK" then
        if not ACK_BYTES[opcode] then return REASON.opcode end
        return length == ACK_BYTES[opcode] + 4 and 0 or REASON.length
    elseif TYPES[packet_type] ~= "DATA" then
        if opcode ~= 0 then return REASON.opcode end
        return length == needed and 0 or REASON.length
    end
    local payload = PAYLOAD_BYTES[opcode]
    if not payload then return REASON.opcode end
    if payload == -1 then
        return (length >= needed and length % 4 == 0) and 0 or REASON.length
    end
    return length == needed + payload and 0 or REASON.length
end

local function add_flags(item, owner, range)
    for position = 0, 7 do
        local field = flag_fields[owner][position]
        if field then item:add(field, range) end
    end
end

-- Adds every field of a layout that starts at byte `start` and ends before byte `stop` (nil: the last of the packet).
local function add_layout(tree, layout_name, tvb, start, stop)
    local items = {}
    for _, entry in ipairs(LAYOUTS[layout_name]) do
        local from, bytes = start + math.floor(entry.at / 8), math.max(1, math.floor(entry.bits / 8))
        if from + bytes <= (stop or tvb:len()) then
            local range = tvb(from, bytes)
            local item = tree:add(fields[layout_name][entry.name], range)
            if flag_fields[entry.name] then add_flags(item, entry.name, range) end
            items[entry.name] = item
        end
    end
    return items
end

-- The PSNs that a SACK vector reports, as runs.
local function received(tvb, start)
    local cum = tvb(start + 1, 3):uint()
    local runs, first, last = {}, nil, nil
    for step = 1, 255 do
        local psn = (cum + step) % 0x1000000
        local index = psn % 256
        local word = tvb(start + 24 + 4 * math.floor(index / 32), 4):uint()
        if math.floor(word / 2 ^ (index % 32)) % 2 == 1 then
            first, last = first or psn, psn
        elseif first then
            runs[#runs + 1] = first == last and tostring(first) or first .. "-" .. last
            first = nil
        end
    end
    if first then runs[#runs + 1] = first == last and tostring(first) or first .. "-" .. last end
    return table.concat(runs, " ")
end

local function add_ack(tree, tvb)
    local items = add_layout(tree, "ack", tvb, 16, ACK_BYTES[tvb(1, 1):uint()])
    if items.sack then tree:add(received_field, tvb(40, 32), received(tvb, 16)):set_generated() end
    local hint = tvb(24, 2):uint()
    local inverse = (hint % 2048) * 2 ^ math.floor(hint / 2048)
    if inverse > 0 then tree:add(rate_field, tvb(24, 2), 8 * 64 * 1000 / inverse):set_generated() end
end

local function add_data(tree, tvb)
    add_layout(tree, "data", tvb, 16)
    local length, opcode = tvb:len() - 52, OPCODES[tvb(1, 1):uint()]
    if opcode == "FETCH_ADD" or opcode == "CMP_SWAP" then
        add_layout(tree, "atomic_operands", tvb, 48)
    elseif opcode == "ATOMIC_RESP" then
        add_layout(tree, "atomic_result", tvb, 48)
    elseif length > 0 then
        tree:add(payload_field, tvb(48, length))
    end
end

local BODIES = {
    DATA = add_data,
    ACK = add_ack,
    NAK = function(tree, tvb) add_layout(tree, "nak", tvb, 16) end,
    PROBE = function(tree, tvb) add_layout(tree, "probe", tvb, 16) end,
    RESET = function() end,
}

local function summary(tvb)
    local kind = TYPES[tvb(0, 1):uint() % 16]
    local opcode = (kind == "ACK" and ACK_FORMS or OPCODES)[tvb(1, 1):uint()]
    return string.format("%s%s conn %d path %d psn %d", kind, opcode and " " .. opcode or "",
        tvb(4, 2):uint(), tvb(3, 1):uint(), tvb(9, 3):uint())
end

-- Adds the ICRC and says whether it is good.
local function add_icrc(tree, tvb, lower, bytes)
    local at = tvb:len() - 4
    local seen, computed = tvb(at, 4):le_uint(), icrc_of(lower, bytes, at)
    local item = tree:add_le(icrc_field, tvb(at, 4))
    item:add(icrc_computed, tvb(at, 4), computed):set_generated()
    item:add(icrc_status, tvb(at, 4), seen == computed and 1 or 0):set_generated()
    return seen == computed
end

function heddle.dissector(tvb, pinfo, tree)
    if pinfo.dst_port ~= heddle.prefs.port then return 0 end
    pinfo.cols.protocol = "Heddle"
    local root = tree:add(heddle, tvb())
    local bytes, lower = tvb():bytes(), lower_headers()
    local drop = lower and lower_drop(lower, pinfo.len) or 0
    local transport = transport_drop(bytes)
    if lower and not lower.is_v6 then
        root:add(ipv4_status, tvb(), ipv4_checksum_holds(lower.ip) and 1 or 0):set_generated()
    end
    if tvb:len() >= 20 then
        local items, opcode = add_layout(root, "common", tvb, 0), tvb(1, 1):uint()
        local form = TYPES[tvb(0, 1):uint() % 16] == "ACK" and ACK_FORMS[opcode]
        if form then items.opcode:set_text("opcode: " .. form .. " (" .. opcode .. ")") end
    end
    if transport == 0 then
        pinfo.cols.info = summary(tvb)
        BODIES[TYPES[tvb(0, 1):uint() % 16]](root, tvb)
        if lower and not add_icrc(root, tvb, lower, bytes) then transport = REASON.icrc end
    end
    if drop == 0 then drop = transport end
    root:add(drop_field, tvb(), drop):set_generated()
    if drop ~= 0 then pinfo.cols.info:append(" [" .. DROPS[drop] .. "]") end
    return tvb:len()
end

local registered
function heddle.init()
    if registered == heddle.prefs.port then return end
    local ports = DissectorTable.get("udp.port")
    if registered then ports:remove(registered, heddle) end
    registered = heddle.prefs.port
    ports:add(registered, heddle)
end
DissectorTable.get("udp.port"):add(DEFAULT_PORT, heddle)
registered = DEFAULT_PORT
