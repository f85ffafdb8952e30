import { frame, pixelGrid, plate, plug } from './plug.ts';
import { rasterise, type Colour, type Picture } from './raster.ts';
import {
  difference,
  grown,
  union,
  convexPolygon,
  disc,
  intersection,
  stroke,
  type Point,
  type Shape,
} from './shapes.ts';
import type { StateKind } from '../../../shared/server-states.ts';

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
/** Background for the ink `both`: nearly black, so that it is hardly visible on a dark panel. */
const PLATE: Colour = [38, 41, 46];

/**
 * Colour of the tray icon's lines: black for a light desktop panel, and white for a dark one. `both` means white lines on a
 * dark plate, for systems that do not report whether the panel is dark.
 */
type Ink = 'black' | 'white' | 'both';

/**
 * Returns the ink of the tray icon. macOS colours the icon automatically. Windows reports whether its taskbar is dark. Linux
 * does not: the panels of Xfce and GNOME are dark even with light windows, so the icon must be visible on both.
 */
export function inkFor(platform: NodeJS.Platform, isDark: boolean): Ink {
  if (platform === 'darwin') return 'black';
  if (platform === 'win32') return isDark ? 'white' : 'black';
  return 'both';
}

/** Icon size of desktop panels at scale 1: 22 pixels on Linux, otherwise 16. */
const baseSizePx = (platform: NodeJS.Platform) => (platform === 'linux' ? 22 : 16);
/**
 * Common scale factors of screens. An icon contains one picture for each of them, and macOS and Linux choose the suitable one.
 */
const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** Size of one picture of a tray icon, and the screen scale that the picture is for. */
interface TrayPictureSize {
  readonly scaleFactor: number;
  readonly sizePx: number;
}

/**
 * Returns the sizes of the pictures in a tray icon. On Windows, Electron passes only the picture for scale 1, and Windows would
 * enlarge it. That picture is therefore drawn in the size that the taskbar's screen needs. @param screenScale scale factor of
 * the primary screen
 */
export function trayPictureSizes(platform: NodeJS.Platform, screenScale: number): readonly TrayPictureSize[] {
  const sizeAt = (scale: number) => Math.round(baseSizePx(platform) * scale);
  if (platform === 'win32') return [{ scaleFactor: 1, sizePx: sizeAt(screenScale) }];
  return SCALES.map((scaleFactor) => ({ scaleFactor, sizePx: sizeAt(scaleFactor) }));
}

interface TrayPictureOptions {
  readonly size: number;
  /** Mark for the worst state of any server; undefined if no state needs one. */
  readonly badge?: BadgeKind | undefined;
  readonly ink: Ink;
}

/** Draws the tray icon on a transparent background. With ink `both`, it has white lines on a dark plate. */
export function drawTrayPicture({ size, badge, ink }: TrayPictureOptions): Picture {
  const grid = pixelGrid(size);
  const plain = union(frame(grid), plug(grid));
  // With ink `both`, the mark is moved inwards by the width of the plate's edge, because the plate also surrounds the mark.
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

/** States that put a mark on the tray icon, because they need attention. */
export type BadgeKind = Extract<StateKind, 'starting' | 'suspect' | 'stalled' | 'backoff' | 'failed'>;

/** Mark of a state, and the larger area that is cleared around the mark to separate it from the plug. */
interface Badge {
  readonly mark: Shape;
  readonly clearing: Shape;
}

/** Draws a state's shape, the same as in the window, in the lower right corner of a picture of `size` pixels. */
function drawBadge(kind: BadgeKind, size: number): Badge {
  const radius = Math.round(size * 0.5) / 2;
  const center = { x: size - radius, y: size - radius };
  const line = Math.max(1, size / 16);
  const gap = Math.max(1, size / 18);
  return { mark: markOf(kind, center, radius, line), clearing: disc(center, radius + gap) };
}

function markOf(kind: BadgeKind, center: Point, radius: number, line: number): Shape {
  const full = disc(center, radius);
  const ring = difference(full, disc(center, radius - line));
  switch (kind) {
    case 'starting':
      return union(
        ring,
        intersection(full, (x) => x < center.x),
      );
    case 'suspect':
      return union(
        ring,
        intersection(full, (_x, y) => y > center.y),
      );
    case 'stalled':
      return union(
        ring,
        intersection(full, (x) => Math.abs(x - center.x) < radius * 0.34),
      );
    case 'backoff':
      return triangle(center, radius);
    case 'failed':
      return difference(full, cross(center, radius * 0.45, line * 1.15));
  }
}

function triangle({ x, y }: Point, radius: number): Shape {
  return convexPolygon(
    { x, y: y - radius },
    { x: x + radius, y: y + radius * 0.9 },
    { x: x - radius, y: y + radius * 0.9 },
  );
}

function cross({ x, y }: Point, reach: number, width: number): Shape {
  return union(
    stroke({ x: x - reach, y: y - reach }, { x: x + reach, y: y + reach }, width),
    stroke({ x: x - reach, y: y + reach }, { x: x + reach, y: y - reach }, width),
  );
}
