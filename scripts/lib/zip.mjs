import { crc32, deflateRawSync } from 'node:zlib';

/** 1980-01-01, the first day that the format supports. The date is fixed so that equal contents give equal archives. */
const DATE = 0x21;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const VERSION = 20;

/** @param {ReadonlyMap<string, string | Buffer>} files contents by path inside the archive */
export function zip(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const [path, content] of files) {
    const [name, data] = [Buffer.from(path), Buffer.from(content)];
    const packed = deflateRawSync(data);
    const common = commonFields(data, packed, name);
    const head = Buffer.concat([signature(0x04034b50), u16(VERSION), common, name]);
    const pointer = Buffer.alloc(14);
    pointer.writeUInt32LE(offset, 10);
    directory.push(signature(0x02014b50), u16(VERSION), u16(VERSION), common, pointer, name);
    parts.push(head, packed);
    offset += head.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/**
 * Returns the header fields that a ZIP archive contains twice: before a file's data and in the directory at the end. @param
 * {Buffer} data @param {Buffer} packed @param {Buffer} name
 */
function commonFields(data, packed, name) {
  const fields = Buffer.alloc(24);
  fields.writeUInt16LE(UTF8_NAMES, 0);
  fields.writeUInt16LE(DEFLATED, 2);
  fields.writeUInt16LE(DATE, 6);
  fields.writeUInt32LE(crc32(data), 8);
  fields.writeUInt32LE(packed.length, 12);
  fields.writeUInt32LE(data.length, 16);
  fields.writeUInt16LE(name.length, 20);
  return fields;
}

/** @param {number} value */
function signature(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** @param {number} value */
function u16(value) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
