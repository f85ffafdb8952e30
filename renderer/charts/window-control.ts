import type { TimeWindow } from './downsample.ts';

/** What may be done with the time that a stack shows. */
export interface WindowControl {
  /** Keeps the window where it is for a while. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Whether it stands still, or was live before in another length. */
  readonly isZoomed: boolean;
  readonly zoom: (window: TimeWindow) => void;
  readonly zoomOut: () => void;
  /** Shows what was shown before. */
  readonly back: () => void;
  /** Follows the time, with the last while of a length; of the last length without one. */
  readonly followTime: (spanMs?: number) => void;
  readonly step: (direction: 'earlier' | 'later') => void;
}
