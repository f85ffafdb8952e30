import type { ViewStore } from './view-store.ts';

/** Shortest absence worth a note, because after a shorter one people remember what they saw. */
const NOTEWORTHY_MS = 60_000;

export interface AbsenceSource {
  readonly now: () => number;
  /** Whether the window is visible and in front. */
  readonly isPresent: () => boolean;
  readonly onChange: (listener: () => void) => () => void;
}

/** Records when the window was last looked at, once somebody does again. Returns the undo. */
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
