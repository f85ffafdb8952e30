import type { ViewStore } from './view-store.ts';

/**
 * Shortest time in ms without the app window in front that gets a note, because after a shorter time users remember what they
 * saw.
 */
const NOTEWORTHY_MS = 60_000;

interface AbsenceSource {
  readonly now: () => number;
  /** Whether the app window is visible and in front. */
  readonly isPresent: () => boolean;
  readonly onChange: (listener: () => void) => () => void;
}

/** Records, when the user returns to the app window, the instant at which they left it. Returns the unsubscribe function. */
export function watchAbsence(view: ViewStore, source: AbsenceSource): () => void {
  let leftAt = source.isPresent() ? undefined : source.now();
  return source.onChange(() => {
    if (!source.isPresent()) {
      leftAt ??= source.now();
      return;
    }
    if (leftAt !== undefined && source.now() - leftAt >= NOTEWORTHY_MS) view.setState({ awaySince: leftAt });
    leftAt = undefined;
  });
}
