import type { ServerView } from '../../../shared/domain.ts';
import { historyMetrics, type HistoryMetric, type SeriesReply } from '../../../shared/history.ts';

const MEBI = 1024 * 1024;
const wordsOf: Readonly<Record<HistoryMetric, (value: number) => string>> = {
  memoryBytes: (bytes) => `${(bytes / MEBI).toFixed(1)} MiB`,
  cpuPercent: (percent) => `${percent.toFixed(1)} %`,
  openFiles: (count) => `${Math.round(count)}`,
  processCount: (count) => `${Math.round(count)}`,
  rttMs: (ms) => `${ms.toFixed(1)} ms`,
};

/** Returns the state of a server and its figures, of the last sample and of the 24 hours that begin at `dayFrom`, as lines. */
export function figureLines(view: ServerView, past: SeriesReply, dayFrom: number): readonly string[] {
  const { name, state, health, generation, restartsTotal, sample, limits, lastError } = view;
  const since = new Date(state.since).toISOString();
  const why = state.reason === undefined ? '' : `: ${state.reason}`;
  return [
    `${name}: ${state.kind} since ${since}${why}`,
    `  generation ${generation}, ${restartsTotal} restarts since the panel started, health ${health ?? 'not known'}`,
    `  limits: ${limits.maxMemoryMiB} MiB, ${limits.maxCpuPercent} % CPU, ${limits.maxOpenFiles} open files`,
    ...(lastError === undefined ? [] : [`  last error: ${lastError.code} ${lastError.message}`]),
    ...historyMetrics.flatMap((metric) => {
      const now = sample?.[metric];
      const words = pastWords(metric, withinDay(name, metric, past, dayFrom));
      if (now === undefined && words === '') return [];
      return [`  ${metric}: ${now === undefined ? 'no sample now' : `now ${wordsOf[metric](now)}`}${words}`];
    }),
  ];
}

interface Range {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

/** Merges all buckets from `dayFrom` on, with equal weight. A reply's first bucket may begin earlier and is then left out. */
function withinDay(
  server: string,
  metric: HistoryMetric,
  { from, stepMs, series }: SeriesReply,
  dayFrom: number,
): Range | undefined {
  const one = series.find((each) => each.server === server && each.metric === metric);
  if (one === undefined) return undefined;
  const within = (values: readonly number[]) =>
    values.filter((_, place) => from + one.index[place]! * stepMs >= dayFrom);
  const means = within(one.avg);
  if (means.length === 0) return undefined;
  return {
    least: Math.min(...within(one.min)),
    mean: means.reduce((sum, mean) => sum + mean, 0) / means.length,
    most: Math.max(...within(one.max)),
  };
}

function pastWords(metric: HistoryMetric, range: Range | undefined): string {
  if (range === undefined) return '';
  const words = wordsOf[metric];
  return `; 24 h: least ${words(range.least)}, mean ${words(range.mean)}, most ${words(range.most)}`;
}
