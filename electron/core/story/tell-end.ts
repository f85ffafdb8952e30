import type { EventDetail } from '../../../shared/events.ts';
import {
  endFiguresSchema,
  type CallAtEnd,
  type EndFigures,
  type RunEnd,
} from '../../../shared/restart-story.ts';
import { causeChain, versionOf } from './cause-chain.ts';
import type { FoundEnd } from './run-ends.ts';

const MAX_CALLS = 50;
const MAX_STDERR_CHARACTERS = 4000;
const MAX_NAME_CHARACTERS = 200;

/** Describes an end with all facts from its events, within about 60 KiB. */
export function tellEnd(found: FoundEnd): RunEnd {
  const { id, at, began, cause, event, instance, isAtLatest } = found;
  const version = versionOf(found);
  const { generation } = (began ?? event).detail;
  const calls = callsAt(found);
  const limit = cause === 'limit' ? limitOf(found) : undefined;
  const { callsTotal = calls.length, inUse, stderrTail: stderr } = remainsOf(found);
  const figures = figuresOf(inUse);
  return {
    id,
    at,
    ...(isAtLatest && { isAtLatest }),
    ...(instance !== undefined && { instance }),
    ...(generation !== undefined && generation >= 0 && { generation: Math.trunc(generation) }),
    ...(began && { startedAt: began.at, uptimeMs: uptimeMs(found) }),
    ...(version !== undefined && { version: version.slice(0, MAX_NAME_CHARACTERS) }),
    cause,
    ...(limit && { limit }),
    chain: [...causeChain(found)],
    ...(figures && { figures }),
    calls: calls.slice(0, MAX_CALLS),
    callsLeftOut: Math.max(0, callsTotal - Math.min(calls.length, MAX_CALLS)),
    ...(stderr && { stderr: stderr.slice(-MAX_STDERR_CHARACTERS) }),
  };
}

/** Returns the uptime of the run in ms; 0 if its start is not stored or the clock was set back meanwhile. */
export const uptimeMs = ({ began, at }: FoundEnd): number =>
  began === undefined ? 0 : Math.max(0, at - began.at);

/**
 * Returns the limit (memory or open files) that the event of the end names, or else the last one that was exceeded before the
 * end; undefined if there is none.
 */
export function limitOf({ event, before }: FoundEnd): RunEnd['limit'] {
  const isOfLimit = event.kind === 'ended' || event.kind === 'stopped' || event.kind === 'limit-breached';
  const breach = before.findLast((sign) => sign.kind === 'limit-breached');
  const name = (isOfLimit ? event.detail.limit : undefined) ?? breach?.detail.limit;
  return name === 'memory' || name === 'openFiles' ? name : undefined;
}

type Remains = Partial<Pick<EventDetail<'crashed'>, 'calls' | 'callsTotal' | 'inUse' | 'stderrTail'>>;

/**
 * Returns what the event of the end says about the run. An event that only reveals that an earlier run has ended describes the
 * next run, so it is not used.
 */
function remainsOf({ event, isAtLatest }: FoundEnd): Remains {
  if (isAtLatest) return {};
  switch (event.kind) {
    case 'stalled':
      // Earlier versions stored the calls only in the evidence.
      return { calls: event.detail.evidence?.calls, ...event.detail };
    case 'crashed':
    case 'ended':
    case 'stopped':
    case 'start-failed':
      return event.detail;
    default:
      return {};
  }
}

/** Returns the calls in flight at the end, if its event has them. */
const callsAt = (found: FoundEnd): readonly CallAtEnd[] => (remainsOf(found).calls ?? []).flatMap(toCall);

/** Method and target of a call as one text, so that equal calls are found quickly. */
export type CallKey = string;

/** Returns the keys of calls of clients and users in flight at the end, each once. The panel's own requests are left out. */
export function calledAt(found: FoundEnd): ReadonlySet<CallKey> {
  const keys = new Set<CallKey>();
  for (const { method, target = '', by } of (remainsOf(found).calls ?? []).slice(0, MAX_CALLS))
    if (method && by !== 'panel') keys.add(`${method}\n${target}`);
  return keys;
}

/** Returns the method and target of a key. */
export function callOfKey(key: CallKey): { method: string; target?: string } {
  const [method = '', target = ''] = key.split('\n');
  const cut = (text: string) => text.slice(0, MAX_NAME_CHARACTERS);
  return target === '' ? { method: cut(method) } : { method: cut(method), target: cut(target) };
}

type ToldCall = NonNullable<Remains['calls']>[number];

function toCall({ method, target, client, ageMs, by, isGivenUp }: ToldCall): readonly CallAtEnd[] {
  if (!method) return [];
  return [
    {
      method: method.slice(0, MAX_NAME_CHARACTERS),
      ...(target && { target: target.slice(0, MAX_NAME_CHARACTERS) }),
      ...(ageMs !== undefined && { ageMs }),
      ...((by === 'client' || by === 'window' || by === 'panel') && { by }),
      ...(client && { client: client.slice(0, MAX_NAME_CHARACTERS) }),
      ...(isGivenUp === true && { isGivenUp }),
    },
  ];
}

const figuresOf = (inUse: Remains['inUse']): EndFigures | undefined => endFiguresSchema.safeParse(inUse).data;
