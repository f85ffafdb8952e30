import type { ServerView } from '../../shared/domain.ts';
import { callMeanings, formatCallRate, recentCallsOf } from '../format/call-figures.ts';
import { addUp } from '../../shared/server-totals.ts';
import { inRam } from '../format/totals.ts';
import { figureMeanings, formatCount, formatCpu, formatMemory, trimZeros } from '../format/figures.ts';

/** Figure that a tile is about. */
export type UsageKind = 'memory' | 'cpu' | 'calls';

interface UsageMeaning {
  readonly title: string;
  readonly meaning: string;
  /** Figure of one server now. */
  readonly of: (server: ServerView) => number | undefined;
  readonly format: (figure: number | undefined) => string;
  /** Least top of the scale. */
  readonly leastTop: number;
}

export const usageMeanings: Readonly<Record<UsageKind, UsageMeaning>> = {
  memory: {
    title: 'Memory',
    meaning: figureMeanings.memory,
    of: ({ sample }) => sample?.memoryBytes,
    format: (figure) => trimZeros(formatMemory(figure)),
    leastTop: 1,
  },
  cpu: {
    title: 'CPU',
    meaning: figureMeanings.cpu,
    of: ({ sample }) => sample?.cpuPercent,
    format: formatCpu,
    // Least top is a tenth of a core: what stays below is noise and is drawn flat.
    leastTop: 10,
  },
  calls: {
    title: 'Calls',
    meaning: callMeanings.calls,
    of: (server) => recentCallsOf(server)?.calls,
    format: formatCallRate,
    leastTop: 4,
  },
};

/** Figure of all servers now, which is the sum of theirs; undefined while none has one. */
export const totalOf = (kind: UsageKind, servers: readonly ServerView[]): number | undefined =>
  servers.reduce<number | undefined>((total, server) => {
    const figure = usageMeanings[kind].of(server);
    return figure === undefined ? total : (total ?? 0) + figure;
  }, undefined);

/** Entry of a legend. */
export interface LegendEntry {
  /** Name of the server; undefined for the others. */
  readonly server: string | undefined;
  readonly words: string;
  readonly figure: string;
}

/** Entries for the bands of a stack, with the figures of now. */
export function legendOf(
  kind: UsageKind,
  bands: readonly (string | undefined)[],
  servers: ReadonlyMap<string, ServerView>,
): readonly LegendEntry[] {
  const { of, format } = usageMeanings[kind];
  const others = [...servers.values()].filter(({ name }) => !bands.includes(name));
  return bands.map((server) => {
    if (server === undefined)
      return {
        server,
        words: `${formatCount(others.length)} others`,
        figure: format(totalOf(kind, others)),
      };
    const view = servers.get(server);
    return { server, words: server, figure: format(view === undefined ? undefined : of(view)) };
  });
}

/** What stands beside the total: about as much memory as all take together. */
export const besideTotal = (kind: UsageKind, servers: readonly ServerView[]): string | undefined =>
  kind === 'memory' ? inRam(addUp(servers)) : undefined;

/** Tile in words, for who does not see it: "Memory of all servers 1.2 GiB (≈ 0.9 GiB in RAM, …): browser 242 MiB, …". */
export function describeUsage(
  kind: UsageKind,
  { total, beside }: { readonly total: string; readonly beside: string | undefined },
  legend: readonly LegendEntry[],
): string {
  const parts = legend.map(({ words, figure }) => `${words} ${figure}`).join(', ');
  const whole = beside === undefined ? total : `${total} (${beside})`;
  return `${usageMeanings[kind].title} of all servers ${whole}${parts === '' ? '' : `: ${parts}`}`;
}
