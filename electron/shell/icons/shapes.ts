/** True if a point is inside the shape. Coordinates are pixels of the finished picture, y downwards. */
export type Shape = (x: number, y: number) => boolean;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const disc =
  (center: Point, radius: number): Shape =>
  (x, y) =>
    (x - center.x) ** 2 + (y - center.y) ** 2 <= radius * radius;

/** Rectangle with corners rounded by at most half its shorter side. */
export function roundedBox(left: number, top: number, right: number, bottom: number, radius: number): Shape {
  const r = Math.min(radius, (right - left) / 2, (bottom - top) / 2);
  return (x, y) => {
    if (x < left || x > right || y < top || y > bottom) return false;
    const dx = Math.max(left + r - x, x - (right - r), 0);
    const dy = Math.max(top + r - y, y - (bottom - r), 0);
    return dx * dx + dy * dy <= r * r;
  };
}

/** Convex polygon, corners clockwise on screen. */
export function convexPolygon(...corners: readonly Point[]): Shape {
  return (x, y) =>
    corners.every((a, i) => {
      const b = corners[(i + 1) % corners.length] ?? a;
      return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) >= 0;
    });
}

/** Straight stroke with round ends. */
export function stroke(from: Point, to: Point, width: number): Shape {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const lengthSquared = dx * dx + dy * dy;
  return (x, y) => {
    const along = ((x - from.x) * dx + (y - from.y) * dy) / lengthSquared;
    const t = Math.min(1, Math.max(0, along));
    return (x - from.x - t * dx) ** 2 + (y - from.y - t * dy) ** 2 <= (width * width) / 4;
  };
}

export const union =
  (...shapes: readonly Shape[]): Shape =>
  (x, y) =>
    shapes.some((shape) => shape(x, y));

export const intersection =
  (...shapes: readonly Shape[]): Shape =>
  (x, y) =>
    shapes.every((shape) => shape(x, y));

export const difference =
  (shape: Shape, hole: Shape): Shape =>
  (x, y) =>
    shape(x, y) && !hole(x, y);

/** Directions in which `grown` moves a shape's outline. At the icons' sizes, more directions would not change any pixel. */
const DIRECTIONS = Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8);

/** Returns the shape with an edge of `width` around it. */
export function grown(shape: Shape, width: number): Shape {
  const steps = DIRECTIONS.map((angle) => [width * Math.cos(angle), width * Math.sin(angle)] as const);
  return (x, y) => shape(x, y) || steps.some(([dx, dy]) => shape(x + dx, y + dy));
}
