import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;
const DEFAULT_SIZE = { width: 1280, height: 800 };
/** So much of the title bar must be on a screen that the window can be taken hold of. */
const REACHABLE_PX = 64;

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Without a place, the system chooses one. */
export type WindowBounds = Rectangle | { readonly width: number; readonly height: number };

const storedSchema = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(MIN_WIDTH).max(100_000),
  height: z.number().int().min(MIN_HEIGHT).max(100_000),
});

/** Where the window was, if the file says so and a screen still shows that place; else the default size. */
export function loadWindowBounds(path: string, screens: readonly Rectangle[]): WindowBounds {
  const stored = storedSchema.safeParse(readJson(path));
  if (!stored.success) return DEFAULT_SIZE;
  return screens.some((screen) => isReachable(stored.data, screen)) ? stored.data : DEFAULT_SIZE;
}

/** Atomic, so that a crash leaves the old place or the new one. Never throws: a lost place is no reason to fail. */
export function saveWindowBounds(path: string, { x, y, width, height }: Rectangle): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify({ x, y, width, height })}\n`);
    renameSync(temporary, path);
  } catch {
    return; // A full or read-only disk: the window opens at its default place next time.
  }
}

function isReachable(window: Rectangle, screen: Rectangle): boolean {
  const overlap = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  const isTitleOnScreen = window.y >= screen.y && window.y <= screen.y + screen.height - REACHABLE_PX;
  return overlap >= REACHABLE_PX && isTitleOnScreen;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined; // Missing or damaged: as if nothing was stored.
  }
}
