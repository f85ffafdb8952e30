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

/** State and figures of a server, of its last sample and of the time that the series cover. */
export function figureLines(view: ServerView, { series }: Pick<SeriesReply, 'series'>): readonly string[] {
  const { name, state, health, generation, restartsTotal, sample, limits, lastError } = view;
  const since = new Date(state.since).toISOString();
  const why = state.reason === undefined ? '' : `: ${state.reason}`;
  return [
    `${name}: ${state.kind} since ${since}${why}`,
    `  generation ${generation}, ${restartsTotal} restarts, health ${health ?? 'not known'}`,
    `  limits: ${limits.maxMemoryMiB} MiB, ${limits.maxCpuPercent} % CPU, ${limits.maxOpenFiles} open files`,
    ...(lastError === undefined ? [] : [`  last error: ${lastError.code} ${lastError.message}`]),
    ...historyMetrics.flatMap((metric) => {
      const now = sample?.[metric];
      const past = series.find((one) => one.server === name && one.metric === metric);
      if (now === undefined && !past?.avg.length) return [];
      return [
        `  ${metric}: ${now === undefined ? 'no sample now' : `now ${wordsOf[metric](now)}`}${pastWords(metric, past)}`,
      ];
    }),
  ];
}

function pastWords(metric: HistoryMetric, past: SeriesReply['series'][number] | undefined): string {
  const [min, avg, max] = [past?.min[0], past?.avg[0], past?.max[0]];
  if (min === undefined || avg === undefined || max === undefined) return '';
  const words = wordsOf[metric];
  return `; 24 h: least ${words(min)}, mean ${words(avg)}, most ${words(max)}`;
}
