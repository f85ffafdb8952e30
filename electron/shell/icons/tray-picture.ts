import { drawBadge, type BadgeKind } from './badge.ts';
import { frame, pixelGrid, plug } from './plug.ts';
import { rasterise, type Colour, type Picture } from './raster.ts';
import { difference, union } from './shapes.ts';

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];

export interface TrayPictureOptions {
  readonly size: number;
  /** The mark of the worst state; absent when all is well. */
  readonly badge?: BadgeKind | undefined;
  /** True for a dark panel: white lines. */
  readonly onDark: boolean;
}

/** The tray icon: one colour, transparent ground. */
export function drawTrayPicture({ size, badge, onDark }: TrayPictureOptions): Picture {
  const grid = pixelGrid(size);
  const plain = union(frame(grid), plug(grid));
  const colour = onDark ? WHITE : BLACK;
  if (badge === undefined) return rasterise(size, [{ shape: plain, colour }]);
  const { mark, clearing } = drawBadge(badge, size);
  return rasterise(size, [{ shape: union(difference(plain, clearing), mark), colour }]);
}
