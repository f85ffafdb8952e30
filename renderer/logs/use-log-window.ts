import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import { toReport } from '../control-panel.ts';
import { useServices } from '../services.ts';
import { filterOf, type LogQuery } from '../store/log-query.ts';
import { LogWindow, type LogWindowState } from './log-window.ts';

interface UsedWindow {
  readonly held: LogWindowState;
  readonly log: LogWindow;
}

/** Window of lines for a query, updated while it is shown. */
export function useLogWindow(query: LogQuery): UsedWindow {
  const { api, clock } = useServices();
  const [log] = useState(() => new LogWindow({ ask: api, toReport }));
  // The query is compared as text, because a route creates a new object for the same query.
  const asked = JSON.stringify(query);
  useEffect(() => {
    const { at, ...rest } = JSON.parse(asked) as LogQuery;
    void log.open(filterOf(rest), at === undefined ? undefined : { at });
  }, [log, asked]);
  useEffect(() => {
    const stopTicking = clock.subscribe(() => void log.tick());
    return () => {
      stopTicking();
      log.dispose();
    };
  }, [log, clock]);
  return { held: useStore(log.state), log };
}
