import { PanelError } from '../../../../shared/error-codes.ts';
import type { BoundedData, DataBounds } from '../../../../shared/plain-data.ts';
import { nextTurn } from '../../next-turn.ts';
import { JsonBuilder } from './json-builder.ts';
import { JsonScanner, type JsonSink } from './json-scanner.ts';
import type { LongMessage, RawResult } from './long-message.ts';

/** What is read of a body in one turn: a millisecond or two, if it is made of the smallest values. */
const TURN_BYTES = 16 * 1024;
/** More values than this are no result that anybody could use as a whole; see `boundBody`. */
const MAX_VALUES = 100_000;
/** So few are parsed at once, where the bytes are few as well. */
const [PARSED_AT_ONCE_VALUES, PARSED_AT_ONCE_BYTES] = [5000, 1024 * 1024];

const WHOLE: DataBounds = {
  maxDepth: Infinity,
  maxEntries: Infinity,
  maxValues: Number.MAX_SAFE_INTEGER,
  maxTextLength: Infinity,
  maxTotalLength: Infinity,
  cutTexts: 'end',
};

/**
 * Reads the body of a long message, a bounded part of it per turn of the event loop.
 * @throws what the signal was aborted with
 */
export async function readBody(bytes: Buffer, sink: JsonSink, signal?: AbortSignal): Promise<void> {
  const scanner = new JsonScanner(sink);
  for (let start = 0; start < bytes.length; start += TURN_BYTES) {
    if (start > 0) await nextTurn();
    signal?.throwIfAborted();
    scanner.push(bytes.subarray(start, start + TURN_BYTES));
  }
  scanner.end();
}

/** The bytes of the body: an object, or nothing. */
export function bodyOf({ bytes, bodySpan }: LongMessage): Buffer {
  return bodySpan ? bytes.subarray(bodySpan.start, bodySpan.end) : Buffer.alloc(0);
}

/**
 * The whole body as a value, parsed in turns.
 * @throws PanelError PROTOCOL_ERROR when it holds more than 100 000 values; what the signal was aborted with
 */
export async function parseBody(
  message: LongMessage,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const { valueCount } = message;
  const bytes = bodyOf(message);
  if (valueCount > MAX_VALUES) {
    const found = `It holds ${valueCount} values; at most ${MAX_VALUES} are read.`;
    throw new PanelError('PROTOCOL_ERROR', `The message of the server is too large. ${found}`, {
      data: { valueCount, bytes: message.bytes.length },
    });
  }
  if (valueCount <= PARSED_AT_ONCE_VALUES && bytes.length <= PARSED_AT_ONCE_BYTES)
    return JSON.parse(bytes.toString()) as Record<string, unknown>;
  return (await boundBody(message, WHOLE, signal)).value;
}

/**
 * The body within `bounds`, and what it lacks, read in turns and never built as a whole.
 * @throws what the signal was aborted with
 */
export async function boundBody(
  message: LongMessage,
  bounds: DataBounds,
  signal?: AbortSignal,
): Promise<BoundedData> {
  const bytes = bodyOf(message);
  const builder = new JsonBuilder(bytes, bounds);
  await readBody(bytes, builder, signal);
  return builder.built;
}

/** The result as a value. @throws as `parseBody` does */
export async function parsedResult(raw: RawResult, signal?: AbortSignal): Promise<Record<string, unknown>> {
  return raw.kind === 'parsed' ? raw.result : parseBody(raw.message, signal);
}
