import {
  choiceBounds,
  numberBounds,
  type ChoicePath,
  type ChoiceValue,
  type NumberPath,
} from '../../shared/bounds.ts';
import { isOpenFilesMeasured, openFilesDefault, openFilesWords } from '../format/open-files.ts';
import type { ChoiceField, NumberField, PlainField, SettingField, SettingGroup } from './setting-text.ts';

const seconds = (path: NumberPath, label: string, hint?: string): NumberField => ({
  ...amount(path, label, 's', hint),
  factor: 1000,
});

const amount = (path: NumberPath, label: string, unit: string, hint?: string): NumberField => ({
  kind: 'number',
  path,
  label,
  unit,
  factor: 1,
  ...numberBounds[path],
  ...(hint !== undefined && { hint }),
});

/** @param choices choices in the order in which they are shown */
export function choice<P extends ChoicePath>(
  path: P,
  label: string,
  choices: readonly (readonly [value: ChoiceValue<P>, label: string])[],
): ChoiceField {
  return {
    kind: 'choice',
    path,
    label,
    default: choiceBounds[path].default,
    choices: choices.map(([value, words]) => ({ value, label: words })),
  };
}

const text = (path: string, label: string, hint?: string): PlainField => ({
  ...{ kind: 'text', path, label },
  ...(hint !== undefined && { hint }),
});

/** Limit on open files, labelled with this operating system's own term. Only the largest value means that there is no limit. */
const openFiles: NumberField = {
  ...amount('limits.maxOpenFiles', openFilesWords.title, openFilesWords.unit.replace('open ', '')),
  default: openFilesDefault,
  off: { value: numberBounds['limits.maxOpenFiles'].max, words: 'no limit' },
};

const system = typeof navigator === 'undefined' ? 'Linux' : navigator.platform;
/** Hint that says when the operating system enforces the caps of a server, or why it does not. */
const capHint = system.startsWith('Mac')
  ? 'No effect here: macOS cannot cap programs.'
  : `0 for none.${system.startsWith('Win') ? '' : ' Needs systemd; a notice tells you if it is missing.'}`;

/** All supervision settings of the form. A test checks that the list is complete. */
export const settingGroups: readonly SettingGroup[] = [
  {
    id: 'limits',
    title: 'Limits',
    fields: [
      amount('limits.maxMemoryMiB', 'Memory', 'MiB'),
      ...(isOpenFilesMeasured ? [openFiles] : []),
      amount('limits.sustainedSamples', 'Act after', 'seconds over the limit'),
      choice('limits.onBreach', 'Over a limit', [
        ['restart', 'Restart it'],
        ['stop', 'Stop it'],
        ['notify', 'Only report it'],
      ]),
      // The CPU limit comes after the action on a limit, because that action is never taken if only the CPU limit is exceeded.
      amount(
        'limits.maxCpuPercent',
        'Warn when CPU exceeds',
        '% of a core',
        'It is only reported, because the server may be busy.',
      ),
      { ...amount('caps.memoryMiB', 'Cap on memory', 'MiB', capHint), off: { value: 0, words: 'none' } },
      { ...amount('caps.cpuCores', 'Cap on CPU', 'cores', capHint), off: { value: 0, words: 'none' } },
    ],
  },
  {
    id: 'restart',
    title: 'Restarts',
    fields: [
      choice('restart.enabled', 'After a crash', [
        [true, 'Restart it'],
        [false, 'Leave it down'],
      ]),
      amount('restart.maxRestartAttempts', 'Attempts in a row', 'restarts'),
      amount('restart.maxPerHour', 'At most per hour', 'restarts'),
      seconds('restart.initialBackoffMs', 'First delay'),
      seconds('restart.maxBackoffMs', 'Longest delay'),
      seconds('restart.stableAfterMs', 'Stable after', 'Attempts then start from zero.'),
      seconds('restart.slowRetryMs', 'Retry after giving up'),
    ],
  },
  {
    id: 'health',
    title: 'Health',
    fields: [
      seconds('health.probeIntervalMs', 'Check after silence of'),
      seconds('health.stallThresholdMs', 'Not responding after'),
      seconds(
        'health.workAllowanceMs',
        'Allow when busy',
        'It may be loading something and not answer in the meantime.',
      ),
      choice('health.onStall', 'When it does not respond', [
        ['restart', 'Restart it'],
        ['notify', 'Only report it'],
      ]),
      choice('health.onSuspect', 'When it falls silent during a call', [
        ['notify', 'Only report it'],
        ['restart', 'Restart it'],
      ]),
      choice('health.heartbeatLogs', 'Count log messages as activity', [
        ['auto', 'Automatic'],
        [true, 'Yes'],
        [false, 'No'],
      ]),
    ],
  },
  {
    id: 'check',
    title: 'Own health check',
    fields: [
      text('health.check.tool', 'Tool', 'Called while no other call runs. It does not count as use.'),
      {
        ...text('health.check.arguments', 'Arguments of the tool', 'JSON, such as { "name": "value" }.'),
        isJson: true,
      },
      text('health.check.resource', 'Or a resource', 'Its URI.'),
      seconds('health.check.everyMs', 'Check every'),
      text('health.check.expect', 'Answer contains'),
      choice('health.check.onFail', 'When it fails three times', [
        ['notify', 'Only report it'],
        ['restart', 'Restart it'],
      ]),
    ],
  },
  {
    id: 'start',
    title: 'Start and stop',
    fields: [
      {
        ...seconds(
          'sleepAfterMs',
          'Sleeps when unused for',
          '0 for never. It then forgets what it keeps in memory.',
        ),
        off: { value: 0, words: 'never' },
      },
      seconds('startTimeoutMs', 'Startup timeout (silent)'),
      seconds('startMaxMs', 'Start may take'),
      seconds('stopGraceMs', 'Waits for it to end'),
      seconds('killGraceMs', 'Then, after the signal'),
    ],
  },
  {
    id: 'calls',
    title: 'Calls',
    fields: [
      seconds('calls.timeoutMs', 'Without progress'),
      seconds('calls.maxTotalMs', 'At most'),
      choice('approval.ask', 'Ask me before', [
        ['never', 'No call'],
        ['marked', 'Destructive tools'],
        ['all', 'Every tool'],
      ]),
    ],
  },
  {
    id: 'sessions',
    title: 'Sessions',
    fields: [
      choice('sessions.mode', 'Between clients', [
        ['auto', 'Automatic'],
        ['shared', 'Shared'],
        ['exclusive', 'One process each'],
      ]),
      amount('sessions.maxSessions', 'At most', 'sessions'),
      seconds('sessions.idleTimeoutMs', 'Ends when unused for'),
    ],
  },
];

export const settingFields: readonly SettingField[] = settingGroups.flatMap(({ fields }) => fields);
