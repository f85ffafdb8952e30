import { difference, roundedBox, union, type Shape } from './shapes.ts';

/** The drawing is made on a grid of 16 units; `snap` puts its lines on whole pixels of the wanted size. */
export interface Grid {
  readonly size: number;
  readonly snap: (units: number) => number;
}

export function pixelGrid(size: number): Grid {
  return { size, snap: (units) => Math.round((units * size) / 16) };
}

/** The plug of large pictures, where no line needs a whole pixel. */
export function fineGrid(size: number): Grid {
  return { size, snap: (units) => (units * size) / 16 };
}

/** The rounded square around the plug, as an outline. */
export function frame(grid: Grid): Shape {
  return difference(plate(grid), plate(grid, Math.max(1, Math.round(grid.size / 14))));
}

/** The rounded square that the frame encloses, with the frame or, smaller by `less` pixels on each side, without. */
export function plate({ size, snap }: Grid, less = 0): Shape {
  const inset = Math.max(1, snap(0.6)) - (size >= 22 ? 0 : 1) + less;
  return roundedBox(inset, inset, size - inset, size - inset, snap(4) - less);
}

/** A mains plug from the front: two prongs upwards, the body, the cord downwards. Symmetrical about the middle. */
export function plug({ size, snap }: Grid): Shape {
  const middle = size / 2;
  const half = (units: number) => Math.max(1, snap(units));
  const prong = Math.max(1, snap(1.4));
  const prongOuter = half(2.4);
  const [tip, shoulder, waist, bottom, end] = [snap(3), snap(6), snap(8.5), snap(11), snap(13)];
  const body = half(3.5);
  const cord = Math.max(1, snap(1.5) / 2);
  return union(
    roundedBox(middle - prongOuter, tip, middle - prongOuter + prong, waist, prong / 3),
    roundedBox(middle + prongOuter - prong, tip, middle + prongOuter, waist, prong / 3),
    roundedBox(middle - body, shoulder, middle + body, waist, 0),
    roundedBox(middle - body, shoulder, middle + body, bottom, body),
    roundedBox(middle - cord, waist, middle + cord, end, 0),
  );
}
