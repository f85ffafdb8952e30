// Writes the two container formats that macOS and Windows require for an application's icon.

/** Entry types of an .icns file, each with its PNG's size in pixels. A size's second type is for high-density screens. */
export const ICNS_TYPES = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
]);
export const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256];

const ICO_ENTRY_BYTES = 16;
const ICO_HEADER_BYTES = 6;

/** @param {(size: number) => Buffer} png */
export function encodeIcns(png) {
  const entries = ICNS_TYPES.map(([type, size]) => icnsChunk(type, png(size)));
  return icnsChunk('icns', Buffer.concat(entries));
}

/** @param {string} type @param {Buffer} body */
function icnsChunk(type, body) {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + body.length, 4);
  return Buffer.concat([head, body]);
}

/** Encodes all sizes as PNG, which Windows has read since Vista. @param {(size: number) => Buffer} png */
export function encodeIco(png) {
  const images = ICO_SIZES.map((size) => ({ size, bytes: png(size) }));
  const header = Buffer.alloc(ICO_HEADER_BYTES);
  header.writeUInt16LE(1, 2); // The type field: 1 means an icon, 2 would mean a cursor.
  header.writeUInt16LE(images.length, 4);
  let offset = ICO_HEADER_BYTES + ICO_ENTRY_BYTES * images.length;
  const entries = images.map(({ size, bytes }) => {
    const entry = Buffer.alloc(ICO_ENTRY_BYTES);
    entry.set([size % 256, size % 256]); // 256 is written as 0.
    entry.writeUInt16LE(1, 4); // Number of color planes.
    entry.writeUInt16LE(32, 6); // Bits per pixel.
    entry.writeUInt32LE(bytes.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += bytes.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...images.map(({ bytes }) => bytes)]);
}
