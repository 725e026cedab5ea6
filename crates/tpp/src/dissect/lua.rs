//! The dissector for Wireshark.

use super::{NOTE, parts, rows};
use crate::header::{FIELDS, FLAGS, HEADER_LENGTH, TPP_NUMBER, flag};
use crate::instruction::{MASK_ALL_ONES, Opcode};
use std::fmt::Write as _;

/// The whole file.
pub fn lua() -> String {
    let mut text = format!(
        "-- Wireshark dissector for tiny packet programs. {NOTE}\n-- Put it into Wireshark's folder of personal Lua plugins, or: tshark -X lua_script:tpp.lua -r FILE\n\nlocal tpp = Proto(\"tpp\", \"Tiny Packet Program\")\n\nlocal fields = {{\n"
    );
    for field in FIELDS {
        let kind = if field.bytes == 1 { "uint8" } else { "uint16" };
        let base = match field.name {
            "Flags" | "Checksum" | "EncapsulatedProtocol" => "base.HEX",
            _ => "base.DEC",
        };
        let (name, about) = (field.name, field.about);
        let _ = writeln!(
            text,
            "  {name} = ProtoField.{kind}(\"tpp.{name}\", \"{name}\", {base}, nil, nil, \"{about}\"),"
        );
    }
    for (bit, name, about) in FLAGS {
        let _ = writeln!(
            text,
            "  flag_{name} = ProtoField.bool(\"tpp.flag.{name}\", \"{name}\", 8, nil, 0x{bit:02x}, \"{about}\"),"
        );
    }
    text += "  instruction = ProtoField.string(\"tpp.instruction\", \"Instruction\"),\n  word = ProtoField.string(\"tpp.word\", \"Word\"),\n}\nfor _, field in pairs(fields) do\n  table.insert(tpp.fields, field)\nend\n\nlocal mnemonics = {\n";
    for opcode in Opcode::ALL {
        let _ = writeln!(text, "  [{}] = \"{}\",", opcode as u8, opcode.mnemonic());
    }
    text += "}\n\n-- Namespace, first address, words, {count, stride} of each index, {offset, words, name, numbered} of each entry.\nlocal segments = {\n";
    for part in parts() {
        let indices: Vec<String> =
            part.indices.iter().map(|(c, s)| format!("{{{c}, {s}}}")).collect();
        let (name, base, length) = (part.segment.namespace, part.segment.base, part.segment.length);
        let _ = writeln!(
            text,
            "  {{\"{name}\", 0x{base:04x}, {length}, {{{}}}, {{",
            indices.join(", ")
        );
        for (offset, count, name, numbered) in part.segment.entries.iter().flat_map(rows) {
            let _ = writeln!(text, "    {{{offset}, {count}, \"{name}\", {numbered}}},");
        }
        text += "  }},\n";
    }
    let _ = write!(
        text,
        r#"}}

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
local offsets = {{
"#
    );
    for field in FIELDS {
        let _ = writeln!(text, "  {{\"{}\", {}, {}}},", field.name, field.offset, field.bytes);
    }
    let (hop, wide) = (flag::HOP_MODE, flag::WIDE);
    let _ = write!(
        text,
        r#"}}

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
  elseif mnemonic == "CEXEC" and first == {MASK_ALL_ONES} then
    return mnemonic .. " " .. switch .. ", " .. packet(second)
  elseif mnemonic then
    return mnemonic .. " " .. switch .. ", " .. packet(first) .. ", " .. packet(second)
  end
  return string.format("reserved 0x%08x", word)
end

function tpp.dissector(buffer, info, tree)
  if buffer:len() < {HEADER_LENGTH} then
    return 0
  end
  local value = {{}}
  for _, field in ipairs(offsets) do
    value[field[1]] = buffer(field[2], field[3]):uint()
  end
  local total, memory, flags = value.TotalLength, value.MemoryLength, value.Flags
  if total < {HEADER_LENGTH} + memory or total > buffer:len() then
    return 0
  end
  info.cols.protocol = "TPP"
  local hop_mode = math.floor(flags / {hop}) % 2 == 1
  local size = math.floor(flags / {wide}) % 2 == 1 and 4 or 2
  local code = total - {HEADER_LENGTH} - memory
  info.cols.info = string.format("TPP, hop %d, %d instructions", value.HopNumber, math.floor(code / 4))
  local branch = tree:add(tpp, buffer(0, total))
  for _, field in ipairs(offsets) do
    local item = branch:add(fields[field[1]], buffer(field[2], field[3]))
    if field[1] == "Flags" then
"#
    );
    for (_, name, _) in FLAGS {
        let _ = writeln!(text, "      item:add(fields.flag_{name}, buffer(field[2], field[3]))");
    }
    let _ = write!(
        text,
        r#"    end
  end
  for at = {HEADER_LENGTH}, {HEADER_LENGTH} + code - 4, 4 do
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

DissectorTable.get("ethertype"):add(0x{TPP_NUMBER:04x}, tpp)
DissectorTable.get("udp.port"):add(0x{TPP_NUMBER:04x}, tpp)
"#
    );
    text
}
