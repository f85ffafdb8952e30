import { useEffect } from 'react';
import type { HistoryState } from '../../shared/history.ts';
import { useServices } from '../services.ts';
import { useTask } from '../use-task.ts';

/** What the history is kept in; undefined until it is known, and while nobody asks. */
export function useHistoryState(isAsked: boolean): HistoryState | undefined {
  const { api } = useServices();
  const { status, run } = useTask<HistoryState>();
  useEffect(() => {
    if (isAsked) void run(() => api.getHistoryState());
  }, [isAsked, run, api]);
  return isAsked && status?.phase === 'done' ? status.value : undefined;
}
