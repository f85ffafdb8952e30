import { DAY_MS, WEEK_MS } from './units.ts';

/**
 * Bounds and defaults of the settings in the `panel` object of a servers.json entry, by path. Schemas and forms are built from
 * them. This file imports no schema library, because the page must not load one.
 */
interface NumberBounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}
const TEN_MINUTES_MS = 600_000;

const upTo = (max: number, byDefault: number): NumberBounds => ({
  default: byDefault,
  min: 1,
  max,
  isWhole: true,
});
const fractionUpTo = (max: number, byDefault: number): NumberBounds => ({
  ...upTo(max, byDefault),
  isWhole: false,
});

export const numberBounds = {
  sleepAfterMs: { ...upTo(4 * WEEK_MS, 0), min: 0 },
  startTimeoutMs: upTo(DAY_MS, 60_000),
  startMaxMs: upTo(DAY_MS, 600_000),
  stopGraceMs: upTo(TEN_MINUTES_MS, 5000),
  killGraceMs: upTo(TEN_MINUTES_MS, 5000),
  'health.probeIntervalMs': upTo(DAY_MS, 10_000),
  'health.stallThresholdMs': upTo(DAY_MS, 30_000),
  'health.workAllowanceMs': upTo(DAY_MS, 300_000),
  'health.check.everyMs': { ...upTo(DAY_MS, 60_000), min: 10_000 },
  'calls.timeoutMs': upTo(DAY_MS, 300_000),
  'calls.maxTotalMs': upTo(WEEK_MS, 3_600_000),
  'restart.maxRestartAttempts': upTo(1000, 3),
  'restart.maxPerHour': upTo(1000, 10),
  'restart.initialBackoffMs': upTo(DAY_MS, 1000),
  'restart.maxBackoffMs': upTo(DAY_MS, 60_000),
  'restart.stableAfterMs': upTo(DAY_MS, 60_000),
  'restart.slowRetryMs': upTo(WEEK_MS, 300_000),
  'limits.maxMemoryMiB': fractionUpTo(16_777_216, 1024),
  'limits.maxCpuPercent': fractionUpTo(100_000, 80),
  'limits.maxOpenFiles': upTo(10_000_000, 1000),
  'limits.sustainedSamples': upTo(3600, 3),
  'caps.memoryMiB': { ...fractionUpTo(16_777_216, 0), min: 0 },
  'caps.cpuCores': { ...fractionUpTo(1024, 0), min: 0 },
  'sessions.maxSessions': upTo(1000, 10),
  'sessions.idleTimeoutMs': upTo(WEEK_MS, 400_000),
} satisfies Readonly<Record<string, NumberBounds>>;
export type NumberPath = keyof typeof numberBounds;

/** Allowed values and the default of each choice. */
export const choiceBounds = {
  autoStart: { values: [true, false], default: true },
  'health.onStall': { values: ['restart', 'notify'], default: 'restart' },
  'health.onSuspect': { values: ['restart', 'notify'], default: 'notify' },
  'health.heartbeatLogs': { values: ['auto', true, false], default: 'auto' },
  'health.check.onFail': { values: ['restart', 'notify'], default: 'notify' },
  'restart.enabled': { values: [true, false], default: true },
  'limits.onBreach': { values: ['restart', 'stop', 'notify'], default: 'restart' },
  'approval.ask': { values: ['never', 'marked', 'all'], default: 'never' },
  'sessions.mode': { values: ['auto', 'shared', 'exclusive'], default: 'auto' },
} as const;
export type ChoicePath = keyof typeof choiceBounds;
export type ChoiceValue<P extends ChoicePath> = (typeof choiceBounds)[P]['values'][number];
