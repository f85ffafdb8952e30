import type { Pattern } from '../../shared/restart-story.ts';
import { cutExcerpt, quote } from './event-sentences.ts';
import { formatSpan } from './durations.ts';
import { formatCount, formatPlural } from './figures.ts';
import { openFilesWords } from './open-files.ts';
import { toPlainText } from './plain-text.ts';
import { exitWords } from './run-sentences.ts';

/** Sentence that describes a pattern, with its numbers: "10 of 12 crashes and stalls came during a call of search". */
export function describePattern(pattern: Pattern): string {
  const words = sentenceOf(pattern);
  return words[0]!.toUpperCase() + words.slice(1);
}

function sentenceOf(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'limit': {
      const limit = pattern.limit === 'memory' ? 'memory limit' : openFilesWords.limit;
      const { every } = pattern;
      return every === undefined
        ? `${share(pattern, 'fault')} came at its ${limit}`
        : `At its ${limit} every ${spanRange(every.minMs, every.maxMs)}: ${share(pattern, 'fault')}`;
    }
    case 'call':
      return `${share(pattern, 'crash or stall', 'crashes and stalls')} came during a call of ${callName(pattern)}`;
    case 'after-start':
      return `${share(pattern, 'fault')} came within ${formatSpan(pattern.withinMs)} after its start`;
    case 'after-wake':
      return `${share(pattern, 'fault')} came within ${formatSpan(pattern.withinMs)} after the machine woke`;
    case 'after-version': {
      const earlier = pattern.of - pattern.count;
      const [now, before] = [formatSpan(pattern.upMs), formatSpan(pattern.upBeforeMs)];
      return `Since its version changed from ${plain(pattern.from)} to ${plain(pattern.to)}: ${formatPlural(pattern.count, 'fault')} in ${now} of running, ${earlier === 0 ? 'none' : formatCount(earlier)} in ${before} before`;
    }
    case 'configuration':
      return `${share(pattern, 'end')} came when its configuration was edited`;
    case 'same-words':
      return `${share(pattern, 'crash', 'crashes')} gave the same cause: ${quote(cutExcerpt(plain(pattern.words)))}`;
    case 'same-exit': {
      const exit = exitWords({ exitCode: pattern.exitCode, signal: pattern.signal });
      return `${share(pattern, 'crash', 'crashes')}: ${exit ?? 'the same end'}`;
    }
    case 'time-of-day':
      return `${share(pattern, 'fault')} came between ${timeOf(pattern.fromMinute)} and ${timeOf(pattern.toMinute + 1)}, on ${formatPlural(pattern.days, 'day')}`;
  }
}

type Numbers = Pick<Pattern, 'count' | 'of'>;

function share({ count, of }: Numbers, noun: string, plural = `${noun}s`): string {
  return count === of
    ? `all ${formatCount(of)} ${plural}`
    : `${formatCount(count)} of ${formatCount(of)} ${plural}`;
}

const callName = ({ method, target }: { method: string; target?: string | undefined }): string =>
  plain(target ?? method);

const plain = (text: string): string => toPlainText(text.replace(/\s+/g, ' '));

/** Range of durations in a single unit, rounded outwards: `6 to 7 h`. */
function spanRange(minMs: number, maxMs: number): string {
  const [unit, unitMs] = units.find(([, ms]) => minMs >= 2 * ms) ?? SECOND;
  const [least, most] = [Math.floor(minMs / unitMs), Math.ceil(maxMs / unitMs)];
  return least === most ? `${least} ${unit}` : `${least} to ${most} ${unit}`;
}

const SECOND = ['s', 1000] as const;
const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  SECOND,
];

function timeOf(minute: number): string {
  const within = minute % (24 * 60);
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
