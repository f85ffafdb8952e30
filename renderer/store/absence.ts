import type { ViewStore } from './view-store.ts';

/** Shortest absence from the app window in ms for a note on what happened. After shorter ones, users remember what they saw. */
const NOTEWORTHY_MS = 60_000;

interface AbsenceSource {
  readonly now: () => number;
  /** Whether the app window is visible and in front. */
  readonly isPresent: () => boolean;
  readonly onChange: (listener: () => void) => () => void;
}

/** When the user returns, records the time at which the app window was left. Returns the unsubscribe function. */
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
