export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Height of the title bar as desktops draw it, by which users move a window. */
const TITLE_BAR_PX = 32;
/** Visible share of a window, and of its title bar's width, that is sufficient. */
const ENOUGH = 0.8;

/**
 * Returns the position for a window with stored bounds. They are kept if the screens show the title bar and 80 % of the window.
 * Else it is moved completely onto the screen that shows most of it, and shrunk to fit. Undefined if no screen shows any of it.
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

/** Share of a rectangle that the screens show together, at most 1, because mirrored screens count twice. */
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
