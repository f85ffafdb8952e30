import { readRegularFileSync, UnusableFileError } from '../../core/files/regular-file.ts';
import { setAside } from '../../core/files/set-aside.ts';
import { writeAtomicallySync } from '../../core/files/write-atomically.ts';
import { zoomOrActualSize } from './zoom.ts';

export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;
const DEFAULT_SIZE = { width: 1280, height: 800 };
const MAX_PX = 100_000;
/** Longest file that is read; ours has less than a hundred bytes. */
const MAX_BYTES = 64 * 1024;
/** This much of the title bar must be on a screen, so that a person can take hold of the window. */
const REACHABLE_PX = 64;

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Place and size of the window. The system chooses the place where none is given. */
export type WindowBounds = Rectangle | { readonly width: number; readonly height: number };

export interface WindowState {
  readonly bounds: WindowBounds;
  /** Size of everything in the window; 100 is the actual size. */
  readonly zoomPercent: number;
}

/**
 * Where the window was, if the file says so and a screen still shows that place, else the default size; and how far it
 * was enlarged. What is no file of ours is set aside.
 */
export function loadWindowState(
  path: string,
  screens: readonly Rectangle[],
  notice: (line: string) => void,
): WindowState {
  const json = readJson(path, notice);
  const stored = toRectangle(json);
  const isShown = stored !== undefined && screens.some((screen) => isReachable(stored, screen));
  return { bounds: isShown ? stored : DEFAULT_SIZE, zoomPercent: toZoom(json) };
}

/** Atomic, so that a crash leaves the old place or the new one. Never throws: a lost place is no reason to fail. */
export function saveWindowState(path: string, { x, y, width, height }: Rectangle, zoomPercent: number): void {
  try {
    writeAtomicallySync(path, `${JSON.stringify({ x, y, width, height, zoomPercent })}\n`);
  } catch {
    return; // A full or read-only disk: the window opens at its default place next time.
  }
}

/** The value is checked by hand, because the window waits for this and a library would be loaded before it. */
function toRectangle(value: unknown): Rectangle | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { x, y, width, height } = value as Record<string, unknown>;
  const isWhole = isWithin(x, -MAX_PX, MAX_PX) && isWithin(y, -MAX_PX, MAX_PX);
  const hasSize = isWithin(width, MIN_WIDTH, MAX_PX) && isWithin(height, MIN_HEIGHT, MAX_PX);
  return isWhole && hasSize ? { x, y, width, height } : undefined;
}

const toZoom = (value: unknown): number =>
  zoomOrActualSize(
    typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)['zoomPercent']
      : undefined,
  );

const isWithin = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

function isReachable(window: Rectangle, screen: Rectangle): boolean {
  const overlap = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  const isTitleOnScreen = window.y >= screen.y && window.y <= screen.y + screen.height - REACHABLE_PX;
  return overlap >= REACHABLE_PX && isTitleOnScreen;
}

function readJson(path: string, notice: (line: string) => void): unknown {
  try {
    return JSON.parse(String(readRegularFileSync(path, MAX_BYTES)));
  } catch (error) {
    if (error instanceof UnusableFileError) {
      const aside = setAside(path);
      const kept = aside === undefined ? '' : ` It is kept as ${aside}.`;
      notice(`the window opens at its default place: ${path} cannot be used, ${error.message}.${kept}`);
    }
    return undefined; // Missing or damaged: as if nothing was stored.
  }
}
