import { useEffect, useMemo } from 'react';
import type { CallUsageQuery } from '../../shared/call-usage.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import { KEPT_MS } from '../../shared/retention.ts';
import { usePast } from '../charts/use-past.ts';
import { useCallsOfEach } from '../overview/use-usage.ts';
import { useNow, usePanel, useServices } from '../services.ts';
import { calledServers, UNUSED_DAYS } from '../store/called.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST_STARTS = 1000;

/** Reads how each server was called lately, for the rows and their order. */
export function useCalled(): void {
  const services = useServices();
  const { past } = services;
  const names = usePanel((state) => state.names);
  const hourOf = useCallsOfEach(services, names);
  // The hour that goes on is left out, because an answer about the past alone is read once.
  const to = useNow((now) => Math.floor(now / HOUR_MS) * HOUR_MS);
  const usage = useMemo((): CallUsageQuery => ({ from: to - KEPT_MS, to, by: 'server' }), [to]);
  const { reply: used } = usePast(past.callUsage, usage, '');
  const day = Math.floor(to / DAY_MS) * DAY_MS;
  const before = useMemo(
    (): PastEventsQuery => ({
      ...{ from: day - KEPT_MS, to: day - UNUSED_DAYS * DAY_MS },
      ...{ kinds: ['started'], limit: MOST_STARTS },
    }),
    [day],
  );
  const { reply: started } = usePast(past.events, before, '');
  useEffect(() => {
    const sources = { names, rows: used?.rows, starts: started?.events, hourOf };
    past.called.setState(calledServers(sources), true);
  }, [past, names, used, started, hourOf]);
}
