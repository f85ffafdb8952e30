import { nativeImage, type NativeImage } from 'electron';
import type { BadgeKind } from '../icons/badge.ts';
import { encodePng } from '../icons/png.ts';
import { drawTrayPicture, type Ink } from '../icons/tray-picture.ts';
import { inkFor } from './tray-ink.ts';
import { trayPictureSizes } from './tray-sizes.ts';

/** Appearance of the desktop panel that shows the icon. */
export interface TrayGround {
  /** Whether the panel is dark, as far as the system reports it. */
  readonly isDark: boolean;
  /** Scale of the primary screen; 1 is 96 dots per inch. */
  readonly screenScale: number;
}

/** Draws and caches tray icons: there are six marks, and two inks on Windows. */
export class TrayImages {
  readonly #platform: NodeJS.Platform;
  readonly #images = new Map<string, NativeImage>();

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  image(badge: BadgeKind | undefined, { isDark, screenScale }: TrayGround): NativeImage {
    const ink = inkFor(this.#platform, isDark);
    const sizes = trayPictureSizes(this.#platform, screenScale);
    const key = `${badge ?? 'plain'} ${ink} ${sizes[0]?.sizePx}`;
    const kept = this.#images.get(key);
    if (kept !== undefined) return kept;
    const image = nativeImage.createEmpty();
    for (const { scaleFactor, sizePx: size } of sizes)
      image.addRepresentation({ scaleFactor, buffer: drawPng(size, badge, ink) });
    image.setTemplateImage(this.#platform === 'darwin');
    this.#images.set(key, image);
    return image;
  }
}

const drawPng = (size: number, badge: BadgeKind | undefined, ink: Ink): Buffer =>
  encodePng(drawTrayPicture({ size, badge, ink }));
