import { difference, roundedBox, union, type Shape } from './shapes.ts';

/** The icon's grid of 16 × 16 units. `snap` converts units to pixels and, in small pictures, moves line edges to whole pixels. */
interface Grid {
  readonly size: number;
  readonly snap: (units: number) => number;
}

export function pixelGrid(size: number): Grid {
  return { size, snap: (units) => Math.round((units * size) / 16) };
}

/** Grid for large pictures, in which lines need not be aligned to whole pixels. */
export function fineGrid(size: number): Grid {
  return { size, snap: (units) => (units * size) / 16 };
}

/** Outline of the rounded square around the plug. */
export function frame(grid: Grid): Shape {
  return difference(plate(grid), plate(grid, Math.max(1, Math.round(grid.size / 14))));
}

/** Area of the rounded square, including the frame; `less` is the number of pixels by which it is smaller on each side. */
export function plate({ size, snap }: Grid, less = 0): Shape {
  const inset = Math.max(1, snap(0.6)) - (size >= 22 ? 0 : 1) + less;
  return roundedBox(inset, inset, size - inset, size - inset, snap(4) - less);
}

/** Front view of a mains plug: two prongs pointing up, the body, and the cord pointing down. Symmetrical about the middle. */
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
