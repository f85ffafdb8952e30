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

/** Higher limit, which would have been sufficient for a server. */
export interface LimitRaise {
  readonly setting: 'maxMemoryMiB' | 'maxCpuPercent' | 'maxOpenFiles';
  /** New limit in the setting's unit: at least a quarter above the need, rounded up. */
  readonly to: number;
}

interface Limit {
  /** Name in running text. */
  readonly name: string;
  /** Label in the form. */
  readonly label: string;
  readonly setting: LimitRaise['setting'];
  readonly format: (figure: number) => string;
  /** Converts a value to the unit of the setting. */
  readonly toSetting: (figure: number) => number;
  readonly step: number;
  /** Current value; undefined if the sample does not have the value that is limited. */
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
    // The CPU limit never ends a server: exceeding it only leads to a warning.
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

/** Limit data of an event; undefined for events that have none. */
export function breachIn({ kind, detail }: PanelEvent | ChainFact): Breach | undefined {
  if (kind === 'high-cpu') return { ...detail, limit: 'cpu' };
  return 'limit' in detail && detail.limit !== undefined ? detail : undefined;
}

/** Setting of the limit that an event is about; undefined if it is about none. */
export const limitSettingOf = (event: PanelEvent): LimitRaise['setting'] | undefined =>
  limits.get(breachIn(event)?.limit)?.setting;

/** Title of a limit event: "over its memory limit", "back under its limit of open files", "back under its CPU warning". */
export function limitTitle({ limit }: Breach, verb: string): string {
  const name = limits.get(limit)?.name;
  return name === undefined ? `${verb} a limit` : `${verb} its ${name}`;
}

/** Value and limit with units, and the process with the highest value, which is the first to look at. */
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

/** Text for the setting `limits.onBreach` at the time of the event. */
const actions: ReadonlyMap<string | undefined, string> = new Map([
  ['restart', 'restart it, once its calls are done or 30 s have passed'],
  ['stop', 'stop it, once its calls are done or 30 s have passed'],
  ['notify', 'only report it'],
]);

/** Details: value, limit, the process with the highest value, and the action that was configured. */
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
      // The action is the configured one. Its result is in later events, because the value may fall before the action.
      fact('Configured action', actions.get(breach.action)),
      callsFact(breach.calls),
    ],
    advice: limitAdvice(breach),
  };
}

/** Advice on the setting to raise; the button beside it names the new value. */
export function limitAdvice({ limit }: Breach): Phrase {
  const label = limits.get(limit)?.label;
  return label && `If it needs that much, raise "${label}" in its configuration. It applies immediately.`;
}

/**
 * Returns a limit that is sufficient for the use at the breach and for the current use; undefined if the event lacks the
 * limit's name or the value.
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
