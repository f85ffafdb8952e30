import { nativeImage, type NativeImage } from 'electron';
import type { BadgeKind } from '../icons/badge.ts';
import { encodePng } from '../icons/png.ts';
import { drawTrayPicture, type Ink } from '../icons/tray-picture.ts';
import { inkFor } from './tray-ink.ts';

/** What panels draw at scale 1: Linux desktops 22 pixels, the others 16. */
const baseSize = (platform: NodeJS.Platform) => (platform === 'linux' ? 22 : 16);
const scaleFactors = [1, 1.5, 2];

/** Draws tray icons and keeps them: there are six marks, and two inks on Windows. */
export class TrayImages {
  readonly #platform: NodeJS.Platform;
  readonly #images = new Map<string, NativeImage>();

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  /** @param isDark whether the panel is dark, where the system tells */
  image(badge: BadgeKind | undefined, isDark: boolean): NativeImage {
    const ink = inkFor(this.#platform, isDark);
    const key = `${badge ?? 'plain'} ${ink}`;
    const kept = this.#images.get(key);
    if (kept !== undefined) return kept;
    const image = this.#draw(badge, ink);
    image.setTemplateImage(this.#platform === 'darwin');
    this.#images.set(key, image);
    return image;
  }

  #draw(badge: BadgeKind | undefined, ink: Ink): NativeImage {
    const image = nativeImage.createEmpty();
    for (const scaleFactor of scaleFactors) {
      const size = Math.round(baseSize(this.#platform) * scaleFactor);
      image.addRepresentation({ scaleFactor, buffer: encodePng(drawTrayPicture({ size, badge, ink })) });
    }
    return image;
  }
}
