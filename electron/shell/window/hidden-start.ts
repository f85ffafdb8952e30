import type { Clock } from '../../core/clock.ts';
import { holdsWithin } from '../../core/wait.ts';

/** At login the desktop's panel often comes after the programs that are started with it. */
const TRAY_LIMIT_MS = 15_000;
const TRAY_INTERVAL_MS = 1000;

export interface HiddenStartOptions {
  readonly clock: Clock;
  /** True when something on the screen can bring the window. */
  readonly canHide: () => Promise<boolean>;
  /** Nothing can: the window comes minimised. */
  readonly openMinimised: () => void;
}

/** Starts without a window where there is a tray, or one comes within a moment; elsewhere with a minimised one. */
export async function startHidden({ clock, canHide, openMinimised }: HiddenStartOptions): Promise<void> {
  const bounds = { limitMs: TRAY_LIMIT_MS, intervalMs: TRAY_INTERVAL_MS };
  if (!(await holdsWithin(clock, canHide, bounds))) openMinimised();
}
