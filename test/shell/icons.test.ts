import { inflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawAppPicture } from '../../electron/shell/icons/app-picture.ts';
import type { BadgeKind } from '../../electron/shell/icons/badge.ts';
import { encodePng } from '../../electron/shell/icons/png.ts';
import type { Picture } from '../../electron/shell/icons/raster.ts';
import { drawTrayPicture } from '../../electron/shell/icons/tray-picture.ts';

const badges: readonly (BadgeKind | undefined)[] = [
  undefined,
  'starting',
  'suspect',
  'stalled',
  'backoff',
  'failed',
];
const sizes = [16, 22, 32];

const alphaAt = ({ size, pixels }: Picture, x: number, y: number) => pixels[(y * size + x) * 4 + 3];

/** The pixels of a PNG made by `encodePng`: one IDAT chunk, every row unfiltered. */
function decode(png: Buffer): Picture {
  const size = png.readUInt32BE(16);
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const pixels = new Uint8Array(size * size * 4);
  for (let y = 0; y < size; y += 1)
    pixels.set(rows.subarray(y * (size * 4 + 1) + 1, (y + 1) * (size * 4 + 1)), y * size * 4);
  return { size, pixels };
}

describe.each(sizes)('the tray icon of %i pixels', (size) => {
  it('is of one colour, black or white, on a transparent ground', () => {
    for (const onDark of [false, true]) {
      const { pixels } = drawTrayPicture({ size, badge: 'failed', onDark });
      for (let i = 0; i < pixels.length; i += 4) {
        if (pixels[i + 3] === 0) continue;
        expect([...pixels.subarray(i, i + 3)]).toEqual(onDark ? [255, 255, 255] : [0, 0, 0]);
      }
    }
  });

  it('looks different for every mark', () => {
    const looks = badges.map((badge) => drawTrayPicture({ size, badge, onDark: false }).pixels.join());
    expect(new Set(looks).size).toBe(badges.length);
  });

  it('is symmetrical without a mark, and transparent in its corners', () => {
    const picture = drawTrayPicture({ size, onDark: false });
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size / 2; x += 1)
        expect(alphaAt(picture, x, y)).toBe(alphaAt(picture, size - 1 - x, y));
    }
    expect(alphaAt(picture, 0, 0)).toBe(0);
  });

  it('has crisp lines: the middle of each side of the frame is a full pixel', () => {
    const picture = drawTrayPicture({ size, onDark: false });
    const column = Array.from({ length: size }, (_, y) => alphaAt(picture, size / 2, y));
    expect(column.slice(0, 3)).toContain(255);
    expect(column.slice(0, 3).every((alpha) => alpha === 0 || alpha === 255)).toBe(true);
  });
});

describe('encodePng', () => {
  it('writes a file that holds the picture', () => {
    const picture = drawTrayPicture({ size: 22, badge: 'stalled', onDark: true });
    const png = encodePng(picture);
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(decode(png)).toEqual(picture);
  });

  it('ends with the checksum that every PNG ends with', () => {
    expect(encodePng(drawAppPicture(16)).subarray(-8).toString('hex')).toBe('49454e44ae426082');
  });
});

describe('the checked-in icons', () => {
  it.each([16, 24, 32, 48, 64, 128, 256, 512])('hold the drawing of %i pixels', (size) => {
    const file = readFileSync(join(import.meta.dirname, `../../build/icons/${size}x${size}.png`));
    expect(decode(file).pixels).toEqual(drawAppPicture(size).pixels);
  });
});
