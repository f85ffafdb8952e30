import type { ViewStore } from './view-store.ts';

/** Away for less than this, one remembers how it looked. */
const NOTEWORTHY_MS = 60_000;

export interface AbsenceSource {
  readonly now: () => number;
  /** Visible and in front. */
  readonly isPresent: () => boolean;
  readonly onChange: (listener: () => void) => () => void;
}

/** Notes since when nobody looked at the window, once somebody does again. Returns the undo. */
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
