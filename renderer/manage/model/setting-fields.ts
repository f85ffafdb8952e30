import type { NumberField, SettingField, SettingGroup } from './setting-field.ts';

const DAY_MS = 86_400_000;
const TEN_MINUTES_MS = 600_000;

const seconds = (
  path: string,
  label: string,
  defaultMs: number,
  max = DAY_MS,
  hint?: string,
): NumberField => ({
  kind: 'number',
  path,
  label,
  unit: 's',
  factor: 1000,
  default: defaultMs,
  min: 1,
  max,
  isWhole: true,
  ...(hint !== undefined && { hint }),
});

const amount = (
  path: string,
  label: string,
  unit: string,
  value: number,
  [min, max]: readonly [number, number],
  isWhole = true,
): NumberField => ({ kind: 'number', path, label, unit, factor: 1, default: value, min, max, isWhole });

/**
 * Every supervision setting that the form offers. Defaults and bounds repeat those of the schema, which would bring its library
 * into the page; a test holds the two together.
 */
export const settingGroups: readonly SettingGroup[] = [
  {
    id: 'limits',
    title: 'Limits',
    fields: [
      amount('limits.maxMemoryMiB', 'Memory', 'MiB', 1024, [1, 16_777_216], false),
      amount('limits.maxCpuPercent', 'CPU', '% of a core', 80, [1, 100_000], false),
      amount('limits.maxOpenFiles', 'Open files', 'files', 1000, [1, 10_000_000]),
      amount('limits.sustainedSamples', 'Acts after', 'seconds over', 3, [1, 3600]),
      {
        kind: 'choice',
        path: 'limits.onBreach',
        label: 'Over a limit',
        default: 'restart',
        choices: [
          { value: 'restart', label: 'Restart it' },
          { value: 'stop', label: 'Stop it' },
          { value: 'notify', label: 'Only report it' },
        ],
      },
    ],
  },
  {
    id: 'restart',
    title: 'Restarts',
    fields: [
      {
        kind: 'choice',
        path: 'restart.enabled',
        label: 'After a crash',
        default: true,
        choices: [
          { value: true, label: 'Restart it' },
          { value: false, label: 'Leave it down' },
        ],
      },
      amount('restart.maxRestartAttempts', 'Attempts in a row', 'restarts', 3, [1, 1000]),
      amount('restart.maxPerHour', 'At most per hour', 'restarts', 10, [1, 1000]),
      seconds('restart.initialBackoffMs', 'First delay', 1000),
      seconds('restart.maxBackoffMs', 'Longest delay', 60_000),
      seconds('restart.stableAfterMs', 'Stable after', 60_000, DAY_MS, 'Attempts then start from zero.'),
      seconds('restart.slowRetryMs', 'After giving up, again after', 300_000, 7 * DAY_MS),
    ],
  },
  {
    id: 'health',
    title: 'Health',
    fields: [
      seconds('health.probeIntervalMs', 'Asks after silence of', 10_000),
      seconds('health.stallThresholdMs', 'Not responding after', 30_000),
      seconds(
        'health.workAllowanceMs',
        'While it computes, after',
        300_000,
        DAY_MS,
        'It may be loading something, and answer nothing meanwhile.',
      ),
      {
        kind: 'choice',
        path: 'health.onStall',
        label: 'When it does not respond',
        default: 'restart',
        choices: [
          { value: 'restart', label: 'Restart it' },
          { value: 'notify', label: 'Only report it' },
        ],
      },
      {
        kind: 'choice',
        path: 'health.onSuspect',
        label: 'When it falls silent during a call',
        default: 'notify',
        choices: [
          { value: 'notify', label: 'Only report it' },
          { value: 'restart', label: 'Restart it' },
        ],
      },
      {
        kind: 'choice',
        path: 'health.heartbeatLogs',
        label: 'Log messages as a sign of life',
        default: 'auto',
        choices: [
          { value: 'auto', label: 'Automatic' },
          { value: true, label: 'Yes' },
          { value: false, label: 'No' },
        ],
      },
    ],
  },
  {
    id: 'start',
    title: 'Start and stop',
    fields: [
      seconds('startTimeoutMs', 'Start may be silent for', 60_000),
      seconds('startMaxMs', 'Start may take', TEN_MINUTES_MS),
      seconds('stopGraceMs', 'Waits for it to end', 5000, TEN_MINUTES_MS),
      seconds('killGraceMs', 'Then, after the signal', 5000, TEN_MINUTES_MS),
    ],
  },
  {
    id: 'calls',
    title: 'Calls',
    fields: [
      seconds('calls.timeoutMs', 'Without progress', 300_000),
      seconds('calls.maxTotalMs', 'At most', 3_600_000, 7 * DAY_MS),
    ],
  },
  {
    id: 'sessions',
    title: 'Sessions',
    fields: [
      {
        kind: 'choice',
        path: 'sessions.mode',
        label: 'Between clients',
        default: 'auto',
        choices: [
          { value: 'auto', label: 'Automatic' },
          { value: 'shared', label: 'Shared' },
          { value: 'exclusive', label: 'One process each' },
        ],
      },
      amount('sessions.maxSessions', 'At most', 'sessions', 10, [1, 1000]),
      seconds('sessions.idleTimeoutMs', 'Ends when unused for', 400_000, 7 * DAY_MS),
    ],
  },
];

export const settingFields: readonly SettingField[] = settingGroups.flatMap(({ fields }) => fields);
