import { numberBounds } from '../../shared/bounds.ts';
import type { Sample } from '../../shared/domain.ts';
import type { EventDetail, PanelEvent } from '../../shared/events.ts';
import type { ChainFact } from '../../shared/restart-story.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import {
  callsFact,
  type EventFacts,
  fact,
  type Phrase,
  said,
  type SentencesOf,
  span,
} from './event-sentences.ts';
import { formatCount, formatCpu, formatMemory, trendWords, trimZeros } from './figures.ts';
import { openFilesWords } from './open-files.ts';

/** Limit data of an event. */
export interface Breach {
  readonly limit?: Phrase;
  readonly value?: number | undefined;
  readonly max?: number | undefined;
  readonly holder?: EventDetail<'limit-breached'>['holder'];
  readonly action?: Phrase;
  readonly calls?: EventDetail<'limit-breached'>['calls'];
}

/** Higher limit that would have been sufficient for a server. */
export interface LimitRaise {
  readonly setting: 'maxMemoryMiB' | 'maxCpuPercent' | 'maxOpenFiles';
  /** New limit in the setting's unit: at least a quarter above the need, rounded up. */
  readonly to: number;
}

interface Limit {
  /** Name as used within a sentence. */
  readonly name: string;
  /** Label of the limit in the form. */
  readonly label: string;
  readonly setting: LimitRaise['setting'];
  readonly format: (figure: number) => string;
  /** Converts a value to the unit of the setting. */
  readonly toSetting: (figure: number) => number;
  readonly step: number;
  /** Returns the current value; undefined if the sample does not contain the limited value. */
  readonly usedNow: (now: Usage) => number | undefined;
}

type Usage = Pick<Sample, 'memoryBytes' | 'cpuPercent'>;

const limitsByName: Readonly<Record<'memory' | 'cpu' | 'openFiles', Limit>> = {
  memory: {
    name: 'memory limit',
    label: 'Memory',
    setting: 'maxMemoryMiB',
    format: formatMemory,
    toSetting: (bytes) => bytes / BYTES_PER_MIB,
    step: 256,
    usedNow: ({ memoryBytes }) => memoryBytes,
  },
  cpu: {
    // The CPU limit never causes a server to be ended: exceeding it only causes a warning.
    name: 'CPU warning',
    label: 'Warn when CPU exceeds',
    setting: 'maxCpuPercent',
    format: formatCpu,
    toSetting: (percent) => percent,
    step: 10,
    usedNow: ({ cpuPercent }) => cpuPercent,
  },
  openFiles: {
    name: openFilesWords.limit,
    label: openFilesWords.title,
    setting: 'maxOpenFiles',
    format: formatCount,
    toSetting: (files) => files,
    step: 500,
    // The limit is per process, while the sample is the sum over all processes.
    usedNow: () => undefined,
  },
};
const limits: ReadonlyMap<Phrase, Limit> = new Map(Object.entries(limitsByName));

/** Sentences for events about limits. */
export const limitSentences: SentencesOf<'limit-breached' | 'limit-recovered' | 'high-cpu' | 'trend'> = {
  'limit-breached': {
    name: 'Over a limit',
    mark: 'backoff',
    say: (detail) => [limitTitle(detail, 'over'), ...describeLimit(detail)],
    tell: tellLimit,
  },
  'limit-recovered': {
    name: 'Back under a limit',
    mark: 'running',
    say: (detail) => [
      limitTitle(detail, 'back under'),
      ...describeLimit(detail),
      span('over it for', detail.durationMs),
    ],
  },
  'high-cpu': {
    name: 'High CPU',
    mark: 'suspect',
    say: (detail) => ['high CPU', ...describeLimit({ ...detail, limit: 'cpu' })],
    tell: (detail) => tellLimit({ ...detail, limit: 'cpu' }),
  },
  trend: {
    name: 'Memory trend',
    mark: 'suspect',
    say: ({ perDayBytes, ...detail }) => [
      'memory grows every day',
      perDayBytes === undefined ? undefined : trendWords({ ...detail, perDayBytes }),
    ],
  },
};

/** Returns the limit data of an event; undefined for an event that has none. */
export function breachIn({ kind, detail }: PanelEvent | ChainFact): Breach | undefined {
  if (kind === 'high-cpu') return { ...detail, limit: 'cpu' };
  return 'limit' in detail && detail.limit !== undefined ? detail : undefined;
}

/** Returns the setting of the limit that an event is about; undefined if the event is not about a limit. */
export const limitSettingOf = (event: PanelEvent): LimitRaise['setting'] | undefined =>
  limits.get(breachIn(event)?.limit)?.setting;

/** Title of a limit event: "over its memory limit", "back under its limit of open files", "back under its CPU warning". */
export function limitTitle({ limit }: Breach, verb: string): string {
  const name = limits.get(limit)?.name;
  return name === undefined ? `${verb} a limit` : `${verb} its ${name}`;
}

/** Texts for the value and the limit, with units, and for the process with the highest value, which users should check first. */
export function describeLimit(breach: Breach): readonly Phrase[] {
  const { value, max } = breach;
  const { format = formatCount, setting } = limits.get(breach.limit) ?? {};
  const holder = holderName(breach);
  return [
    value === undefined ? undefined : format(value),
    max === undefined ? undefined : `${setting === 'maxCpuPercent' ? 'warns above' : 'limit'} ${format(max)}`,
    holder === undefined ? undefined : `most in ${holder}`,
  ];
}

function holderName({ holder = {} }: Breach): Phrase {
  const command = said(holder.command);
  return command === undefined || holder.pid === undefined ? undefined : `${command} (pid ${holder.pid})`;
}

/** Texts for the values of the setting `limits.onBreach`. An event contains the value that applied at its time. */
const actions: ReadonlyMap<string | undefined, string> = new Map([
  ['restart', 'restart it, once its calls are done or 30 s have passed'],
  ['stop', 'stop it, once its calls are done or 30 s have passed'],
  ['notify', 'only report it'],
]);

/** Returns the details of a breach: value, limit, the process with the highest value, and the action that was configured. */
function tellLimit(breach: Breach): EventFacts {
  const { value, max } = breach;
  const { format = formatCount, setting } = limits.get(breach.limit) ?? {};
  return {
    facts: [
      value === undefined ? undefined : fact('Figure', format(value)),
      max === undefined
        ? undefined
        : fact(setting === 'maxCpuPercent' ? 'Warns above' : 'Limit', format(max)),
      fact('Uses most', holderName(breach)),
      // The configured action may not have been taken, because the value may fall below the limit first. The actual result is
      // in later events.
      fact('Configured action', actions.get(breach.action)),
      callsFact(breach.calls),
    ],
    advice: limitAdvice(breach),
  };
}

/** Advice on which setting to raise. The button beside it shows the new value. */
export function limitAdvice({ limit }: Breach): Phrase {
  const label = limits.get(limit)?.label;
  return label && `If it needs that much, raise "${label}" in its configuration. It applies immediately.`;
}

/**
 * Returns a limit that is sufficient for the use at the time of the breach and for the current use; undefined if the event
 * lacks the name of the limit or the value.
 */
export function raiseFor({ limit, value }: Breach, now: Usage = {}): LimitRaise | undefined {
  const known = limits.get(limit);
  if (known === undefined || value === undefined) return undefined;
  const { setting, step, toSetting, usedNow } = known;
  const needed = toSetting(Math.max(value, usedNow(now) ?? 0));
  return {
    setting,
    to: Math.min(numberBounds[`limits.${setting}`].max, Math.ceil((needed * 1.25) / step) * step),
  };
}

/** Limit in as few characters as possible: `1.5 GiB`, `120 %`, `1500`. */
export function formatLimit(setting: LimitRaise['setting'], value: number): string {
  if (setting === 'maxMemoryMiB') return trimZeros(formatMemory(value * BYTES_PER_MIB));
  return setting === 'maxCpuPercent' ? formatCpu(value) : formatCount(value);
}
