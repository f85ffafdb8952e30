import type { Shape } from './shapes.ts';

/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [number, number, number];

interface Layer {
  readonly shape: Shape;
  /** One colour, or a function of the height (0 at the top, 1 at the bottom). */
  readonly colour: Colour | ((height: number) => Colour);
}

/** Four bytes per pixel (red, green, blue, alpha, not premultiplied), rows from the top. */
export interface Picture {
  readonly size: number;
  readonly pixels: Uint8Array;
}

/** Draws the layers, the last on top, into a transparent square; `samples`² points per pixel make the edges smooth. */
export function rasterise(size: number, layers: readonly Layer[], samples = 4): Picture {
  const pixels = new Uint8Array(size * size * 4);
  const topFirst = [...layers].reverse();
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) drawPixel(pixels, x, y, { size, topFirst, samples });
  }
  return { size, pixels };
}

interface Scene {
  readonly size: number;
  readonly topFirst: readonly Layer[];
  readonly samples: number;
}

function drawPixel(pixels: Uint8Array, x: number, y: number, { size, topFirst, samples }: Scene): void {
  let [red, green, blue, covered] = [0, 0, 0, 0];
  for (let i = 0; i < samples * samples; i += 1) {
    const px = x + ((i % samples) + 0.5) / samples;
    const py = y + (Math.floor(i / samples) + 0.5) / samples;
    const top = topFirst.find(({ shape }) => shape(px, py));
    if (top === undefined) continue;
    const colour = typeof top.colour === 'function' ? top.colour(py / size) : top.colour;
    red += colour[0];
    green += colour[1];
    blue += colour[2];
    covered += 1;
  }
  if (covered === 0) return;
  const alpha = (255 * covered) / (samples * samples);
  pixels.set([red / covered, green / covered, blue / covered, alpha].map(Math.round), (y * size + x) * 4);
}
