-- Wireshark dissector for tiny packet programs. Written by `cargo run -p wirewright-tpp --example dissectors`; do not edit.
-- Put it into Wireshark's folder of personal Lua plugins, or: tshark -X lua_script:tpp.lua -r FILE

local tpp = Proto("tpp", "Tiny Packet Program")

local fields = {
  TotalLength = ProtoField.uint16("tpp.TotalLength", "TotalLength", base.DEC, nil, nil, "header, instructions and memory, bytes"),
  MemoryLength = ProtoField.uint8("tpp.MemoryLength", "MemoryLength", base.DEC, nil, nil, "packet memory, bytes"),
  Flags = ProtoField.uint8("tpp.Flags", "Flags", base.HEX, nil, nil, "mode, word size, reflect, done, report back"),
  HopNumber = ProtoField.uint8("tpp.HopNumber", "HopNumber", base.DEC, nil, nil, "from 0, +1 at each TPP-capable switch, at most 255"),
  StackPointer = ProtoField.uint8("tpp.StackPointer", "StackPointer", base.DEC, nil, nil, "byte offset into packet memory"),
  PerHopLength = ProtoField.uint8("tpp.PerHopLength", "PerHopLength", base.DEC, nil, nil, "bytes of memory a hop; hop mode only"),
  AppTag = ProtoField.uint8("tpp.AppTag", "AppTag", base.DEC, nil, nil, "which application; 8 bits for its 64-bit number"),
  Checksum = ProtoField.uint16("tpp.Checksum", "Checksum", base.HEX, nil, nil, "ones' complement, over the whole TPP"),
  EncapsulatedProtocol = ProtoField.uint16("tpp.EncapsulatedProtocol", "EncapsulatedProtocol", base.HEX, nil, nil, "EtherType of the payload; 0: none"),
  flag_HOP = ProtoField.bool("tpp.flag.HOP", "HOP", 8, nil, 0x80, "operands count from the hop's own block"),
  flag_WIDE = ProtoField.bool("tpp.flag.WIDE", "WIDE", 8, nil, 0x40, "32-bit words"),
  flag_REFLECT = ProtoField.bool("tpp.flag.REFLECT", "REFLECT", 8, nil, 0x20, "the first switch sends the TPP back"),
  flag_DONE = ProtoField.bool("tpp.flag.DONE", "DONE", 8, nil, 0x10, "no switch executes the TPP any more"),
  flag_REPORT_BACK = ProtoField.bool("tpp.flag.REPORT_BACK", "REPORT_BACK", 8, nil, 0x08, "CSTORE puts what it found into its operand 1"),
  flag_STANDALONE = ProtoField.bool("tpp.flag.STANDALONE", "STANDALONE", 8, nil, 0x04, "the TPP is alone in its packet"),
  instruction = ProtoField.string("tpp.instruction", "Instruction"),
  word = ProtoField.string("tpp.word", "Word"),
}
for _, field in pairs(fields) do
  table.insert(tpp.fields, field)
end

local mnemonics = {
  [0] = "NOP",
  [1] = "LOAD",
  [2] = "STORE",
  [3] = "PUSH",
  [4] = "POP",
  [5] = "CSTORE",
  [6] = "CEXEC",
  [7] = "LOADI",
}

-- Namespace, first address, words, {count, stride} of each index, {offset, words, name, numbered} of each entry.
local segments = {
  {"Switch", 0x0000, 4096, {}, {
    {0, 1, "SwitchID", false},
    {1, 1, "VendorID", false},
    {2, 1, "Version", false},
    {4, 1, "Clock", false},
    {5, 1, "ClockHigh", false},
    {6, 1, "ClockFrequency", false},
  }},
  {"Stage", 0x1000, 256, {{48, 256}}, {
    {0, 1, "Version", false},
    {1, 1, "ReferenceCount", false},
    {2, 1, "SramBase", false},
    {8, 1, "Lookup-Packets", false},
    {9, 1, "Lookup-PacketsHigh", false},
    {10, 1, "Lookup-Bytes", false},
    {11, 1, "Lookup-BytesHigh", false},
    {12, 1, "Lookup-PacketRate", false},
    {13, 1, "Lookup-ByteRate", false},
    {16, 1, "Match-Packets", false},
    {17, 1, "Match-PacketsHigh", false},
    {18, 1, "Match-Bytes", false},
    {19, 1, "Match-BytesHigh", false},
    {20, 1, "Match-PacketRate", false},
    {21, 1, "Match-ByteRate", false},
    {64, 64, "Reg", true},
  }},
  {"FlowEntry", 0x4000, 128, {{64, 128}}, {
    {0, 1, "InsertClock", false},
    {1, 1, "InsertClockHigh", false},
    {2, 1, "EntryID", false},
    {8, 1, "Match-Packets", false},
    {9, 1, "Match-PacketsHigh", false},
    {10, 1, "Match-Bytes", false},
    {11, 1, "Match-BytesHigh", false},
    {12, 1, "Match-PacketRate", false},
    {13, 1, "Match-ByteRate", false},
    {64, 1, "WindowEntry", false},
    {66, 1, "Window-InsertClock", false},
    {67, 1, "Window-InsertClockHigh", false},
    {72, 1, "Window-Match-Packets", false},
    {73, 1, "Window-Match-PacketsHigh", false},
    {74, 1, "Window-Match-Bytes", false},
    {75, 1, "Window-Match-BytesHigh", false},
  }},
  {"Link", 0x6000, 64, {{128, 64}}, {
    {0, 1, "ID", false},
    {1, 1, "Status", false},
    {2, 1, "Queued-Bytes", false},
    {3, 1, "Queued-Packets", false},
    {4, 1, "TX-Utilization", false},
    {5, 1, "RX-Utilization", false},
    {6, 1, "Capacity", false},
    {8, 1, "TX-Packets", false},
    {9, 1, "TX-PacketsHigh", false},
    {10, 1, "TX-Bytes", false},
    {11, 1, "TX-BytesHigh", false},
    {12, 1, "TX-PacketRate", false},
    {13, 1, "TX-ByteRate", false},
    {16, 1, "RX-Packets", false},
    {17, 1, "RX-PacketsHigh", false},
    {18, 1, "RX-Bytes", false},
    {19, 1, "RX-BytesHigh", false},
    {20, 1, "RX-PacketRate", false},
    {21, 1, "RX-ByteRate", false},
    {24, 1, "Drop-Packets", false},
    {25, 1, "Drop-PacketsHigh", false},
    {26, 1, "Drop-Bytes", false},
    {27, 1, "Drop-BytesHigh", false},
    {28, 1, "Drop-PacketRate", false},
    {29, 1, "Drop-ByteRate", false},
    {32, 1, "Error-Packets", false},
    {33, 1, "Error-PacketsHigh", false},
    {34, 1, "Error-Bytes", false},
    {35, 1, "Error-BytesHigh", false},
    {36, 1, "Error-PacketRate", false},
    {37, 1, "Error-ByteRate", false},
    {48, 16, "AppSpecific_", true},
  }},
  {"Link", 0x8000, 64, {}, {
    {0, 1, "ID", false},
    {1, 1, "Status", false},
    {2, 1, "Queued-Bytes", false},
    {3, 1, "Queued-Packets", false},
    {4, 1, "TX-Utilization", false},
    {5, 1, "RX-Utilization", false},
    {6, 1, "Capacity", false},
    {8, 1, "TX-Packets", false},
    {9, 1, "TX-PacketsHigh", false},
    {10, 1, "TX-Bytes", false},
    {11, 1, "TX-BytesHigh", false},
    {12, 1, "TX-PacketRate", false},
    {13, 1, "TX-ByteRate", false},
    {16, 1, "RX-Packets", false},
    {17, 1, "RX-PacketsHigh", false},
    {18, 1, "RX-Bytes", false},
    {19, 1, "RX-BytesHigh", false},
    {20, 1, "RX-PacketRate", false},
    {21, 1, "RX-ByteRate", false},
    {24, 1, "Drop-Packets", false},
    {25, 1, "Drop-PacketsHigh", false},
    {26, 1, "Drop-Bytes", false},
    {27, 1, "Drop-BytesHigh", false},
    {28, 1, "Drop-PacketRate", false},
    {29, 1, "Drop-ByteRate", false},
    {32, 1, "Error-Packets", false},
    {33, 1, "Error-PacketsHigh", false},
    {34, 1, "Error-Bytes", false},
    {35, 1, "Error-BytesHigh", false},
    {36, 1, "Error-PacketRate", false},
    {37, 1, "Error-ByteRate", false},
  }},
  {"InputLink", 0x8040, 64, {}, {
    {0, 1, "ID", false},
    {1, 1, "Status", false},
    {2, 1, "Queued-Bytes", false},
    {3, 1, "Queued-Packets", false},
    {4, 1, "TX-Utilization", false},
    {5, 1, "RX-Utilization", false},
    {6, 1, "Capacity", false},
    {8, 1, "TX-Packets", false},
    {9, 1, "TX-PacketsHigh", false},
    {10, 1, "TX-Bytes", false},
    {11, 1, "TX-BytesHigh", false},
    {12, 1, "TX-PacketRate", false},
    {13, 1, "TX-ByteRate", false},
    {16, 1, "RX-Packets", false},
    {17, 1, "RX-PacketsHigh", false},
    {18, 1, "RX-Bytes", false},
    {19, 1, "RX-BytesHigh", false},
    {20, 1, "RX-PacketRate", false},
    {21, 1, "RX-ByteRate", false},
    {24, 1, "Drop-Packets", false},
    {25, 1, "Drop-PacketsHigh", false},
    {26, 1, "Drop-Bytes", false},
    {27, 1, "Drop-BytesHigh", false},
    {28, 1, "Drop-PacketRate", false},
    {29, 1, "Drop-ByteRate", false},
    {32, 1, "Error-Packets", false},
    {33, 1, "Error-PacketsHigh", false},
    {34, 1, "Error-Bytes", false},
    {35, 1, "Error-BytesHigh", false},
    {36, 1, "Error-PacketRate", false},
    {37, 1, "Error-ByteRate", false},
    {48, 16, "AppSpecific_", true},
  }},
  {"Queue", 0x9000, 32, {{32, 256}, {8, 32}}, {
    {0, 1, "QueueOccupancy", false},
    {1, 1, "Queued-Packets", false},
    {2, 1, "Weight", false},
    {3, 1, "Quantum", false},
    {4, 1, "Rate", false},
    {5, 1, "Priority", false},
    {6, 1, "EligibleTime", false},
    {7, 1, "ID", false},
    {8, 1, "TX-Packets", false},
    {9, 1, "TX-PacketsHigh", false},
    {10, 1, "TX-Bytes", false},
    {11, 1, "TX-BytesHigh", false},
    {12, 1, "TX-PacketRate", false},
    {13, 1, "TX-ByteRate", false},
    {16, 1, "RX-Packets", false},
    {17, 1, "RX-PacketsHigh", false},
    {18, 1, "RX-Bytes", false},
    {19, 1, "RX-BytesHigh", false},
    {20, 1, "RX-PacketRate", false},
    {21, 1, "RX-ByteRate", false},
    {24, 1, "Drop-Packets", false},
    {25, 1, "Drop-PacketsHigh", false},
    {26, 1, "Drop-Bytes", false},
    {27, 1, "Drop-BytesHigh", false},
    {28, 1, "Drop-PacketRate", false},
    {29, 1, "Drop-ByteRate", false},
  }},
  {"Queue", 0xb000, 64, {}, {
    {0, 1, "QueueOccupancy", false},
    {1, 1, "Queued-Packets", false},
    {2, 1, "Weight", false},
    {3, 1, "Quantum", false},
    {4, 1, "Rate", false},
    {5, 1, "Priority", false},
    {6, 1, "EligibleTime", false},
    {7, 1, "ID", false},
    {8, 1, "TX-Packets", false},
    {9, 1, "TX-PacketsHigh", false},
    {10, 1, "TX-Bytes", false},
    {11, 1, "TX-BytesHigh", false},
    {12, 1, "TX-PacketRate", false},
    {13, 1, "TX-ByteRate", false},
    {16, 1, "RX-Packets", false},
    {17, 1, "RX-PacketsHigh", false},
    {18, 1, "RX-Bytes", false},
    {19, 1, "RX-BytesHigh", false},
    {20, 1, "RX-PacketRate", false},
    {21, 1, "RX-ByteRate", false},
    {24, 1, "Drop-Packets", false},
    {25, 1, "Drop-PacketsHigh", false},
    {26, 1, "Drop-Bytes", false},
    {27, 1, "Drop-BytesHigh", false},
    {28, 1, "Drop-PacketRate", false},
    {29, 1, "Drop-ByteRate", false},
  }},
  {"PacketMetadata", 0xc000, 64, {}, {
    {0, 1, "InputPort", false},
    {1, 1, "PacketLength", false},
  }},
  {"PacketMetadata", 0xc040, 192, {}, {
    {0, 1, "OutputPort", false},
    {1, 1, "OutputPortBitmap", false},
    {2, 1, "OutputPortBitmapHigh", false},
    {3, 1, "QueueID", false},
    {4, 1, "MatchedEntryID", false},
    {5, 1, "AlternateRoutes", false},
  }},
  {"PacketMetadata", 0xc100, 256, {}, {
    {0, 1, "OutputQueue", false},
  }},
  {"PacketMetadata", 0xc200, 64, {}, {
    {0, 1, "Ethernet-DestinationHigh", false},
    {1, 1, "Ethernet-Destination", false},
    {2, 1, "Ethernet-SourceHigh", false},
    {3, 1, "Ethernet-Source", false},
    {4, 1, "EtherType", false},
    {5, 1, "VlanID", false},
    {6, 1, "IPv4-Source", false},
    {7, 1, "IPv4-Destination", false},
    {8, 1, "IPv4-Protocol", false},
    {9, 1, "IPv4-TTL", false},
    {10, 1, "IPv4-DSCP", false},
    {11, 1, "SourcePort", false},
    {12, 1, "DestinationPort", false},
  }},
  {"PacketMetadata", 0xc240, 64, {}, {
    {0, 1, "TotalLength", false},
    {1, 1, "MemoryLength", false},
    {2, 1, "Flags", false},
    {3, 1, "HopNumber", false},
    {4, 1, "StackPointer", false},
    {5, 1, "PerHopLength", false},
    {6, 1, "AppTag", false},
    {7, 1, "Checksum", false},
    {8, 1, "EncapsulatedProtocol", false},
  }},
  {"Link", 0xd000, 16, {}, {
    {0, 16, "AppSpecific_", true},
  }},
  {"Stage", 0xe000, 64, {{48, 64}}, {
    {0, 64, "Sram_", true},
  }},
}

local function name_of(address)
  for _, segment in ipairs(segments) do
    local rest, name = address - segment[2], segment[1]
    if rest >= 0 then
      local inside = true
      for _, index in ipairs(segment[4]) do
        local value = math.floor(rest / index[2])
        inside = inside and value < index[1]
        name, rest = string.format("%s$%d", name, value), rest % index[2]
      end
      if inside and rest < segment[3] then
        for _, entry in ipairs(segment[5]) do
          local number = rest - entry[1]
          if number >= 0 and number < entry[2] then
            return name .. ":" .. entry[3] .. (entry[4] and string.format("%d", number) or "")
          end
        end
      end
    end
  end
  return string.format("0x%04x", address)
end

-- The field by its name, from the header's bytes.
local offsets = {
  {"TotalLength", 0, 2},
  {"MemoryLength", 2, 1},
  {"Flags", 3, 1},
  {"HopNumber", 4, 1},
  {"StackPointer", 5, 1},
  {"PerHopLength", 6, 1},
  {"AppTag", 7, 1},
  {"Checksum", 8, 2},
  {"EncapsulatedProtocol", 10, 2},
}

local function text_of(word, hop_mode)
  local opcode, address = math.floor(word / 0x10000000), math.floor(word / 0x1000) % 0x10000
  local first, second = math.floor(word / 64) % 64, word % 64
  local mnemonic = mnemonics[opcode]
  local function packet(index)
    return string.format("[Packet:%s[%d]]", hop_mode and "Hop" or "Word", index)
  end
  local switch = "[" .. name_of(address) .. "]"
  if mnemonic == "NOP" then
    return mnemonic
  elseif mnemonic == "PUSH" or mnemonic == "POP" then
    return mnemonic .. " " .. switch
  elseif mnemonic == "LOAD" or mnemonic == "STORE" then
    return mnemonic .. " " .. switch .. ", " .. packet(first)
  elseif mnemonic == "LOADI" then
    return mnemonic .. " " .. packet(second) .. ", " .. packet(first)
  elseif mnemonic == "CEXEC" and first == 63 then
    return mnemonic .. " " .. switch .. ", " .. packet(second)
  elseif mnemonic then
    return mnemonic .. " " .. switch .. ", " .. packet(first) .. ", " .. packet(second)
  end
  return string.format("reserved 0x%08x", word)
end

function tpp.dissector(buffer, info, tree)
  if buffer:len() < 12 then
    return 0
  end
  local value = {}
  for _, field in ipairs(offsets) do
    value[field[1]] = buffer(field[2], field[3]):uint()
  end
  local total, memory, flags = value.TotalLength, value.MemoryLength, value.Flags
  if total < 12 + memory or total > buffer:len() then
    return 0
  end
  info.cols.protocol = "TPP"
  local hop_mode = math.floor(flags / 128) % 2 == 1
  local size = math.floor(flags / 64) % 2 == 1 and 4 or 2
  local code = total - 12 - memory
  info.cols.info = string.format("TPP, hop %d, %d instructions", value.HopNumber, math.floor(code / 4))
  local branch = tree:add(tpp, buffer(0, total))
  for _, field in ipairs(offsets) do
    local item = branch:add(fields[field[1]], buffer(field[2], field[3]))
    if field[1] == "Flags" then
      item:add(fields.flag_HOP, buffer(field[2], field[3]))
      item:add(fields.flag_WIDE, buffer(field[2], field[3]))
      item:add(fields.flag_REFLECT, buffer(field[2], field[3]))
      item:add(fields.flag_DONE, buffer(field[2], field[3]))
      item:add(fields.flag_REPORT_BACK, buffer(field[2], field[3]))
      item:add(fields.flag_STANDALONE, buffer(field[2], field[3]))
    end
  end
  for at = 12, 12 + code - 4, 4 do
    branch:add(fields.instruction, buffer(at, 4), text_of(buffer(at, 4):uint(), hop_mode))
  end
  for at = 0, memory - size, size do
    local word = buffer(total - memory + at, size)
    branch:add(fields.word, word, string.format("%d: 0x%0" .. 2 * size .. "x", at / size, word:uint()))
  end
  local rest = buffer(total):tvb()
  if total < buffer:len() then
    local inner = DissectorTable.get("ethertype"):get_dissector(value.EncapsulatedProtocol)
    if inner then
      inner:call(rest, info, tree)
    else
      Dissector.get("data"):call(rest, info, tree)
    end
  end
  return buffer:len()
end

DissectorTable.get("ethertype"):add(0x6666, tpp)
DissectorTable.get("udp.port"):add(0x6666, tpp)
