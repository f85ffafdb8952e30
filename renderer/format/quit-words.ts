import { callsAtStake } from '../../shared/calls-at-stake.ts';
import type { CallsInFlight } from '../../shared/quit-question.ts';
import { callsInFlightWords } from './call-words.ts';
import { formatPlural } from './figures.ts';
import { listWords } from './word-lists.ts';

/** Loss on quitting or stopping all: "3 calls are in flight, and will be lost: 1 of this window and 2 of Claude Desktop." */
export function quitLossWords(question: CallsInFlight): string {
  const calls = callsAtStake(question);
  if (calls === 0) return 'No call is in flight any more.';
  const { clients, ownCalls } = question;
  const parts = [
    ...(ownCalls > 0 ? [{ of: 'this window', calls: ownCalls }] : []),
    ...clients.map(({ name, calls: count }) => ({ of: name, calls: count })),
  ];
  const [only] = parts;
  const whose =
    parts.length === 1 && only !== undefined
      ? `${calls === 1 ? 'It is' : 'They are'} of ${only.of}.`
      : `${capital(listWords(parts.map((part) => `${formatPlural(part.calls, 'call')} of ${part.of}`)))}.`;
  return `${callsInFlightWords(calls)}, and will be lost. ${whose}`;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
