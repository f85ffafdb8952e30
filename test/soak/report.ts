import { groupBy } from '../../shared/group-by.ts';
import { growthOf, judgeGrowth, memoryCourse } from './growth.ts';
import { judge, type Finding } from './judge.ts';
import type { SoakOptions } from './options.ts';
import type { SoakRecord } from './record.ts';

const FINDINGS_SHOWN = 40;

export type SoakReport = ReturnType<typeof reportOf>;

/** The record in figures, with what is wrong in it. */
export function reportOf(record: SoakRecord, { seed, minutes, hasWindow }: SoakOptions) {
  const findings = [...judge(record), ...judgeGrowth(record)];
  return {
    seed,
    minutes,
    hasWindow,
    durationMs: record.endedAt - record.startedAt,
    latenessMs: Math.round(record.latenessMs),
    deeds: countBy(record.deeds, ({ kind }) => kind),
    interruptedDeeds: record.deeds.filter(({ isInterrupted }) => isInterrupted).length,
    events: countBy(record.events, ({ kind }) => kind),
    restarts: countBy(
      record.events.filter((event) => event.kind === 'restart-scheduled'),
      ({ detail }) => String(detail.cause),
    ),
    calls: countBy(record.calls, ({ end }) => end),
    wrong: countBy(findings, ({ kind }) => kind),
    findings,
    growth: growthOf(record),
    memory: memoryCourse(record),
    isWithin: findings.length === 0,
  };
}

/** Tables for people; everything else is in the JSON. */
export function printReport(report: SoakReport): void {
  for (const name of ['deeds', 'events', 'restarts', 'calls'] as const) {
    console.log(`\n${name}`);
    console.table(report[name]);
  }
  console.log('\nthe second half, memory in the last quarter');
  console.table(report.growth.map(rowOf));
  if (report.isWithin) console.log('\nnothing was wrong');
  else {
    console.log(`\nwrong: ${report.findings.length}`);
    for (const finding of report.findings.slice(0, FINDINGS_SHOWN)) console.log(lineOf(finding));
    if (report.findings.length > FINDINGS_SHOWN)
      console.log(`… and ${report.findings.length - FINDINGS_SHOWN} more`);
  }
  console.log(`\nrepeat with --seed ${report.seed}`);
}

function rowOf({
  role,
  samples,
  rssMiB,
  rssKiBPerMinute,
  heapKiBPerMinute,
  descriptors,
  timers,
}: SoakReport['growth'][number]) {
  return {
    role,
    samples,
    'memory MiB': Math.round(rssMiB),
    'KiB/min': Math.round(rssKiBPerMinute),
    'live heap KiB/min': heapKiBPerMinute === undefined ? '–' : Math.round(heapKiBPerMinute),
    descriptors: descriptors?.join(' → ') ?? '–',
    timers: timers?.join(' → ') ?? '–',
  };
}

const lineOf = ({ at, kind, words }: Finding) =>
  `  ${at === undefined ? '' : `${new Date(at).toISOString()} `}${kind}: ${words}`;

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Readonly<Record<string, number>> {
  return Object.fromEntries([...groupBy(items, keyOf)].map(([key, list]) => [key, list.length]));
}
