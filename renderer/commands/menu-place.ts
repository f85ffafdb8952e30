import type { MenuPlace } from '../store/manage-store.ts';

/** Largest width of the menu. */
const WIDTH_PX = 184;
const MARGIN_PX = 8;

/** Position beside the pointer, inside the window. */
export function placeAt(server: string, x: number, y: number): MenuPlace {
  return { server, right: Math.min(x + WIDTH_PX, window.innerWidth - MARGIN_PX), top: y, bottom: y };
}
