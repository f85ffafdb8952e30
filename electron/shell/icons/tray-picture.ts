import { drawBadge, type BadgeKind } from './badge.ts';
import { frame, pixelGrid, plate, plug } from './plug.ts';
import { rasterise, type Colour, type Picture } from './raster.ts';
import { difference, grown, union } from './shapes.ts';

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
/** Background of `both`: nearly black, so that it hardly shows on a dark panel. */
const PLATE: Colour = [38, 41, 46];

/**
 * Colour of the tray icon's lines: black for a light desktop panel, white for a dark one, both where the system does not
 * report which it is.
 */
export type Ink = 'black' | 'white' | 'both';

export interface TrayPictureOptions {
  readonly size: number;
  /** Mark of the worst state; undefined if no state needs one. */
  readonly badge?: BadgeKind | undefined;
  readonly ink: Ink;
}

/** Draws the tray icon on a transparent background. With ink `both`, it has white lines on a dark plate. */
export function drawTrayPicture({ size, badge, ink }: TrayPictureOptions): Picture {
  const grid = pixelGrid(size);
  const plain = union(frame(grid), plug(grid));
  // The mark keeps the distance of the plate's edge from the border.
  const edge = ink === 'both' ? Math.max(1, Math.round(size / 22)) : 0;
  const drawn = badge === undefined ? undefined : drawBadge(badge, size - edge);
  const lines = drawn === undefined ? plain : union(difference(plain, drawn.clearing), drawn.mark);
  if (ink !== 'both') return rasterise(size, [{ shape: lines, colour: ink === 'white' ? WHITE : BLACK }]);
  const ground = drawn === undefined ? plate(grid) : union(plate(grid), drawn.clearing);
  return rasterise(size, [
    { shape: grown(ground, edge), colour: PLATE },
    { shape: lines, colour: WHITE },
  ]);
}
