import { EnvelopeScanner } from '../../electron/core/supervisor/connection/envelope-scanner.ts';
import type { LongMessage, RawResult } from '../../electron/core/supervisor/connection/long-message.ts';

/** Message as a transport hands it on when it is too long to be parsed; for a test it need not be long. */
export function asLong(message: unknown): LongMessage {
  const scanner = new EnvelopeScanner();
  scanner.push(Buffer.from(JSON.stringify(message)));
  const scanned = scanner.end();
  if (scanned.is !== 'message') throw new Error(`It is no message: ${scanned.is}.`);
  return scanned.message;
}

/** Results of a request, in each of the two ways in which they may come. */
export const rawResults = [
  ['parsed', (result: Record<string, unknown>): RawResult => ({ kind: 'parsed', result })],
  ['long', (result: Record<string, unknown>): RawResult => longResult(JSON.stringify(result))],
] as const;

/**
 * Long result.
 * @param json the result, which may be nested more deeply than `JSON.stringify` can
 */
export function longResult(json: string): RawResult {
  const scanner = new EnvelopeScanner();
  scanner.push(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${json}}`));
  const scanned = scanner.end();
  if (scanned.is !== 'message') throw new Error(`It is no message: ${scanned.is}.`);
  return { kind: 'long', message: scanned.message };
}
