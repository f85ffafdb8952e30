import { nativeImage, type NativeImage } from 'electron';
import type { BadgeKind } from '../icons/badge.ts';
import { encodePng } from '../icons/png.ts';
import { drawTrayPicture } from '../icons/tray-picture.ts';

/** What panels draw at scale 1: Linux desktops 22 pixels, the others 16. */
const baseSize = (platform: NodeJS.Platform) => (platform === 'linux' ? 22 : 16);
const scaleFactors = [1, 1.5, 2];

/** Draws tray icons and keeps them: there are six marks and two themes. */
export class TrayImages {
  readonly #platform: NodeJS.Platform;
  readonly #images = new Map<string, NativeImage>();

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  /** `onDark` counts where the system does not colour the icon itself. */
  image(badge: BadgeKind | undefined, onDark: boolean): NativeImage {
    const isTemplate = this.#platform === 'darwin';
    const key = `${badge ?? 'plain'} ${onDark && !isTemplate ? 'on dark' : 'on light'}`;
    const kept = this.#images.get(key);
    if (kept !== undefined) return kept;
    const image = this.#draw(badge, onDark && !isTemplate);
    image.setTemplateImage(isTemplate);
    this.#images.set(key, image);
    return image;
  }

  #draw(badge: BadgeKind | undefined, onDark: boolean): NativeImage {
    const image = nativeImage.createEmpty();
    for (const scaleFactor of scaleFactors) {
      const size = Math.round(baseSize(this.#platform) * scaleFactor);
      image.addRepresentation({ scaleFactor, buffer: encodePng(drawTrayPicture({ size, badge, onDark })) });
    }
    return image;
  }
}
