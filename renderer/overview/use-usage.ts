import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import { usePast } from '../charts/use-past.ts';
import { useNow, usePanel, useServices, type Services } from '../services.ts';
import { SlotBook, slotsByPlace, type ColourSlots } from '../charts/colour-slots.ts';
import { HELD_MS, hourQuery, pastHour, type PastHour } from './past-hour.ts';
import { averageByBucket } from './usage-buckets.ts';
import { stackUsage, type UsageStack } from './usage-stack.ts';
import {
  callSeries,
  isByMinute,
  minuteWindow,
  REDRAW_MS,
  restartTicks,
  seriesOf,
  usageWindow,
  watchedMinutes,
} from './usage-window.ts';
import type { UsageKind } from './usage-words.ts';

/** Minutes before the newest of the history that it may not have told in full. */
const UNSETTLED_MINUTES = 1;

export interface Usage {
  readonly stacks: Readonly<Record<UsageKind, UsageStack>>;
  /** Colour by server, the same in all stacks. */
  readonly slots: ColourSlots;
  /** Places of restarts on the time axis, from 0 to 1. */
  readonly restarts: readonly number[];
  readonly spanMs: number;
}

/** What all servers used over the last hour, made anew every few seconds. */
export function useUsage(): Usage {
  const services = useServices();
  useHourOfCalls(services);
  const names = usePanel((state) => state.names);
  const past = usePastHour(services, names);
  const drawnAt = useNow((now) => Math.floor(now / REDRAW_MS) * REDRAW_MS);
  // The first curves come with the first answer, so that nobody waits for them.
  const hasPast = useStore(services.history.state, ({ fills }) => fills.size > 0);
  const calls = useStore(services.calls.state);
  const [book] = useState(() => new SlotBook());
  return useMemo(() => {
    void hasPast;
    const { history, panel } = services;
    const oldest = [
      ...names.flatMap((name) => history.oldestAt(name) ?? []),
      ...(past?.oldestAt === undefined ? [] : [past.oldestAt]),
    ];
    const window = usageWindow(oldest.length === 0 ? undefined : Math.min(...oldest), drawnAt);
    const byMinute = isByMinute(window) ? past : undefined;
    // What the history has settled is not added up once more.
    const unsettled = byMinute === undefined ? -Infinity : byMinute.newest - UNSETTLED_MINUTES;
    const from = Math.max(window.first, unsettled) * window.bucketMs;
    const buckets = names.map((name) => ({
      name,
      own: averageByBucket(history.since(name, from), window.bucketMs),
    }));
    const stackOf = (figure: 'memoryBytes' | 'cpuPercent') =>
      stackUsage(
        buckets.map(({ name, own }) => seriesOf(name, own, byMinute?.of(name, figure), figure, window)),
        window.steps,
      );
    const memory = stackOf('memoryBytes');
    const { events, servers } = panel.getState();
    const minutes = minuteWindow(window, drawnAt);
    const watched = watchedMinutes(memory.isKnown, window, minutes);
    const stacks = {
      memory,
      cpu: stackOf('cpuPercent'),
      calls: stackUsage(
        names.map((name) =>
          callSeries(name, calls.get(name) ?? [], minutes, watched, servers.get(name)?.recentCalls?.calls),
        ),
        minutes.steps,
      ),
    };
    const slots = book.assign(Object.values(stacks).map(serversOf), slotsByPlace(names));
    const restarts = restartTicks(events, window);
    return { stacks, slots, restarts, spanMs: window.spanMs };
  }, [services, names, past, drawnAt, hasPast, calls, book]);
}

const serversOf = ({ bands }: UsageStack): readonly string[] => bands.flatMap(({ server }) => server ?? []);

/** The minutes before the samples that are here; undefined until they are known. */
function usePastHour({ past }: Services, names: readonly string[]): PastHour | undefined {
  const askedAt = useNow((now) => Math.floor(now / HELD_MS) * HELD_MS);
  const query = useMemo(() => (names.length === 0 ? undefined : hourQuery(names, askedAt)), [names, askedAt]);
  const { reply } = usePast(past.series, query, 'overview');
  return useMemo(() => reply && pastHour(reply), [reply]);
}

/** Keeps the calls of the last hour known, from the first second after the view is there. */
function useHourOfCalls({ clock, panel, calls }: Services): void {
  useEffect(
    () =>
      clock.subscribe(() => {
        const { names, servers } = panel.getState();
        calls.refresh(
          names.map((name) => ({ name, isCalled: (servers.get(name)?.recentCalls?.calls ?? 0) > 0 })),
        );
      }),
    [clock, panel, calls],
  );
}
