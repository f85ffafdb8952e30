import { numberBounds } from '../../shared/bounds.ts';
import type { Sample } from '../../shared/domain.ts';
import type { EventDetail, PanelEvent } from '../../shared/events.ts';
import type { ChainFact } from '../../shared/restart-story.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { callsFact } from './call-sentences.ts';
import { fact, said, span, type EventFacts, type Phrase, type SentencesOf } from './event-sentences.ts';
import { formatCount, formatCpu, formatMemory, trimZeros } from './figures.ts';
import { openFilesWords } from './open-files.ts';

/** What an event tells of a limit. */
export interface Breach {
  readonly limit?: Phrase;
  readonly value?: number | undefined;
  readonly max?: number | undefined;
  readonly holder?: EventDetail<'limit-breached'>['holder'];
  readonly action?: Phrase;
  readonly calls?: EventDetail<'limit-breached'>['calls'];
}

/** Limit that would have been enough for a server. */
export interface LimitRaise {
  readonly setting: 'maxMemoryMiB' | 'maxCpuPercent' | 'maxOpenFiles';
  /** New limit in the setting's unit: a quarter above what was needed, in a round number. */
  readonly to: number;
}

interface Limit {
  /** Name in running text. */
  readonly name: string;
  /** Name in the form. */
  readonly label: string;
  readonly setting: LimitRaise['setting'];
  readonly format: (figure: number) => string;
  /** Figure in the unit of the setting. */
  readonly toSetting: (figure: number) => number;
  readonly step: number;
  /** Figure now; undefined where it is not the one that the limit is of. */
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
    // It only warns.
    name: 'CPU warning',
    label: 'Warn above a CPU of',
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
    // The limit is that of any one process, while the sample is of all of them.
    usedNow: () => undefined,
  },
};
const limits: ReadonlyMap<Phrase, Limit> = new Map(Object.entries(limitsByName));

/** What is said of limits. */
export const limitSentences: SentencesOf<'limit-breached' | 'limit-recovered' | 'high-cpu'> = {
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
};

/** What an event tells of a limit; undefined for one that tells of none. */
export function breachIn({ kind, detail }: PanelEvent | ChainFact): Breach | undefined {
  if (kind === 'high-cpu') return { ...detail, limit: 'cpu' };
  return 'limit' in detail && detail.limit !== undefined ? detail : undefined;
}

/** Setting of the limit that an event is about; undefined for an event about none. */
export const limitSettingOf = (event: PanelEvent): LimitRaise['setting'] | undefined =>
  limits.get(breachIn(event)?.limit)?.setting;

/** Title of a limit event: "over its memory limit", "back under its limit of open files", "back under its CPU warning". */
export function limitTitle({ limit }: Breach, verb: string): string {
  const name = limits.get(limit)?.name;
  return name === undefined ? `${verb} a limit` : `${verb} its ${name}`;
}

/** Figure and limit with their unit, and the process that a person would look at first. */
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

/** Words for `limits.onBreach` at the time. */
const actions: ReadonlyMap<string | undefined, string> = new Map([
  ['restart', 'restart it, once its calls are done or 30 s have passed'],
  ['stop', 'stop it, once its calls are done or 30 s have passed'],
  ['notify', 'only report it'],
]);

/** Figure, limit, who holds most, and what was to be done about it then. */
function tellLimit(breach: Breach): EventFacts {
  const { value, max } = breach;
  const { format = formatCount, setting } = limits.get(breach.limit) ?? {};
  return {
    facts: [
      value === undefined ? undefined : fact('Figure', format(value)),
      max === undefined
        ? undefined
        : fact(setting === 'maxCpuPercent' ? 'Warns above' : 'Limit', format(max)),
      fact('Holds most', holderName(breach)),
      // The action is what was set; what came of it is told by later events, because the figure may have fallen
      // in time.
      fact('Set to', actions.get(breach.action)),
      callsFact(breach.calls),
    ],
    advice: limitAdvice(breach),
  };
}

/** Advice on which setting to raise; the button that does it tells by how much. */
export function limitAdvice({ limit }: Breach): Phrase {
  const label = limits.get(limit)?.label;
  return label && `If it needs that much, raise "${label}" in its configuration. It applies at once.`;
}

/**
 * Raise of the limit of a breach so that the server, with what it used then and what it uses now, keeps
 * within it; undefined where the event does not tell which limit, or by how much.
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
