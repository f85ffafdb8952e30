import type { Clock } from '../../core/clock.ts';
import { holdsWithin } from '../../core/wait.ts';

/** Maximum milliseconds to wait for a tray, because at login the desktop's panel often starts after other programs. */
const TRAY_LIMIT_MS = 15_000;
const TRAY_INTERVAL_MS = 1000;

export interface HiddenStartOptions {
  readonly clock: Clock;
  /** Whether the user could show a hidden window again. */
  readonly canHide: () => Promise<boolean>;
  /** Opens the window minimised, because nothing could show a hidden one. */
  readonly openMinimised: () => void;
}

/** Starts without a window if there is a tray, or one appears within the limit; else with a minimised window. */
export async function startHidden({ clock, canHide, openMinimised }: HiddenStartOptions): Promise<void> {
  const bounds = { limitMs: TRAY_LIMIT_MS, intervalMs: TRAY_INTERVAL_MS };
  if (!(await holdsWithin(clock, canHide, bounds))) openMinimised();
}
