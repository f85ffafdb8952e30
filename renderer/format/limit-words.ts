import { readNumber, readText, type Detail } from './detail-fields.ts';
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
  const holder = detail['holder'];
  if (typeof holder !== 'object' || holder === null) return undefined;
  const command = readText(holder as Detail, 'command');
  const pid = readNumber(holder as Detail, 'pid');
  return command === undefined || pid === undefined ? undefined : `most in ${command} (pid ${pid})`;
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
