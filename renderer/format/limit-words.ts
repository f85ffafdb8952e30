import { readNumber, readRecord, readText, type Detail, type EventFact } from './detail-fields.ts';
import { formatCount, formatCpu, formatMemory } from './figures.ts';

/** No MiB figure is this large (it would be a TiB), so anything from here on is bytes. */
const SMALLEST_BYTE_FIGURE = 1024 * 1024;

type LimitKind = 'memory' | 'cpu' | 'open files' | undefined;

/** "over its memory limit", "back under its limit of open files". */
export function limitTitle(detail: Detail, verb: string): string {
  const kind = limitKind(detail);
  if (kind === undefined) return `${verb} a limit`;
  return kind === 'open files'
    ? `${verb} its limit of open files`
    : `${verb} its ${kind === 'cpu' ? 'CPU' : kind} limit`;
}

/** The figure and the limit with their unit. */
export function describeLimit(detail: Detail): readonly (string | undefined)[] {
  const kind = limitKind(detail);
  const value = readNumber(detail, 'value');
  const max = readNumber(detail, 'max');
  return [
    value === undefined ? undefined : formatFigure(kind, value),
    max === undefined ? undefined : `limit ${formatFigure(kind, max)}`,
    holderWords(detail),
  ];
}

/** The process that a person would look at first. */
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

const actions: Readonly<Record<string, string>> = {
  restart: 'Restarted, once its calls are done or 30 s have passed',
  stop: 'Stopped, once its calls are done or 30 s have passed',
  notify: 'Only reported',
};

/** Figure, limit, who holds most, and what is done about it. */
export function limitFacts(detail: Detail): readonly (EventFact | undefined)[] {
  const kind = limitKind(detail);
  const figure = (field: string): string | undefined => {
    const value = readNumber(detail, field);
    return value === undefined ? undefined : formatFigure(kind, value);
  };
  const action = actions[readText(detail, 'action') ?? ''];
  const all = {
    Figure: figure('value'),
    Limit: figure('max'),
    'Holds most': holderName(detail),
    Then: action,
  };
  return Object.entries(all).map(([term, words]) =>
    words === undefined ? undefined : { term, lines: [words] },
  );
}

/** Which setting to raise, and to what: a quarter above what was needed, in a round number. */
export function limitAdvice(detail: Detail): string | undefined {
  const kind = limitKind(detail);
  if (kind === undefined) return undefined;
  const { name, unit, step } = limitSettings[kind];
  const value = readNumber(detail, 'value');
  const needed = value === undefined ? undefined : kind === 'memory' ? toMib(value) : value;
  const to = needed === undefined ? '' : ` to ${Math.ceil((needed * 1.25) / step) * step}${unit}`;
  return `If it needs that much, raise "panel.limits.${name}"${to} in its entry of servers.json. It applies at once.`;
}

const limitSettings = {
  memory: { name: 'maxMemoryMiB', unit: ' MiB', step: 256 },
  cpu: { name: 'maxCpuPercent', unit: ' %', step: 10 },
  'open files': { name: 'maxOpenFiles', unit: '', step: 500 },
} as const;

const toMib = (value: number): number =>
  value < SMALLEST_BYTE_FIGURE ? value : value / SMALLEST_BYTE_FIGURE;
