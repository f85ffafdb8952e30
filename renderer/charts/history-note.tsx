import { useEffect } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { PastState } from '../../shared/history.ts';
import { formatDay } from '../format/moments.ts';
import { useNow, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useTask } from '../use-task.ts';
import type { TimeWindow } from './downsample.ts';
import styles from './chart-stack.module.css';

const HOUR_MS = 3_600_000;
/** Milliseconds by which a live time window of the last hour may start too early. */
const LIVE_STEP_MS = 60_000;

interface HistoryNoteProps {
  readonly server: string;
  readonly window: TimeWindow;
  /** Whether the time window has no rows, as far as the page knows. */
  readonly isEmpty: boolean;
  /** Whether the time window begins before the oldest loaded sample. */
  readonly reachesBack: boolean;
  readonly error: ErrorReport | undefined;
  readonly onAgain: () => void;
}

/** Reason why the charts show less than requested: an error, a history kept in memory, or nothing kept of that time. */
export function HistoryNote({ server, window, isEmpty, reachesBack, error, onAgain }: HistoryNoteProps) {
  // A history in memory keeps the last hour as a history in a file does, so only older time windows matter.
  const isLongAgo = useNow((now) => window.from < now - HOUR_MS - LIVE_STEP_MS) && reachesBack;
  const state = useHistoryState(isLongAgo);
  if (error !== undefined) {
    return (
      <div className={styles.failed}>
        <ErrorNote error={error} server={server} lead="The history could not be read" />
        <TextButton onClick={onAgain}>Try again</TextButton>
      </div>
    );
  }
  const words = [
    isEmpty ? emptyWords(window, state?.oldestAt) : undefined,
    state?.keptIn === 'memory' ? memoryWords(state.problem) : undefined,
  ].filter((part) => part !== undefined);
  return words.length === 0 ? null : (
    <p className={styles.note} role="note">
      {words.join(' ')}
    </p>
  );
}

const emptyWords = ({ to }: TimeWindow, oldestAt: number | undefined): string =>
  oldestAt !== undefined && oldestAt >= to
    ? `Nothing is kept of this time: the history begins on ${formatDay(oldestAt)}.`
    : 'Nothing was measured in this time.';

const memoryWords = (problem: string | undefined): string =>
  `Only the last hour of this launch is there, because the history is kept in memory${problem === undefined ? '.' : `: ${problem}`}`;

/** State of the history's storage; undefined until it has loaded, and while `isAsked` is false. */
function useHistoryState(isAsked: boolean): PastState | undefined {
  const { api } = useServices();
  const { status, run } = useTask<PastState>();
  useEffect(() => {
    if (isAsked) void run(() => api.getHistoryState());
  }, [isAsked, run, api]);
  return isAsked && status?.phase === 'done' ? status.value : undefined;
}
