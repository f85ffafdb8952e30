import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { PanelError } from '../../../../shared/error-codes.ts';
import { ByteParts, firstBytes, lengthOf } from '../../mcp/bytes.ts';
import { MAX_PARSED_BYTES, readLong, type LongFault, type LongMessage } from '../../mcp/long-message.ts';
import { outputExcerpt, EXCERPT_BYTES, type MalformedOutput } from '../../mcp/malformed-output.ts';
import { unparsedAnswer, type UnreadableAnswer } from '../../mcp/unreadable-answer.ts';
import { MAX_BATCH, type LongReader } from '../../mcp/worker/questions.ts';
import { nextTurn } from '../../next-turn.ts';
import { EventStreamGuard, UNHEARD, type LongData, type SkippedEvent } from './event-stream-guard.ts';
import { unreadableAnswer } from './remote-errors.ts';

export interface BodyHooks {
  readonly reader: LongReader;
  readonly onBytes: () => void;
  readonly onMalformed: (noise: MalformedOutput) => void;
  /** Called after `onMalformed` if the malformed output was meant as the response to a request. */
  readonly onUnreadableAnswer: (answer: UnreadableAnswer) => void;
  /** Keeps a long message; returns the placeholder that the SDK gets. */
  readonly standInFor: (message: LongMessage) => string;
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** A body that is split into parts, each small enough for one event-loop tick. */
export type BodyParts = AsyncGenerator<Uint8Array, void>;

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Maximum bytes of a stream that are scanned per event-loop tick. */
const TURN_BYTES = 32 * 1024;

/** Yields the events of a stream, a bounded part per event-loop tick. @throws PanelError PROTOCOL_ERROR */
export async function* eventParts(reader: BodyReader, hooks: BodyHooks): BodyParts {
  const guard = new EventStreamGuard({ onSkipped: (event) => tellSkipped(event, hooks) });
  for await (const chunk of chunksOf(reader, hooks))
    for (let at = 0; at < chunk.length; at += TURN_BYTES) {
      for (const part of guard.parts(chunk.subarray(at, at + TURN_BYTES))) {
        yield Buffer.isBuffer(part) ? part : await eventFor(part, hooks);
        await nextTurn();
      }
      // A tick is also needed if bytes were only stored or skipped, because then no part was yielded, and more input may
      // already be available.
      await nextTurn();
    }
  guard.end();
}

/** Yields a body (a message or a batch) whole if short, otherwise as a placeholder. @throws PanelError PROTOCOL_ERROR */
export async function* messageParts(reader: BodyReader, hooks: BodyHooks): BodyParts {
  const body = new ByteParts();
  for await (const chunk of chunksOf(reader, hooks)) {
    body.append(chunk);
    if (body.length > MAX_PARSED_BYTES) await nextTurn();
    if (body.length > MAX_MESSAGE_BYTES)
      throw refused(
        'too-long',
        `it has more than the ${MAX_MESSAGE_BYTES} bytes that a message may have`,
        body,
        hooks,
      );
  }
  if (body.length > MAX_PARSED_BYTES) yield Buffer.from(await bodyFor(body, hooks));
  else if (body.length > 0) yield shortBody(body, hooks);
}

function shortBody(body: ByteParts, hooks: BodyHooks): Buffer {
  const json = Buffer.concat(body.parts);
  if (isList(json) && lengthOfList(json) > MAX_BATCH) throw tooMany(body, hooks);
  return json;
}

async function bodyFor(body: ByteParts, hooks: BodyHooks): Promise<string> {
  if (isList(firstBytes(body.parts, EXCERPT_BYTES))) return batchFor(body, hooks);
  const read = await standInOf(body.parts, hooks);
  if (typeof read === 'string') return read;
  throw refused(read.noise, read.fault, body, hooks);
}

async function batchFor(body: ByteParts, hooks: BodyHooks): Promise<string> {
  const batch = await hooks.reader.ask<'batch'>(body.parts, { ask: 'batch' }).catch(() => undefined);
  if (!batch) throw refused('not-json', 'it is not JSON', body, hooks);
  if (batch.count > MAX_BATCH) throw tooMany(body, hooks);
  const standIns: string[] = [];
  for (const item of batch.items) {
    const bytes = Buffer.from(item);
    const read = await standInOf([bytes], hooks);
    if (typeof read === 'string') standIns.push(read);
    else hooks.onMalformed({ noise: read.noise, excerpt: outputExcerpt(bytes), bytes: bytes.length });
  }
  return `[${standIns.join(',')}]`;
}

async function eventFor({ data }: LongData, hooks: BodyHooks): Promise<Buffer> {
  const read = await standInOf(data, hooks);
  if (typeof read === 'string') return Buffer.from(`data: ${read}\n\n`);
  hooks.onMalformed(malformedOutputOf(read.noise, data));
  if (read.answer) hooks.onUnreadableAnswer(read.answer);
  return UNHEARD;
}

/** Returns the placeholder that the SDK gets for a long message. */
async function standInOf(parts: readonly Buffer[], hooks: BodyHooks): Promise<string | LongFault> {
  const read = await readLong(parts, hooks.reader);
  if (read.is === 'noise') return read;
  if (read.is === 'message') return hooks.standInFor(read.message);
  hooks.onMalformed(malformedOutputOf('too-long', parts));
  return JSON.stringify(read.asked);
}

async function* chunksOf(reader: BodyReader, { onBytes }: BodyHooks): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    // This also runs if the body was not read to its end.
    void reader.cancel().catch(() => undefined);
  }
}

function tellSkipped({ head, tail, bytes }: SkippedEvent, hooks: BodyHooks): void {
  hooks.onMalformed({ noise: 'too-long', excerpt: outputExcerpt(head), bytes });
  const answer = unparsedAnswer(`it has ${bytes} bytes, more than an event may have`, head, tail);
  if (answer) hooks.onUnreadableAnswer(answer);
}

const tooMany = (body: ByteParts, hooks: BodyHooks) =>
  refused('too-many', `it is a batch of more than ${MAX_BATCH} messages`, body, hooks);

/** Returns the error for a refused body. @param fault problem of the body, as a clause of a sentence */
function refused(
  noise: MalformedOutput['noise'],
  fault: string,
  { parts, length }: ByteParts,
  { onMalformed }: BodyHooks,
): PanelError {
  onMalformed(malformedOutputOf(noise, parts));
  return unreadableAnswer(fault, { noise, bytes: length });
}

function malformedOutputOf(noise: MalformedOutput['noise'], parts: readonly Buffer[]): MalformedOutput {
  return { noise, excerpt: outputExcerpt(firstBytes(parts, EXCERPT_BYTES)), bytes: lengthOf(parts) };
}

function isList(json: Buffer): boolean {
  return json.toString('latin1').trimStart().startsWith('[');
}

function lengthOfList(json: Buffer): number {
  try {
    const value: unknown = JSON.parse(json.toString());
    return Array.isArray(value) ? value.length : 0;
  } catch {
    return 0; // The SDK reports the problem of the message.
  }
}

const KEY = 'mcp-control-panel/long-message';

/** Long messages that bypass the SDK, so that it does not parse them. It gets small placeholders with the same ids and order. */
export class StandIns {
  readonly #waiting = new Map<number, LongMessage>();
  #next = 0;

  of(message: LongMessage): string {
    const number = this.#next;
    this.#next += 1;
    this.#waiting.set(number, message);
    const { outline } = message;
    return JSON.stringify(
      !('method' in outline) && outline.id !== undefined
        ? { jsonrpc: '2.0', id: outline.id, result: { [KEY]: number } }
        : { jsonrpc: '2.0', method: KEY, params: { [KEY]: number } },
    );
  }

  /** Removes and returns the long message that this message is the placeholder for; undefined if it is not a placeholder. */
  take(message: JSONRPCMessage): LongMessage | undefined {
    const body = 'result' in message ? message.result : 'method' in message ? message.params : undefined;
    const number = body?.[KEY];
    if (typeof number !== 'number') return undefined;
    const long = this.#waiting.get(number);
    this.#waiting.delete(number);
    return long;
  }
}
