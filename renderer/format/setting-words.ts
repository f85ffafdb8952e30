import type { ChoicePath, NumberPath } from '../../shared/bounds.ts';
import type { EventDetail } from '../../shared/events.ts';
import { formatOpenFilesLimit, openFilesWords } from './open-files.ts';
import { formatSpan } from './durations.ts';
import { formatCount, formatCpu, formatMemory, trimZeros } from './figures.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Names of the supervision settings in running text. */
const names: Readonly<Record<NumberPath | ChoicePath, string>> = {
  autoStart: 'start with the panel',
  sleepAfterMs: 'asleep when unused for',
  startTimeoutMs: 'silence allowed at start',
  startMaxMs: 'time to start',
  stopGraceMs: 'time to end',
  killGraceMs: 'time to end after the signal',
  'health.probeIntervalMs': 'asked after silence of',
  'health.stallThresholdMs': 'not responding after',
  'health.workAllowanceMs': 'not responding while it computes after',
  'health.onStall': 'when it does not respond',
  'health.onSuspect': 'when it falls silent during a call',
  'health.heartbeatLogs': 'log messages as activity',
  'health.check.everyMs': 'own health check every',
  'health.check.onFail': 'when its own health check fails',
  'calls.timeoutMs': 'call without progress',
  'calls.maxTotalMs': 'longest call',
  'restart.enabled': 'restart after a crash',
  'restart.maxRestartAttempts': 'restarts in a row',
  'restart.maxPerHour': 'restarts per hour',
  'restart.initialBackoffMs': 'first delay of restarts',
  'restart.maxBackoffMs': 'longest delay of restarts',
  'restart.stableAfterMs': 'stable after',
  'restart.slowRetryMs': 'tried again after giving up, after',
  'limits.maxMemoryMiB': 'memory limit',
  'limits.maxCpuPercent': 'CPU warning',
  'limits.maxOpenFiles': openFilesWords.limit,
  'limits.sustainedSamples': 'seconds over a limit',
  'limits.onBreach': 'over a limit',
  'caps.memoryMiB': 'memory cap',
  'caps.cpuCores': 'CPU cap',
  'approval.ask': 'asked before a call',
  'sessions.mode': 'sharing between clients',
  'sessions.maxSessions': 'most sessions',
  'sessions.idleTimeoutMs': 'sessions end when unused for',
};

/** Returns the name of the setting for a field of an entry, such as `panel.limits.maxMemoryMiB`; undefined if there is none. */
export function settingName(field: string): string | undefined {
  const path = field.replace(/^panel\./, '');
  return path !== field && Object.hasOwn(names, path) ? names[path as keyof typeof names] : undefined;
}

/** Returns the text for a changed setting, such as "memory limit 1 GiB → 1.5 GiB". Undefined if the field is not a setting. */
export function settingWords({ field, from, to }: SettingChange): string | undefined {
  const name = field === undefined ? undefined : settingName(field);
  if (field === undefined || name === undefined) return undefined;
  return `${name} ${formatSetting(field, from)} → ${formatSetting(field, to)}`;
}

type SettingChange = NonNullable<EventDetail<'config-changed'>['settings']>[number];

/** Texts for choices whose raw values would be unclear to the user. */
const choices: Readonly<Record<string, string>> = {
  true: 'yes',
  false: 'no',
  restart: 'restart it',
  stop: 'stop it',
  notify: 'only report it',
  auto: 'automatic',
};

function formatSetting(field: string, value: unknown): string {
  if (typeof value !== 'number') return ownValue(choices, String(value)) ?? String(value);
  if (field.endsWith('MiB')) return trimZeros(formatMemory(value * BYTES_PER_MIB));
  if (field.endsWith('maxOpenFiles')) return formatOpenFilesLimit(value);
  if (field.endsWith('Percent')) return formatCpu(value);
  return field.endsWith('Ms') ? formatSpan(value) : formatCount(value);
}
