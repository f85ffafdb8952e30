import type { RefusalReason } from '../../shared/gateway.ts';
import { readText, type Detail } from './detail-fields.ts';

const wordsOf: Readonly<Record<RefusalReason, string>> = {
  host: 'the request used a different host name',
  origin: 'it came from a web page',
  path: 'there is nothing at its address',
  method: 'it used another HTTP method than the protocol does',
  token: 'its token is missing, unknown or revoked',
  scope: 'its token is for other servers',
  'content-type': 'what it sent was not declared as JSON',
  'too-large': 'what it sent was too large',
  malformed: 'what it sent was not the protocol',
  slow: 'it took too long to send its request',
  rate: 'it tried too many wrong tokens',
  busy: 'it had too many requests open',
  unread: 'it did not read its answers, and too much waited for it',
  connections: 'there were too many connections',
};

const snippetAdvice = 'If it is yours, compare its configuration with what “Renew” in Clients shows.';
const watchAdvice = 'No action needed. If it keeps happening, find the program that sends these requests.';
const foreignAdvice = 'Nothing got through. If you did not do this, a web page tried to reach your servers.';

const adviceOf: Readonly<Record<RefusalReason, string>> = {
  host: foreignAdvice,
  origin: foreignAdvice,
  path: snippetAdvice,
  method: snippetAdvice,
  token: 'If it is yours, renew its token in Clients and put the new one into its configuration.',
  scope: 'Make a client that may use this server, or take the server out of its configuration.',
  'content-type': snippetAdvice,
  'too-large': 'Hand over large contents in parts, or by the path of a file.',
  malformed: snippetAdvice,
  slow: watchAdvice,
  rate: 'If it is yours, renew its token in Clients and put the new one into its configuration.',
  busy: watchAdvice,
  unread: watchAdvice,
  connections: watchAdvice,
};

/** Why a request was refused. Undefined for a reason that this version does not know. */
export const refusalWords = (detail: Detail): string | undefined => valueOf(wordsOf, detail);

/** What to do about it. */
export const refusalAdvice = (detail: Detail): string | undefined => valueOf(adviceOf, detail);

function valueOf(table: Readonly<Record<RefusalReason, string>>, detail: Detail): string | undefined {
  const reason = readText(detail, 'reason');
  return reason !== undefined && Object.hasOwn(table, reason) ? table[reason as RefusalReason] : undefined;
}
