import type { EventKind } from '../../shared/domain.ts';
import type { ChainFact, EndFigures, RunEnd } from '../../shared/restart-story.ts';
import { lostCallsWords, type MarkKind, rawText } from './event-sentences.ts';
import { formatSpan } from './durations.ts';
import { describeEvent, eventLine, markOf, type EventWords } from './event-words.ts';
import { formatCount, formatCpu, formatMemory } from './figures.ts';
import { breachIn, describeLimit, limitTitle, type Breach } from './limit-sentences.ts';
import { formatMoment } from './moments.ts';
import { isOpenFilesLimit, openFilesWords } from './open-files.ts';
import { RESTARTS_IT } from './surrounding-sentences.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';

/** Kinds of events that report the end of a run. */
export const endingKinds: ReadonlySet<EventKind> = new Set([
  'crashed',
  'stalled',
  'ended',
  'stopped',
  'start-failed',
]);

/** Title and details of a run's end in one line: "crashed · exit 1 · 2 calls lost: search". */
export function describeEnd(end: RunEnd): EventWords {
  const { title, details } = causeWordsOf(end);
  const lost = lostCallsWords(end.calls);
  const known = details.filter((words) => words !== lost);
  return { title, details: lost === undefined ? known : [...known, lost] };
}

function causeWordsOf(end: RunEnd): EventWords {
  const ender = end.chain.find(({ role }) => role === 'end');
  const sign = (kind: ChainFact['kind']) => end.chain.find((fact) => fact.kind === kind);
  switch (end.cause) {
    case 'crash':
    case 'stall':
    case 'start':
      return ender ? describeEvent(ender) : bare('ended');
    case 'limit': {
      const teller = sign('limit-breached') ?? ender;
      if (teller === undefined) return bare('ended because of its limit');
      const breach = breachIn(teller) ?? {};
      const words = describeLimit(breach).filter((part) => part !== undefined);
      return { title: limitTitle(breach, 'over'), details: words };
    }
    case 'request':
      return bare(ender?.kind === 'stopped' ? 'stopped on request' : 'restarted on request');
    case 'configuration': {
      const edit = sign('config-changed');
      const details = edit ? describeEvent(edit).details.filter((words) => words !== RESTARTS_IT) : [];
      return {
        title: ender?.kind === 'stopped' ? 'disabled or removed' : 'its configuration was edited',
        details,
      };
    }
    case 'session':
      return bare('its session had ended');
    case 'panel-quit':
      return bare('the panel quit');
    case 'panel-lost':
      return {
        title: 'the panel ended without quitting',
        details: ['killed or crashed, or the machine went down'],
      };
    case 'unknown':
      return bare(end.isAtLatest ? 'ended for an unknown reason' : 'stopped; the reason was not recorded');
  }
}

const bare = (title: string): EventWords => ({ title, details: [] });

/** Returns the shape and colour of the mark of a run's end: those of the event that reports the end. */
export function endMark({ cause, chain }: RunEnd): MarkKind {
  if (cause === 'limit') return markOf('limit-breached');
  if (cause === 'configuration' || cause === 'panel-quit' || cause === 'panel-lost') return 'cause';
  const ender = chain.find(({ role }) => role === 'end');
  return ender ? markOf(ender.kind) : 'note';
}

/** Text for a value at the end of a run and for its limit, and whether the value was above the limit. */
interface EndFigureWords {
  readonly term: string;
  readonly value: string;
  readonly limit?: string;
  readonly isOver: boolean;
}

/** Values at the end of a run; `limits` is undefined if the limits at that time are unknown. */
export type PastFigures = Omit<EndFigures, 'limits'> & Partial<Pick<EndFigures, 'limits'>>;

/** Texts for the values at the end of a run, compared with their limits. */
export function endFigureWords(figures: PastFigures | undefined): readonly EndFigureWords[] {
  if (figures === undefined) return [];
  const { memoryBytes, cpuPercent, openFiles, processCount, limits } = figures;
  const maxBytes = limits && limits.maxMemoryMiB * BYTES_PER_MIB;
  const maxFiles = limits && isOpenFilesLimit(limits.maxOpenFiles) ? limits.maxOpenFiles : undefined;
  return [
    ...figureWords('Memory', memoryBytes, formatMemory, maxBytes, (max) => `limit ${formatMemory(max)}`),
    ...figureWords(
      'CPU',
      cpuPercent,
      formatCpu,
      limits?.maxCpuPercent,
      (max) => `warns above ${formatCpu(max)}`,
    ),
    // The limit is per process, while the value is the sum over all processes.
    ...figureWords(
      openFilesWords.title,
      openFiles,
      formatCount,
      maxFiles,
      (max) => `limit ${formatCount(max)} per process`,
      false,
    ),
    ...figureWords('Processes', processCount, formatCount),
  ];
}

function figureWords(
  term: string,
  value: number | undefined,
  format: (value: number) => string,
  max?: number,
  limitOf: (max: number) => string = format,
  isComparable = true,
): readonly EndFigureWords[] {
  if (value === undefined) return [];
  const isOver = isComparable && max !== undefined && value > max;
  return [{ term, value: format(value), isOver, ...(max !== undefined && { limit: limitOf(max) }) }];
}

interface CallWords {
  readonly call: string;
  readonly caller: string;
  readonly age: string;
  readonly isLost: boolean;
}

const callers = { window: 'This window', panel: 'The panel itself' } as const;

export function callWordsOf({ calls }: Pick<RunEnd, 'calls'>): readonly CallWords[] {
  return calls.map(({ method, target, by, client, ageMs, isGivenUp }) => ({
    call: target === undefined ? method : `${target} (${method})`,
    caller: by === undefined ? 'not reported' : by === 'client' ? (client ?? 'a client') : callers[by],
    age: ageMs === undefined ? '' : formatSpan(ageMs),
    isLost: isGivenUp !== true && by !== 'panel',
  }));
}

/** Last lines of stderr as plain text. */
export const endOutput = ({ stderr }: RunEnd): string | undefined => rawText(stderr);

/** Uptime of the run: "up for 6 h 12 m". */
export function uptimeWords({ uptimeMs, cause, isAtLatest }: RunEnd): string {
  if (uptimeMs === undefined) return cause === 'start' ? 'never up' : '';
  return `${isAtLatest ? 'up for at most' : 'up for'} ${formatSpan(uptimeMs)}`;
}

/** Returns everything known about the end of a run, as text for the clipboard. */
export function endAsText(end: RunEnd, server: string): string {
  const { title, details } = describeEnd(end);
  const facts = end.chain.map((fact) => `${formatMoment(fact.at)} ${eventLine(fact)}`);
  const figures = endFigureWords(end.figures).map(
    ({ term, value, limit }) => `${term}: ${value}${limit === undefined ? '' : ` (${limit})`}`,
  );
  const calls = callWordsOf(end).map(
    ({ call, caller, age, isLost }) =>
      `${isLost ? 'Lost' : 'Given up'}: ${call}, ${caller}${age && `, for ${age}`}`,
  );
  const output = endOutput(end);
  return [
    `${formatMoment(end.at)} ${end.instance ?? server}: ${[title, ...details].join(' · ')}`,
    uptimeWords(end),
    ...facts,
    ...figures,
    ...calls,
    ...(output === undefined ? [] : ['Last of stderr:', output]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Limit data of a run's end, for the button that raises the limit; undefined if the end was not caused by a limit. */
export const breachOf = ({ cause, chain }: RunEnd): Breach | undefined =>
  cause === 'limit' ? chain.map(breachIn).find((breach) => breach?.value !== undefined) : undefined;
