import { readNumber, readRecord, readText, type Detail, type EventFact } from './detail-fields.ts';
import { numberBounds } from '../../shared/bounds.ts';
import type { PanelEvent, Sample } from '../../shared/domain.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { openFilesWords } from './open-files.ts';
import { formatCount, formatCpu, formatMemory, trimZeros } from './figures.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Least figure that counts as bytes, because no figure in MiB is this large (it would be a TiB). */
const SMALLEST_BYTE_FIGURE = 1024 * 1024;

type LimitKind = 'memory' | 'cpu' | 'open files' | undefined;

/** Names of the limits in running text. That of the CPU only warns. */
const limitNames: Readonly<Record<NonNullable<LimitKind>, string>> = {
  memory: 'memory limit',
  cpu: 'CPU warning',
  'open files': openFilesWords.limit,
};

/** Setting of the limit that an event is about; undefined for an event about none. */
export function limitSettingOf({ kind, detail }: PanelEvent): LimitRaise['setting'] | undefined {
  if (kind === 'high-cpu') return limitSettings.cpu.setting;
  const limit = kind === 'limit-breached' || kind === 'limit-recovered' ? limitKind(detail) : undefined;
  return limit && limitSettings[limit].setting;
}

/** Title of a limit event: "over its memory limit", "back under its limit of open files", "back under its CPU warning". */
export function limitTitle(detail: Detail, verb: string): string {
  const kind = limitKind(detail);
  if (kind === undefined) return `${verb} a limit`;
  return `${verb} its ${limitNames[kind]}`;
}

/** Figure and limit with their unit. */
export function describeLimit(detail: Detail): readonly (string | undefined)[] {
  const kind = limitKind(detail);
  const value = readNumber(detail, 'value');
  const max = readNumber(detail, 'max');
  return [
    value === undefined ? undefined : formatFigure(kind, value),
    max === undefined ? undefined : `${kind === 'cpu' ? 'warns above' : 'limit'} ${formatFigure(kind, max)}`,
    holderWords(detail),
  ];
}

/** Process that a person would look at first. */
function holderWords(detail: Detail): string | undefined {
  const name = holderName(detail);
  return name === undefined ? undefined : `most in ${name}`;
}

function limitKind(detail: Detail): LimitKind {
  const name = readText(detail, 'limit')?.toLowerCase() ?? '';
  if (name.includes('memory')) return 'memory';
  if (name.includes('cpu')) return 'cpu';
  return name.includes('file') ? 'open files' : undefined;
}

function formatFigure(kind: LimitKind, value: number): string {
  if (kind === 'memory')
    return formatMemory(value < SMALLEST_BYTE_FIGURE ? value * SMALLEST_BYTE_FIGURE : value);
  return kind === 'cpu' ? formatCpu(value) : formatCount(value);
}

function holderName(detail: Detail): string | undefined {
  const holder = readRecord(detail, 'holder') ?? {};
  const command = readText(holder, 'command');
  const pid = readNumber(holder, 'pid');
  return command === undefined || pid === undefined ? undefined : `${command} (pid ${pid})`;
}

/** Words for `limits.onBreach` at the time. */
const actions: Readonly<Record<string, string>> = {
  restart: 'restart it, once its calls are done or 30 s have passed',
  stop: 'stop it, once its calls are done or 30 s have passed',
  notify: 'only report it',
};

/** Facts of a breach: figure, limit, who holds most, and what was to be done about it then. */
export function limitFacts(detail: Detail): readonly (EventFact | undefined)[] {
  const kind = limitKind(detail);
  const figure = (field: string): string | undefined => {
    const value = readNumber(detail, field);
    return value === undefined ? undefined : formatFigure(kind, value);
  };
  const action = ownValue(actions, readText(detail, 'action') ?? '');
  const all = {
    Figure: figure('value'),
    [kind === 'cpu' ? 'Warns above' : 'Limit']: figure('max'),
    'Holds most': holderName(detail),
    // The action is what was set; what came of it is told by later events, because the figure may have fallen
    // in time.
    'Set to': action,
  };
  return Object.entries(all).map(([term, words]) =>
    words === undefined ? undefined : { term, lines: [words] },
  );
}

/** Limit that would have been enough for a server. */
export interface LimitRaise {
  readonly setting: 'maxMemoryMiB' | 'maxCpuPercent' | 'maxOpenFiles';
  /** New limit in the setting's unit: a quarter above what was needed, in a round number. */
  readonly to: number;
}

/**
 * Raise of the limit of a breach so that the server, with what it used then and what it uses now, keeps
 * within it; undefined where the event does not tell which limit, or by how much.
 */
export function raiseFor(detail: Detail, now?: Usage): LimitRaise | undefined {
  const kind = limitKind(detail);
  const value = readNumber(detail, 'value');
  if (kind === undefined || value === undefined) return undefined;
  const { setting, step } = limitSettings[kind];
  const then = kind === 'memory' ? toMib(value) : value;
  const needed = Math.max(then, limitSettings[kind].usedNow(now) ?? 0);
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

/** Advice on which setting to raise; the button that does it tells by how much. */
export function limitAdvice(detail: Detail): string | undefined {
  const kind = limitKind(detail);
  if (kind === undefined) return undefined;
  return `If it needs that much, raise "${limitSettings[kind].label}" in its configuration. It applies at once.`;
}

type Usage = Pick<Sample, 'memoryBytes' | 'cpuPercent'> | undefined;

/** Limits by name; `label` as the form calls it. */
const limitSettings = {
  memory: {
    setting: 'maxMemoryMiB',
    label: 'Memory',
    step: 256,
    usedNow: (now: Usage) => now?.memoryBytes && now.memoryBytes / BYTES_PER_MIB,
  },
  cpu: {
    setting: 'maxCpuPercent',
    label: 'Warn above a CPU of',
    step: 10,
    usedNow: (now: Usage) => now?.cpuPercent,
  },
  // The limit is that of any one process, while the figure is of all of them.
  'open files': {
    setting: 'maxOpenFiles',
    label: openFilesWords.title,
    step: 500,
    usedNow: (_now: Usage) => undefined,
  },
} as const;

const toMib = (value: number): number => (value < SMALLEST_BYTE_FIGURE ? value : value / BYTES_PER_MIB);
