import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import {
  endFiguresSchema,
  type CallAtEnd,
  type EndFigures,
  type RunEnd,
} from '../../../shared/restart-story.ts';
import { causeChain, versionOf } from './cause-chain.ts';
import { numberIn, recordIn, recordsIn, textIn, type Detail } from './event-fields.ts';
import type { FoundEnd } from './run-ends.ts';

const MAX_CALLS = 50;
const MAX_STDERR_CHARACTERS = 4000;
const MAX_NAME_CHARACTERS = 200;

/** Bounds of a chain's facts, which are for reading: the activity has the whole events. */
const CHAIN_BOUNDS: DataBounds = {
  maxDepth: 3,
  maxEntries: 20,
  maxValues: 60,
  maxTextLength: 500,
  maxTotalLength: 4000,
  cutTexts: 'end',
};

/** An end with all that its events tell of it, within about 60 KiB. */
export function tellEnd(found: FoundEnd): RunEnd {
  const { id, at, began, cause, event, instance, isAtLatest } = found;
  const version = versionOf(found);
  const generation = numberIn((began ?? event).detail, 'generation');
  const calls = callsAt(found);
  const limit = cause === 'limit' ? limitOf(found) : undefined;
  const stderr = isAtLatest ? undefined : textIn(event.detail, 'stderrTail');
  const figures = figuresAt(found);
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
    chain: causeChain(found).map((fact) => ({ ...fact, detail: boundData(fact.detail, CHAIN_BOUNDS).value })),
    ...(figures && { figures }),
    calls: calls.slice(0, MAX_CALLS),
    callsLeftOut: Math.max(
      0,
      (numberIn(event.detail, 'callsTotal') ?? calls.length) - Math.min(calls.length, MAX_CALLS),
    ),
    ...(stderr !== undefined && { stderr: stderr.slice(-MAX_STDERR_CHARACTERS) }),
  };
}

/** How long the run was up; 0 where the clock was set back meanwhile, undefined where its begin is not kept. */
export const uptimeMs = ({ began, at }: FoundEnd): number =>
  began === undefined ? 0 : Math.max(0, at - began.at);

/** The limit that it was ended for. */
export function limitOf({ event, before }: FoundEnd): RunEnd['limit'] {
  const breach = before.findLast(({ kind }) => kind === 'limit-breached');
  const name = textIn(event.detail, 'limit') ?? (breach && textIn(breach.detail, 'limit'));
  return name === 'memory' || name === 'openFiles' ? name : undefined;
}

/** Calls under way at the end, as far as its event tells; a stall told them as evidence in earlier versions. */
function callsAt({ event, isAtLatest }: FoundEnd): readonly CallAtEnd[] {
  if (isAtLatest) return [];
  return recordsIn(listOf(event.detail), 'calls').flatMap(toCall);
}

const listOf = (detail: Detail): Detail =>
  Array.isArray(detail['calls']) ? detail : recordIn(detail, 'evidence');

/** A method with what it was called on, as one text, so that equal ones are found quickly. */
export type CallKey = string;

/** What clients and people were calling at the end, each once; what the panel asks for itself goes with the calls of others. */
export function calledAt({ event, isAtLatest }: FoundEnd): ReadonlySet<CallKey> {
  const keys = new Set<CallKey>();
  if (isAtLatest) return keys;
  for (const call of recordsIn(listOf(event.detail), 'calls').slice(0, MAX_CALLS)) {
    const method = textIn(call, 'method');
    if (method !== undefined && call['by'] !== 'panel')
      keys.add(`${method}\n${textIn(call, 'target') ?? ''}`);
  }
  return keys;
}

/** Method and target of a key. */
export function callOfKey(key: CallKey): { method: string; target?: string } {
  const [method = '', target = ''] = key.split('\n');
  const cut = (text: string) => text.slice(0, MAX_NAME_CHARACTERS);
  return target === '' ? { method: cut(method) } : { method: cut(method), target: cut(target) };
}

function toCall(call: Detail): readonly CallAtEnd[] {
  const method = textIn(call, 'method');
  if (method === undefined) return [];
  const [target, client] = [textIn(call, 'target'), textIn(call, 'client')];
  const [ageMs, by] = [numberIn(call, 'ageMs'), textIn(call, 'by')];
  return [
    {
      method: method.slice(0, MAX_NAME_CHARACTERS),
      ...(target !== undefined && { target: target.slice(0, MAX_NAME_CHARACTERS) }),
      ...(ageMs !== undefined && { ageMs }),
      ...((by === 'client' || by === 'window' || by === 'panel') && { by }),
      ...(client !== undefined && { client: client.slice(0, MAX_NAME_CHARACTERS) }),
      ...(call['isGivenUp'] === true && { isGivenUp: true }),
    },
  ];
}

function figuresAt({ event }: FoundEnd): EndFigures | undefined {
  return endFiguresSchema.safeParse(event.detail['inUse']).data;
}
