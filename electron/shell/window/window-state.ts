import { readRegularFileSync, UnusableFileError } from '../../core/files/regular-file.ts';
import { setAside } from '../../core/files/set-aside.ts';
import { writeAtomicallySync } from '../../core/files/write-atomically.ts';
import { zoomOrActualSize } from '../app/zoom.ts';
import { placeOnScreens, type Rectangle } from './window-placement.ts';
import { ownValue } from '../../../shared/own-value.ts';

export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;
const DEFAULT_SIZE = { width: 1280, height: 800 };
const MAX_PX = 100_000;
/** Longest file that is read; ours has less than a hundred bytes. */
const MAX_BYTES = 64 * 1024;

/** Place and size of the window. The system chooses the place where none is given. */
export type WindowBounds = Rectangle | { readonly width: number; readonly height: number };

export interface WindowState {
  readonly bounds: WindowBounds;
  /** Size of everything in the window; 100 is the actual size. */
  readonly zoomPercent: number;
  /** The person was told that the panel goes on without its window. */
  readonly isToldOfTray: boolean;
}

export interface SavedWindow extends Omit<WindowState, 'bounds'> {
  readonly bounds: Rectangle;
}

/**
 * Where the window was, moved onto a screen where it no longer fits, if the file says so and a screen still shows some
 * of that place, else the default size; how far it was enlarged; and what its person knows. What is no file of ours is
 * set aside.
 */
export function loadWindowState(
  path: string,
  screens: readonly Rectangle[],
  notice: (line: string) => void,
): WindowState {
  const json = readJson(path, notice);
  const stored = toRectangle(json);
  return {
    bounds: (stored && placeOnScreens(stored, screens)) ?? DEFAULT_SIZE,
    zoomPercent: zoomOrActualSize(fieldOf(json, 'zoomPercent')),
    isToldOfTray: fieldOf(json, 'isToldOfTray') === true,
  };
}

/** Atomic, so that a crash leaves the old place or the new one. Never throws: a lost place is no reason to fail. */
export function saveWindowState(path: string, { bounds, zoomPercent, isToldOfTray }: SavedWindow): void {
  const { x, y, width, height } = bounds;
  const kept = { x, y, width, height, zoomPercent, ...(isToldOfTray && { isToldOfTray }) };
  try {
    writeAtomicallySync(path, `${JSON.stringify(kept)}\n`);
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

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? ownValue(value, field) : undefined;

const isWithin = (value: unknown, least: number, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

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
