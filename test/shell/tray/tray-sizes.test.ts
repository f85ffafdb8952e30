import { describe, expect, it } from 'vitest';
import { drawTrayPicture } from '../../../electron/shell/icons/tray-picture.ts';
import { trayPictureSizes } from '../../../electron/shell/tray/tray-sizes.ts';

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
