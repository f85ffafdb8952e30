import type { ServerView } from '../../shared/domain.ts';
import { callsFigure, figures, type FigureLook } from '../charts/figures.ts';
import { recentCallsOf } from '../format/call-figures.ts';
import { addUp } from '../../shared/server-totals.ts';
import { inRam } from '../format/totals.ts';
import { formatCount } from '../format/figures.ts';

/** Figure (measured quantity) that a tile of the overview shows. */
export type UsageKind = 'memory' | 'cpu' | 'calls';

export const usageFigures: Readonly<Record<UsageKind, FigureLook>> = {
  memory: figures.memoryBytes,
  cpu: figures.cpuPercent,
  calls: callsFigure,
};

/** Returns the current value of a figure for one server. */
const figureNow = (kind: UsageKind, server: ServerView): number | undefined =>
  kind === 'calls'
    ? recentCallsOf(server)?.calls
    : server.sample?.[kind === 'memory' ? 'memoryBytes' : 'cpuPercent'];

/** Sum of the current values of all servers; undefined if none has a value. */
export const totalOf = (kind: UsageKind, servers: readonly ServerView[]): number | undefined =>
  servers.reduce<number | undefined>((total, server) => {
    const figure = figureNow(kind, server);
    return figure === undefined ? total : (total ?? 0) + figure;
  }, undefined);

/** Entry of a legend. */
interface LegendEntry {
  /** Name of the server; undefined for the band of all other servers. */
  readonly server: string | undefined;
  readonly words: string;
  readonly figure: string;
}

/** Entries for the bands of a stack, with current values. */
export function legendOf(
  kind: UsageKind,
  bands: readonly (string | undefined)[],
  servers: ReadonlyMap<string, ServerView>,
): readonly LegendEntry[] {
  const { short: format } = usageFigures[kind];
  const others = [...servers.values()].filter(({ name }) => !bands.includes(name));
  return bands.map((server) => {
    if (server === undefined)
      return {
        server,
        words: `${formatCount(others.length)} others`,
        figure: format(totalOf(kind, others)),
      };
    const view = servers.get(server);
    return { server, words: server, figure: format(view && figureNow(kind, view)) };
  });
}

/** Text beside the total: approximate memory in RAM of all servers together; undefined if unknown or for another figure. */
export const besideTotal = (kind: UsageKind, servers: readonly ServerView[]): string | undefined =>
  kind === 'memory' ? inRam(addUp(servers)) : undefined;

/** Text of a tile for screen readers: "Memory of all servers 1.2 GiB (≈ 0.9 GiB in RAM, …): browser 242 MiB, …". */
export function describeUsage(
  kind: UsageKind,
  { total, beside }: { readonly total: string; readonly beside: string | undefined },
  legend: readonly LegendEntry[],
): string {
  const parts = legend.map(({ words, figure }) => `${words} ${figure}`).join(', ');
  const whole = beside === undefined ? total : `${total} (${beside})`;
  return `${usageFigures[kind].title} of all servers ${whole}${parts === '' ? '' : `: ${parts}`}`;
}
