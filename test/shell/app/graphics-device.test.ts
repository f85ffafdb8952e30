import { describe, expect, it } from 'vitest';
import { hasGraphicsDevice } from '../../../electron/shell/app/graphics-device.ts';

const nowhere = () => false;

describe('hasGraphicsDevice', () => {
  it('finds none on a Linux without any device file of graphics', () => {
    expect(hasGraphicsDevice('linux', nowhere)).toBe(false);
  });

  it.each(['/dev/dri', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0'])('finds hardware behind %s', (device) => {
    expect(hasGraphicsDevice('linux', (path) => path === device)).toBe(true);
  });

  it.each(['darwin', 'win32'] as const)('leaves the question to Chromium on %s', (platform) => {
    expect(hasGraphicsDevice(platform, nowhere)).toBe(true);
  });
});
