import type { StateKind } from '../../../shared/server-states.ts';
import {
  convexPolygon,
  difference,
  disc,
  intersection,
  stroke,
  union,
  type Point,
  type Shape,
} from './shapes.ts';

/** States that put a mark on the tray icon, because they need attention. */
export type BadgeKind = Extract<StateKind, 'starting' | 'suspect' | 'stalled' | 'backoff' | 'failed'>;

/** Mark of a state, and the larger area cleared around it to separate it from the plug. */
interface Badge {
  readonly mark: Shape;
  readonly clearing: Shape;
}

/** Draws a state's shape, as in the window, in the lower right corner of a picture of `size` pixels. */
export function drawBadge(kind: BadgeKind, size: number): Badge {
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
