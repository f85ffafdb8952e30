import type { Shape } from './shapes.ts';
import { deflateSync } from 'node:zlib';

/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

interface Layer {
  readonly shape: Shape;
  /** One colour, or a function of the height (0 at the top, 1 at the bottom). */
  readonly colour: Colour | ((height: number) => Colour);
}

/**
 * A square picture of `size` × `size` pixels. `pixels` contains four bytes per pixel (red, green, blue, alpha, not
 * premultiplied), row by row from the top.
 */
export interface Picture {
  readonly size: number;
  readonly pixels: Uint8Array;
}

/** Draws the layers, the last on top, into a transparent square; `samples`² points per pixel make the edges smooth. */
export function rasterise(size: number, layers: readonly Layer[], samples = 4): Picture {
  const pixels = new Uint8Array(size * size * 4);
  const topFirst = [...layers].reverse();
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) drawPixel(pixels, x, y, { size, topFirst, samples });
  }
  return { size, pixels };
}

interface Scene {
  readonly size: number;
  readonly topFirst: readonly Layer[];
  readonly samples: number;
}

function drawPixel(pixels: Uint8Array, x: number, y: number, { size, topFirst, samples }: Scene): void {
  let [red, green, blue, covered] = [0, 0, 0, 0];
  for (let i = 0; i < samples * samples; i += 1) {
    const px = x + ((i % samples) + 0.5) / samples;
    const py = y + (Math.floor(i / samples) + 0.5) / samples;
    const top = topFirst.find(({ shape }) => shape(px, py));
    if (top === undefined) continue;
    const colour = typeof top.colour === 'function' ? top.colour(py / size) : top.colour;
    red += colour[0];
    green += colour[1];
    blue += colour[2];
    covered += 1;
  }
  if (covered === 0) return;
  const alpha = (255 * covered) / (samples * samples);
  pixels.set([red / covered, green / covered, blue / covered, alpha].map(Math.round), (y * size + x) * 4);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_PER_CHANNEL = 8;
const TRUECOLOUR_WITH_ALPHA = 6;

/** Encodes the picture as a PNG file. */
export function encodePng({ size, pixels }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([BITS_PER_CHANNEL, TRUECOLOUR_WITH_ALPHA, 0, 0, 0], 8);
  const body = deflateSync(withFilterBytes(size, pixels), { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Inserts the byte that PNG requires at the start of each row: the number of the row's filter, here 0 for none. */
function withFilterBytes(size: number, pixels: Uint8Array): Buffer {
  const rowBytes = size * 4;
  const rows = Buffer.alloc(size * (rowBytes + 1));
  for (let y = 0; y < size; y += 1)
    rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  return rows;
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(body.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** Returns the CRC-32 of the bytes. `zlib.crc32` is newer than the oldest supported runtime. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
