import type { RefusalReason } from '../../shared/gateway.ts';
import { readText, type Detail } from './detail-fields.ts';

const wordsOf: Readonly<Record<RefusalReason, string>> = {
  'no-token': 'it sent no token',
  'unknown-token': 'its token is unknown or was revoked',
  'out-of-scope': 'its token is for other servers',
  host: 'it asked under a foreign host name',
  origin: 'it came from a web page',
  'too-many': 'it asked too often',
};

const adviceOf: Readonly<Record<RefusalReason, string>> = {
  'no-token':
    'Put the header of its snippet into its configuration; a new one is made with Renew in Clients.',
  'unknown-token': 'If it is yours, renew its token in Clients and put the new one into its configuration.',
  'out-of-scope': 'Make a client that may use this server, or take the server out of its configuration.',
  host: 'Use the address as it stands in Clients. If you did not do this, a web page may have tried to reach your servers.',
  origin: 'Nothing got through. If you did not do this, a web page tried to reach your servers.',
  'too-many': 'Nothing is to be done unless it goes on: then look which program does this.',
};

/** Why a request was refused. Undefined for a reason that this version does not know. */
export const refusalWords = (detail: Detail): string | undefined => valueOf(wordsOf, detail);

/** What to do about it. */
export const refusalAdvice = (detail: Detail): string | undefined => valueOf(adviceOf, detail);

function valueOf(table: Readonly<Record<RefusalReason, string>>, detail: Detail): string | undefined {
  const reason = readText(detail, 'reason');
  return reason !== undefined && Object.hasOwn(table, reason) ? table[reason as RefusalReason] : undefined;
}
