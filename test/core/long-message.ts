import { readLong, type LongMessage, type RawResult } from '../../electron/core/mcp/long-message.ts';
import { nextTurn } from '../../electron/core/next-turn.ts';
import { joined } from '../../electron/core/mcp/bytes.ts';
import { answerTo } from '../../electron/core/mcp/worker/answer.ts';
import type { ParserAnswers, LongReader, ParserRequest } from '../../electron/core/mcp/worker/questions.ts';

/** What the thread of long messages does, without the thread. */
export const readHere: LongReader = {
  async ask<K extends keyof ParserAnswers>(parts: readonly Buffer[], question: ParserRequest) {
    await nextTurn();
    return structuredClone(answerTo(joined(parts), question)) as ParserAnswers[K];
  },
};

/** Message as a transport hands it on when it is too long to be parsed; for a test it need not be long. */
export function asLong(message: unknown): LongMessage {
  return longOf(JSON.stringify(message));
}

/** The same of an error, which is parsed before it is handed on. */
export async function asLongError(message: unknown): Promise<LongMessage> {
  const read = await readLong([Buffer.from(JSON.stringify(message))], readHere);
  if (read.is !== 'message') throw new Error('It is no message.');
  return read.message;
}

function longOf(json: string, reader = readHere): LongMessage {
  const read = readLong([Buffer.from(json)], reader);
  if (read instanceof Promise || read.is !== 'message') throw new Error('Its edges do not tell what it is.');
  return read.message;
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
export function longResult(json: string, reader = readHere): RawResult {
  return { kind: 'long', message: longOf(`{"jsonrpc":"2.0","id":1,"result":${json}}`, reader) };
}
