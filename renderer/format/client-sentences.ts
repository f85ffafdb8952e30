import { endpointName } from '../../shared/gateway-use.ts';
import type { AskRefusalReason, RefusalReason } from '../../shared/gateway.ts';
import { formatMemory, formatPlural } from './figures.ts';
import { fact, numberOf, prefixed, said, timesOf, type Phrase, type SentencesOf } from './event-sentences.ts';

/** Sentences for events about clients. */
export const clientSentences: SentencesOf<
  'client-connected' | 'client-refused' | 'client-revoked' | 'ask-refused' | 'left-behind'
> = {
  'client-connected': {
    name: 'Client connected',
    mark: 'note',
    say: ({ client, program, server, reads }) => [
      'client connected',
      said(client),
      said(program),
      prefixed('to', server === undefined ? undefined : endpointName(server)),
      prefixed('reads', reads),
    ],
  },
  'client-refused': {
    name: 'Client refused',
    mark: 'suspect',
    say: ({ client, reason, count }) => [
      'client refused',
      said(client),
      refusals.get(reason)?.why,
      timesOf(count),
    ],
    tell: ({ reason, count }) => ({
      facts: [fact('Why', refusals.get(reason)?.why), fact('Requests', numberOf(count))],
      advice: refusals.get(reason)?.advice,
    }),
  },
  'client-revoked': {
    name: 'Client revoked',
    mark: 'note',
    say: ({ client }) => ['client revoked', said(client)],
  },
  'left-behind': {
    name: 'Left behind by a client',
    mark: 'note',
    say: ({ client, count, memoryBytes, programs }) => [
      `${said(client) ?? 'a client'} left ${count === undefined ? 'processes' : formatPlural(count, 'process', 'processes')} behind`,
      memoryBytes === undefined ? undefined : formatMemory(memoryBytes),
      programs?.join(', '),
    ],
    tell: () => ({ advice: 'Clients shows what they are, and can end them.' }),
  },
  'ask-refused': {
    name: 'Question refused',
    mark: 'note',
    say: ({ method, reason, client, count }) => [
      'question refused',
      askedFor(method),
      askRefusals.get(reason)?.why(client),
      timesOf(count),
    ],
    tell: ({ method, reason, client, count }) => ({
      facts: [
        fact('Asked', askedFor(method)),
        fact('Method', said(method)),
        fact('Why', askRefusals.get(reason)?.why(client)),
        fact('Questions', numberOf(count)),
      ],
      advice: askRefusals.get(reason)?.advice,
    }),
  },
};

interface Refusal {
  readonly why: string;
  readonly advice: string;
}

const snippetAdvice = 'If it is yours, compare its configuration with what “New token…” in Clients shows.';
const tokenAdvice = 'If it is yours, renew its token in Clients and put the new one into its configuration.';
const watchAdvice = 'No action needed. If it keeps happening, find the program that sends these requests.';
const foreignAdvice = 'Nothing got through. If this was not you, a web page tried to reach your servers.';

/** Explanations of why a request was refused, with advice, by reason. */
const refusalsByReason: Readonly<Record<RefusalReason, Refusal>> = {
  host: { why: 'the request used a different host name', advice: foreignAdvice },
  origin: { why: 'it came from a web page', advice: foreignAdvice },
  path: { why: 'there is nothing at its address', advice: snippetAdvice },
  method: { why: 'it used another HTTP method than the protocol does', advice: snippetAdvice },
  token: { why: 'its token is missing, unknown or revoked', advice: tokenAdvice },
  scope: {
    why: 'its token is for other servers',
    advice: 'Create a client that may use this server, or remove the server from its configuration.',
  },
  'content-type': { why: 'its content was not declared as JSON', advice: snippetAdvice },
  'too-large': {
    why: 'its content was too large',
    advice: 'Send large contents in parts, or as the path of a file.',
  },
  malformed: { why: 'its content was not MCP', advice: snippetAdvice },
  slow: { why: 'it took too long to send its request', advice: watchAdvice },
  rate: { why: 'it tried too many wrong tokens', advice: tokenAdvice },
  busy: { why: 'it had too many requests open', advice: watchAdvice },
  unread: { why: 'it did not read its answers, and too many were waiting', advice: watchAdvice },
  connections: { why: 'there were too many connections', advice: watchAdvice },
};

interface AskRefusal {
  readonly why: (client: Phrase) => string;
  readonly advice: string;
}

/** Explanations of why a server's request was not forwarded to a client, with advice, by reason. */
const askRefusalsByReason: Readonly<Record<AskRefusalReason, AskRefusal>> = {
  nobody: {
    why: () => 'no client had a call in flight that it could belong to',
    advice:
      'It got an error instead of an answer. A server can ask a client only while that client waits for one of its calls.',
  },
  several: {
    why: () => 'several clients had used its process, and it did not say for which one it asked',
    advice:
      'Each client gets its own process from its next session on, unless Sessions says otherwise: start the client again.',
  },
  undeclared: {
    why: (client = 'the client') => `${client} does not accept such questions`,
    advice: 'Use a program that accepts them, or a tool of this server that does not ask.',
  },
  unreachable: {
    why: (client = 'the client') => `${client} was gone`,
    advice: 'Call it once more, and leave the program open until the answer is there.',
  },
};

// These are Maps because the reasons come from the journal, to which another version may have written reasons unknown here.
const refusals: ReadonlyMap<Phrase, Refusal> = new Map(Object.entries(refusalsByReason));
const askRefusals: ReadonlyMap<Phrase, AskRefusal> = new Map(Object.entries(askRefusalsByReason));

const questions: ReadonlyMap<Phrase, string> = new Map([
  ['elicitation/create', 'for input of the user'],
  ['sampling/createMessage', 'for an answer of a model'],
  ['roots/list', 'for folders to work in'],
]);

/** Text about what a server requests from its client: "for input of the user". */
const askedFor = (method: Phrase): Phrase => questions.get(method) ?? said(method);
