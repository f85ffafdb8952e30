import type { EventDetail } from '../../shared/events.ts';
import { formatSpan } from './durations.ts';
import { cutExcerpt, type EventFact, type Phrase } from './event-sentences.ts';
import { formatPlural } from './figures.ts';

type Calls = EventDetail<'crashed'>['calls'];

/** Text on the calls that the end of a run cut off; undefined if there were none. */
export function lostCallsWords(calls: Calls = []): Phrase {
  const lost = calls.filter(({ isGivenUp, by }) => isGivenUp !== true && by !== 'panel');
  if (lost.length === 0) return undefined;
  const targets = [...new Set(lost.map(({ target, method = '' }) => target ?? method))];
  return `${formatPlural(lost.length, 'call')} lost: ${cutExcerpt(targets.join(', '))}`;
}

/** Calls that were waiting for an answer, by name and age; undefined if the event has no data on calls. */
export function callsFact(calls: Calls): EventFact | undefined {
  const lines = calls?.map(({ method, target, ageMs, client }) => {
    const what = [method, target, client && `of ${client}`].filter(Boolean).join(' ');
    return ageMs === undefined ? what : `${what}, for ${formatSpan(ageMs)}`;
  });
  return lines && { term: 'Calls in flight', lines: lines.length === 0 ? ['none'] : lines };
}
