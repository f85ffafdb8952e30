import { existsSync } from 'node:fs';

/** Device files of graphics hardware: of the kernel, of NVIDIA, of Windows below Linux, of boards with drivers of their own. */
const DEVICES = ['/dev/dri', '/dev/nvidiactl', '/dev/dxg', '/dev/mali0', '/dev/kgsl-3d0', '/dev/pvrsrvkm'];

/**
 * False on a Linux without graphics hardware, as in many virtual machines and containers. Chromium would start a process
 * that looks for it, fails, and is started again to draw in software, while the page waits for the outcome.
 */
export function hasGraphicsDevice(
  platform: NodeJS.Platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || DEVICES.some(exists);
}
