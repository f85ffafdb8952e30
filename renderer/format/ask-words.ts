import type { AskRefusalReason } from '../../shared/gateway.ts';
import { readText, type Detail } from './detail-fields.ts';
import { ownValue } from '../../shared/own-value.ts';

type Words = (client: string | undefined) => string;

const wordsOf: Readonly<Record<AskRefusalReason, Words>> = {
  nobody: () => 'no client had a call under way that it could be about',
  several: () => 'several clients had used its process, and it did not say whose it was',
  undeclared: (client = 'the client') => `${client} does not take such questions`,
  unreachable: (client = 'the client') => `${client} was gone`,
};

const adviceOf: Readonly<Record<AskRefusalReason, string>> = {
  nobody:
    'It got an error instead of an answer. A server can ask a client only while that client waits for one of its calls.',
  several:
    'Each client gets a process of its own from its next session on, unless Sessions says otherwise: start the client again.',
  undeclared: 'Use a program that takes them, or a tool of this server that does not ask.',
  unreachable: 'Call it once more, and leave the program open until the answer is there.',
};

const askedFor: Readonly<Record<string, string>> = {
  'elicitation/create': 'for input of a person',
  'sampling/createMessage': 'for an answer of a model',
  'roots/list': 'for folders to work in',
};

/** What the server wanted of its client: "for input of a person". */
export function askedForWords(detail: Detail): string | undefined {
  const method = readText(detail, 'method');
  return method === undefined ? undefined : (ownValue(askedFor, method) ?? method);
}

/** Why nobody was asked. Undefined for a reason that this version does not know. */
export const askRefusalWords = (detail: Detail): string | undefined =>
  valueOf(wordsOf, detail)?.(readText(detail, 'client'));

/** What to do about it. */
export const askRefusalAdvice = (detail: Detail): string | undefined => valueOf(adviceOf, detail);

function valueOf<Value>(table: Readonly<Record<AskRefusalReason, Value>>, detail: Detail): Value | undefined {
  const reason = readText(detail, 'reason');
  return reason !== undefined && Object.hasOwn(table, reason) ? table[reason as AskRefusalReason] : undefined;
}
