import { nativeImage, type BrowserWindow } from 'electron';
import { drawAppPicture } from '../icons/app-picture.ts';
import { encodePng } from '../icons/png.ts';

const SIZE = 64;

/** On Linux the window sets its icon; the other systems take it from the package. */
export function setWindowIcon(window: BrowserWindow | undefined, platform: NodeJS.Platform): void {
  if (platform !== 'linux' || window === undefined || window.isDestroyed()) return;
  window.setIcon(nativeImage.createFromBuffer(encodePng(drawAppPicture(SIZE))));
}
