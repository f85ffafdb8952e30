import { existsSync } from 'node:fs';

/** Device files of graphics hardware: Linux kernel, NVIDIA, WSL, boards with their own drivers. */
const DEVICES = ['/dev/dri', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0', '/dev/kgsl-3d0', '/dev/pvrsrvkm'];

/**
 * Whether there is graphics hardware; false only on Linux, as in many virtual machines and containers. There Chromium's GPU
 * process would fail and start again for software rendering, while the page waits.
 */
export function hasGraphicsDevice(
  platform: NodeJS.Platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || DEVICES.some(exists);
}
