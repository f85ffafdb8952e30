import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import { HISTORY_SPAN_MS } from '../store/sample-series.ts';
import { useNow, usePanel, useServices, type Services } from '../services.ts';
import { SlotBook, type ColourSlots } from './colour-slots.ts';
import { KeptBuckets } from './usage-buckets.ts';
import { stackUsage, type UsageStack } from './usage-stack.ts';
import {
  callSeries,
  minuteWindow,
  REDRAW_MS,
  restartTicks,
  seriesOf,
  usageWindow,
  watchedMinutes,
} from './usage-window.ts';
import type { UsageKind } from './usage-words.ts';

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
  useWholeHour(services);
  const names = usePanel((state) => state.names);
  const drawnAt = useNow((now) => Math.floor(now / REDRAW_MS) * REDRAW_MS);
  // The first curves come with the first answer, so that nobody waits for them.
  const hasPast = useStore(services.history.state, ({ fills }) => Object.keys(fills).length > 0);
  const calls = useStore(services.callHours.state);
  const [kept] = useState(() => new Map<string, KeptBuckets>());
  const [book] = useState(() => new SlotBook());
  return useMemo(() => {
    void hasPast;
    const { history, panel } = services;
    const oldest = names.flatMap((name) => history.oldestAt(name) ?? []);
    const window = usageWindow(oldest.length === 0 ? undefined : Math.min(...oldest), drawnAt);
    const { fills } = history.state.getState();
    const buckets = names.map((name) => {
      const own = kept.get(name) ?? new KeptBuckets();
      kept.set(name, own);
      const read = (from: number) => history.since(name, from);
      return { name, own: own.update(read, fills[name] ?? 0, window.bucketMs, window.first) };
    });
    const stackOf = (figure: 'memoryBytes' | 'cpuPercent') =>
      stackUsage(
        buckets.map(({ name, own }) => seriesOf(name, own, figure, window)),
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
          callSeries(name, calls[name] ?? [], minutes, watched, servers[name]?.recentCalls?.calls),
        ),
        minutes.steps,
      ),
    };
    const slots = book.assign(Object.values(stacks).map(serversOf));
    const restarts = restartTicks(events, window);
    return { stacks, slots, restarts, spanMs: window.spanMs };
  }, [services, names, drawnAt, hasPast, calls, kept, book]);
}

const serversOf = ({ bands }: UsageStack): readonly string[] => bands.flatMap(({ server }) => server ?? []);

/** Servers whose hour is asked for in one second, because the past of a hundred must not hold up the window. */
const ASKED_AT_ONCE = 4;

/** Completes the last hour of all servers, a few a second, from the first second after the view is there. */
function useWholeHour({ clock, panel, filler, callHours }: Services): void {
  useEffect(() => {
    const asked = new Set<string>();
    return clock.subscribe(({ now }) => {
      const { names, servers } = panel.getState();
      for (const name of names.filter((one) => !asked.has(one)).slice(0, ASKED_AT_ONCE)) {
        asked.add(name);
        filler.ensure(name, now - HISTORY_SPAN_MS);
      }
      callHours.refresh(
        names.map((name) => ({ name, isCalled: (servers[name]?.recentCalls?.calls ?? 0) > 0 })),
        now,
      );
    });
  }, [clock, panel, filler, callHours]);
}
