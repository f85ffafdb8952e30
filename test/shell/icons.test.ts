import { inflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawAppPicture } from '../../electron/shell/icons/app-picture.ts';
import {
  type BadgeKind,
  drawTrayPicture,
  inkFor,
  trayPictureSizes,
} from '../../electron/shell/icons/tray-picture.ts';
import { encodePng, type Picture } from '../../electron/shell/icons/raster.ts';

const badges: readonly (BadgeKind | undefined)[] = [
  undefined,
  'starting',
  'suspect',
  'stalled',
  'backoff',
  'failed',
];
const sizes = [16, 22, 32];
const build = join(import.meta.dirname, '../../build');

const alphaAt = ({ size, pixels }: Picture, x: number, y: number) => pixels[(y * size + x) * 4 + 3];

/** Relative luminance of a grey from 0 to 1. */
const luminance = (grey: number) => (grey <= 0.04045 ? grey / 12.92 : ((grey + 0.055) / 1.055) ** 2.4);

/** Pixels of the picture that stand out from a grey ground by a contrast of at least 3. */
function standingOut({ pixels }: Picture, ground: number): number {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3]! / 255;
    const grey = (pixels[i]! / 255) * alpha + ground * (1 - alpha);
    const [low, high] = [luminance(grey), luminance(ground)].sort((a, b) => a - b);
    if ((high! + 0.05) / (low! + 0.05) >= 3) count += 1;
  }
  return count;
}

/** Pixels of a PNG made by `encodePng`: one IDAT chunk, every row unfiltered. */
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
    for (const ink of ['black', 'white'] as const) {
      const { pixels } = drawTrayPicture({ size, badge: 'failed', ink });
      for (let i = 0; i < pixels.length; i += 4) {
        if (pixels[i + 3] === 0) continue;
        expect([...pixels.subarray(i, i + 3)]).toEqual(ink === 'white' ? [255, 255, 255] : [0, 0, 0]);
      }
    }
  });

  it('looks different for every mark', () => {
    const looks = badges.map((badge) => drawTrayPicture({ size, badge, ink: 'black' }).pixels.join());
    expect(new Set(looks).size).toBe(badges.length);
  });

  it.each(badges)('is read on dark and on light in both inks, with the mark %s', (badge) => {
    const picture = drawTrayPicture({ size, badge, ink: 'both' });
    const lines = drawTrayPicture({ size, badge, ink: 'white' });
    // Enough of either ink stands out from either ground, by the 3 : 1 that shapes need.
    for (const ground of [0.95, 0.16, 0]) {
      expect(standingOut(picture, ground)).toBeGreaterThan(
        0.9 * standingOut(lines, 0) * (ground > 0.5 ? 0.5 : 1),
      );
    }
  });

  it('is symmetrical without a mark, and transparent in its corners', () => {
    const picture = drawTrayPicture({ size, ink: 'black' });
    for (let y = 0; y < size; y += 1) {
      for (let x = 0; x < size / 2; x += 1)
        expect(alphaAt(picture, x, y)).toBe(alphaAt(picture, size - 1 - x, y));
    }
    expect(alphaAt(picture, 0, 0)).toBe(0);
  });

  it('has crisp lines: the middle of each side of the frame is a full pixel', () => {
    const picture = drawTrayPicture({ size, ink: 'black' });
    const column = Array.from({ length: size }, (_, y) => alphaAt(picture, size / 2, y));
    expect(column.slice(0, 3)).toContain(255);
    expect(column.slice(0, 3).every((alpha) => alpha === 0 || alpha === 255)).toBe(true);
  });
});

describe('inkFor', () => {
  it.each([
    ['is both on Linux, whatever the theme of the windows', 'linux', 'both', 'both'],
    ['follows the taskbar of Windows', 'win32', 'white', 'black'],
    ['leaves the colour of a template to macOS', 'darwin', 'black', 'black'],
  ] as const)('%s', (_, platform, dark, light) => {
    expect([inkFor(platform, true), inkFor(platform, false)]).toEqual([dark, light]);
  });
});

describe('trayPictureSizes', () => {
  it.each([
    [1, 16],
    [1.25, 20],
    [1.5, 24],
    [1.75, 28],
    [2, 32],
    [2.5, 40],
    [3, 48],
  ])(
    'draws for a Windows screen at scale %f what Windows takes: one picture, of %i pixels',
    (scale, sizePx) => {
      expect(trayPictureSizes('win32', scale)).toEqual([{ scaleFactor: 1, sizePx }]);
      expect(drawTrayPicture({ size: sizePx, badge: undefined, ink: 'white' }).size).toBe(sizePx);
    },
  );

  it.each([
    ['darwin', [16, 20, 24, 28, 32, 40, 48]],
    ['linux', [22, 28, 33, 39, 44, 55, 66]],
  ] as const)('offers %s a picture for every scale, whatever the screen is now', (platform, sizes) => {
    for (const screenScale of [1, 2]) {
      const offered = trayPictureSizes(platform, screenScale);
      expect(offered.map(({ scaleFactor }) => scaleFactor)).toEqual([1, 1.25, 1.5, 1.75, 2, 2.5, 3]);
      expect(offered.map(({ sizePx }) => sizePx)).toEqual(sizes);
    }
  });
});

describe('encodePng', () => {
  it('writes a file that holds the picture', () => {
    const picture = drawTrayPicture({ size: 22, badge: 'stalled', ink: 'white' });
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
    const file = readFileSync(join(build, `icons/${size}x${size}.png`));
    expect(decode(file).pixels).toEqual(drawAppPicture(size).pixels);
  });

  it('are complete in the container for macOS', () => {
    const file = readFileSync(join(build, 'icon.icns'));
    expect([file.toString('latin1', 0, 4), file.readUInt32BE(4)]).toEqual(['icns', file.length]);
    const found: [string, number][] = [];
    for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
      const png = file.subarray(at + 8, at + file.readUInt32BE(at + 4));
      found.push([file.toString('latin1', at, at + 4), decode(png).size]);
    }
    expect(Object.fromEntries(found)).toEqual({
      icp4: 16,
      icp5: 32,
      ic07: 128,
      ic08: 256,
      ic09: 512,
      ic10: 1024,
      ic11: 32,
      ic12: 64,
      ic13: 256,
      ic14: 512,
    });
  });

  it('are complete in the container for Windows', () => {
    const file = readFileSync(join(build, 'icon.ico'));
    expect([file.readUInt16LE(0), file.readUInt16LE(2)]).toEqual([0, 1]);
    const entries = Array.from({ length: file.readUInt16LE(4) }, (_, index) => 6 + 16 * index);
    const sizes = entries.map((at) => {
      const start = file.readUInt32LE(at + 12);
      const png = file.subarray(start, start + file.readUInt32LE(at + 8));
      const { size, pixels } = decode(png);
      expect(pixels).toEqual(drawAppPicture(size).pixels);
      expect([file[at], file[at + 1]]).toEqual([size % 256, size % 256]);
      return size;
    });
    expect(sizes).toEqual([16, 24, 32, 48, 64, 128, 256]);
  });
});
