import { fineGrid, pixelGrid, plug } from './plug.ts';
import { rasterise, type Colour, type Picture } from './raster.ts';
import { difference, disc, roundedBox } from './shapes.ts';

const TOP: Colour = [76, 110, 245];
const BOTTOM: Colour = [54, 79, 199];
const WHITE: Colour = [255, 255, 255];
const GREEN: Colour = [64, 192, 87];
/** Size in pixels below which lines must be aligned to whole pixels, because they would blur otherwise. */
const SMALLEST_FINE_SIZE = 48;
/** Size in pixels from which a few samples per pixel are enough for smooth edges. */
const MANY_PIXELS = 256;

/** The application's icon: a white plug on a blue rounded square, with the green light of a running server. */
export function drawAppPicture(size: number): Picture {
  const grid = size < SMALLEST_FINE_SIZE ? pixelGrid(size) : fineGrid(size);
  const margin = size < SMALLEST_FINE_SIZE ? 0 : size / 16;
  const ground = roundedBox(margin, margin, size - margin, size - margin, size * 0.21);
  const lamp = { x: size * 0.74, y: size * 0.74 };
  const cutOut = disc(lamp, size * 0.175);
  return rasterise(
    size,
    [
      { shape: ground, colour: (height) => mix(TOP, BOTTOM, height) },
      { shape: difference(plug(grid), cutOut), colour: WHITE },
      { shape: disc(lamp, size * 0.125), colour: GREEN },
    ],
    size >= MANY_PIXELS ? 3 : 4,
  );
}

function mix(from: Colour, to: Colour, share: number): Colour {
  const channel = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * share);
  return [channel(0), channel(1), channel(2)];
}
