import type { ElectronApplication } from 'playwright-core';
import type { CallSeriesQuery, PastEventsQuery, SeriesQuery } from '../../../shared/history.ts';

/**
 * Lets the app answer questions about the past with 90 days of one server that were made up: memory that grows until a restart
 * every seven hours, work during the day, a panel that rests every other night, and a limit that was raised three days ago.
 * It is always past noon there, so that what is shown does not hang on the time of day. The calls of the page and their checks
 * stay those of the app.
 */
export async function makeUpPast({ app }: { readonly app: ElectronApplication }): Promise<void> {
  // Sent to the main process as text, so that everything it needs stands inside.
  await app.evaluate(({ ipcMain }) => {
    const MINUTE = 60_000;
    const HOUR = 60 * MINUTE;
    const DAY = 24 * HOUR;
    const MIB = 2 ** 20;
    const steps = [1000, 5000, 10_000, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY];
    const now = Date.now();
    const wave = (at: number, lengthMs: number) => Math.sin((at / lengthMs) * 2 * Math.PI);
    const noise = (at: number) => (Math.sin(at / 7919) + Math.sin(at / 104_729) + 2) / 4;
    const noon = Math.floor(now / HOUR) * HOUR;
    const sinceMidnight = (at: number) => at - noon + 12 * HOUR;
    const hourOf = (at: number) => (((sinceMidnight(at) % DAY) + DAY) % DAY) / HOUR;
    const isAway = (at: number) =>
      hourOf(at) >= 4 && hourOf(at) < 8 && Math.floor(sinceMidnight(at) / DAY) % 2 === 0;
    const isBusy = (at: number) => hourOf(at) >= 9 && hourOf(at) < 19;
    /** Time since the last restart, of which the last was at nine. */
    const ageOf = (at: number) => (((at - noon + 3 * HOUR) % (7 * HOUR)) + 7 * HOUR) % (7 * HOUR);
    const figures: Record<string, (at: number) => readonly [number, number, number]> = {
      memoryBytes: (at) => {
        const grown = 180 + (ageOf(at) / (7 * HOUR)) * 620 + 40 * noise(at);
        return [(grown - 30) * MIB, grown * MIB, (grown + 20 + 60 * noise(at * 3)) * MIB];
      },
      cpuPercent: (at) => {
        const load = isBusy(at) ? 14 + 8 * wave(at, 3 * HOUR) + 12 * noise(at) : 1 + noise(at);
        return [load * 0.2, load, load * (1.5 + 2 * noise(at * 5))];
      },
      openFiles: (at) => {
        const open = 24 + Math.round(12 * noise(at) + (isBusy(at) ? 20 : 0));
        return [open - 4, open, open + 9];
      },
      processCount: (at) => [2, isBusy(at) ? 2.6 : 2, isBusy(at) ? 4 : 2],
      rttMs: (at) => [4, 6 + 4 * noise(at), 20 + 40 * noise(at)],
    };
    const bucketsOf = (
      { from, to, maxBuckets }: { from: number; to: number; maxBuckets: number },
      least: number,
    ) => {
      const stepMs = steps.find((step) => step >= least && (to - from) / step <= maxBuckets - 1) ?? DAY;
      const start = Math.floor(from / stepMs) * stepMs;
      const end = Math.min(to, now);
      const count = Math.max(0, Math.ceil((end - start) / stepMs));
      const index = Array.from({ length: count }, (_, number) => number);
      return {
        from: start,
        to,
        stepMs,
        index: index.filter((number) => !isAway(start + (number + 0.5) * stepMs)),
      };
    };
    const hours = (from: number, to: number) => {
      const first = Math.ceil(from / HOUR);
      return Array.from(
        { length: Math.max(0, Math.floor(Math.min(to, now) / HOUR) - first + 1) },
        (_, n) => (first + n) * HOUR,
      );
    };
    const answer = (channel: string, reply: (query: never) => unknown) => {
      ipcMain.removeHandler(`control-panel:${channel}`);
      ipcMain.handle(`control-panel:${channel}`, (_event, ...args: unknown[]) => ({
        ok: true,
        value: reply(args[0] as never),
      }));
    };
    answer('getSeries', (query: SeriesQuery) => {
      const least =
        now - query.from <= HOUR + MINUTE ? 1000 : now - query.from <= 7 * DAY + HOUR ? MINUTE : 15 * MINUTE;
      const { index, ...span } = bucketsOf(query, least);
      const absences: { from: number; to: number }[] = [];
      for (const at of hours(query.from, query.to)) {
        if (!isAway(at)) continue;
        const last = absences.at(-1);
        if (last?.to === at) last.to = at + HOUR;
        else absences.push({ from: at, to: at + HOUR });
      }
      const totalOf = (server: string | null, metric: string) => {
        const all = index.map((number) => figures[metric]!(span.from + (number + 0.5) * span.stepMs));
        const times = server === null ? query.servers.length : 1;
        const average = (all.reduce((sum, [, avg]) => sum + avg, 0) / Math.max(1, all.length)) * times;
        return { server, metric, average, peak: Math.max(0, ...all.map(([, , max]) => max)) * times };
      };
      return {
        ...span,
        totals: query.metrics.flatMap((metric) => [
          ...query.servers.map((server) => ({
            ...totalOf(server, metric),
            whileRunning: totalOf(server, metric).average,
          })),
          totalOf(null, metric),
        ]),
        resolution: least === 1000 ? 'sample' : least === MINUTE ? 'minute' : 'quarter-hour',
        absences,
        limits: query.servers.flatMap((server) =>
          [
            { at: now - 200 * DAY, mib: 512 },
            { at: now - 3 * DAY, mib: 1024 },
          ].map(({ at, mib }) => ({
            server,
            from: at,
            maxMemoryMiB: mib,
            maxCpuPercent: 80,
            maxOpenFiles: 1000,
          })),
        ),
        series: query.servers.flatMap((server) =>
          query.metrics.map((metric) => {
            const all = index.map((number) => figures[metric]!(span.from + (number + 0.5) * span.stepMs));
            return {
              ...{ server, metric, index },
              min: all.map(([min]) => min),
              avg: all.map(([, avg]) => avg),
              max: all.map(([, , max]) => max),
            };
          }),
        ),
      };
    });
    answer('getCallSeries', (query: CallSeriesQuery) => {
      const { index, ...span } = bucketsOf(query, MINUTE);
      const buckets = index.flatMap((number) => {
        const at = span.from + (number + 0.5) * span.stepMs;
        if (!isBusy(at)) return [];
        const calls = Math.round((span.stepMs / MINUTE) * (4 + 10 * noise(at)));
        return [
          {
            index: number,
            calls,
            errors: noise(at * 11) > 0.93 ? 3 : 0,
            averageMs: 40 + 80 * noise(at),
            maxMs: 300 + 900 * noise(at * 2),
          },
        ];
      });
      const servers = query.eachOf?.map((server) => ({ server, buckets }));
      return { ...span, buckets, ...(servers && { servers }) };
    });
    answer('getPastEvents', ({ from, to, server, limit }: PastEventsQuery) => {
      if (server === null) return { events: [], hasMore: false, total: 0 };
      const restarts = hours(from, to).filter((at) => ageOf(at) === 0 && !isAway(at));
      const events = restarts.flatMap((at) => [
        {
          id: `${at}-1`,
          at,
          server,
          kind: 'crashed',
          detail: { exitCode: 1, reason: 'out of memory', lastStderrLine: 'FATAL ERROR: heap out of memory' },
        },
        {
          id: `${at}-2`,
          at: at + 1,
          server,
          kind: 'restart-scheduled',
          detail: { delayMs: 0, attempt: 1, maxAttempts: 3 },
        },
        { id: `${at}-3`, at: at + 900, server, kind: 'restarted', detail: { generation: 2 } },
      ]);
      return { events: events.slice(-limit), hasMore: events.length > limit, total: events.length };
    });
    answer('getHistoryState', () => ({ keptIn: 'file', oldestAt: now - 90 * DAY }));
  });
}
