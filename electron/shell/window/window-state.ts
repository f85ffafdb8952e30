import type { Rectangle } from 'electron';
import { readRegularFileSync, UnusableFileError } from '../../core/files/regular-file.ts';
import { setAside } from '../../core/files/edited-file.ts';
import { writeAtomicallySync } from '../../core/files/write-atomically.ts';
import { ownValue } from '../../../shared/own-value.ts';
import type { ZoomStep } from '../../../shared/app-commands.ts';

export const MIN_WIDTH = 900;
export const MIN_HEIGHT = 600;
const DEFAULT_SIZE = { width: 1280, height: 800 };
const MAX_PX = 100_000;
/** Maximum bytes of a file that is read; the app's own file has less than a hundred. */
const MAX_BYTES = 64 * 1024;

/** Position and size of the window. Without a position the system chooses one. */
type WindowBounds = Rectangle | { readonly width: number; readonly height: number };

interface WindowState {
  readonly bounds: WindowBounds;
  /** Zoom of the window in percent; 100 is the actual size. */
  readonly zoomPercent: number;
  /** Whether the user was informed that the panel runs without its window. */
  readonly isToldOfTray: boolean;
}

interface SavedWindow extends Omit<WindowState, 'bounds'> {
  readonly bounds: Rectangle;
}

/**
 * Loads the stored window state. A window that is no longer sufficiently visible is moved onto a screen. If no screen shows any
 * part of the window, or nothing is stored, the window gets the default size. A file that cannot be the app's own, because it
 * is too large or not a regular file, is renamed and kept.
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

/** Saves atomically: after a crash, the file has the old or the new state. Never throws, because losing the state is harmless. */
export function saveWindowState(path: string, { bounds, zoomPercent, isToldOfTray }: SavedWindow): void {
  const { x, y, width, height } = bounds;
  const kept = { x, y, width, height, zoomPercent, ...(isToldOfTray && { isToldOfTray }) };
  try {
    writeAtomicallySync(path, `${JSON.stringify(kept)}\n`);
  } catch {
    return; // If the disk is full or read-only, the window opens at its default position next time.
  }
}

/** Validates the bounds without a library, because the app window waits for them and a library would have to be loaded first. */
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
    return undefined; // A missing or damaged file counts as empty.
  }
}

/** Height of the title bar as desktops draw it. Users move a window by its title bar. */
const TITLE_BAR_PX = 32;
/** Share of a window, and of its title bar's width, that must be visible so that the stored bounds are kept. */
const ENOUGH = 0.8;

/**
 * Returns the position for a window with stored bounds. They are kept if the screens show the title bar and 80 % of the window.
 * Otherwise the window is moved completely onto the screen that shows most of it, and shrunk to fit. Returns undefined if no
 * screen shows any of it.
 * @param screens work areas, without the panels of the desktop
 */
export function placeOnScreens(window: Rectangle, screens: readonly Rectangle[]): Rectangle | undefined {
  const titleBar = { ...window, height: TITLE_BAR_PX };
  const isTitleShown = screens.some(
    (screen) => isWithinHeight(titleBar, screen) && overlapPx(titleBar, screen) > 0,
  );
  const isEnough =
    isTitleShown && shownShare(window, screens) >= ENOUGH && shownShare(titleBar, screens) >= ENOUGH;
  return isEnough ? window : moveOnto(window, screenOf(window, screens));
}

function screenOf(window: Rectangle, screens: readonly Rectangle[]): Rectangle | undefined {
  const shown = screens.filter((screen) => overlapPx(window, screen) > 0);
  return shown.toSorted((one, other) => overlapPx(window, other) - overlapPx(window, one))[0];
}

function moveOnto(window: Rectangle, screen: Rectangle | undefined): Rectangle | undefined {
  if (screen === undefined) return undefined;
  const width = Math.min(window.width, screen.width);
  const height = Math.min(window.height, screen.height);
  return {
    x: within(window.x, screen.x, screen.x + screen.width - width),
    y: within(window.y, screen.y, screen.y + screen.height - height),
    width,
    height,
  };
}

/** Returns the share of a rectangle that is visible on all screens together. At most 1, although mirrored screens count twice. */
function shownShare(part: Rectangle, screens: readonly Rectangle[]): number {
  const shownPx = screens.reduce((sum, screen) => sum + overlapPx(part, screen), 0);
  return Math.min(1, shownPx / (part.width * part.height));
}

function overlapPx(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

const isWithinHeight = (part: Rectangle, screen: Rectangle): boolean =>
  part.y >= screen.y && part.y + part.height <= screen.y + screen.height;

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** Zoom levels of the whole window, in percent. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

export const ACTUAL_SIZE_PERCENT = 100;

/** Returns the zoom level after a step from `percent`; the lowest and the highest level are not exceeded. */
export function zoomAfter(percent: number, step: ZoomStep): number {
  if (step === 'reset') return ACTUAL_SIZE_PERCENT;
  const next = step === 'in' ? STEPS.find((one) => one > percent) : STEPS.findLast((one) => one < percent);
  return next ?? percent;
}

/** Returns the stored level if it is valid, because a file may contain anything. */
const zoomOrActualSize = (value: unknown): number =>
  STEPS.find((one) => one === value) ?? ACTUAL_SIZE_PERCENT;
