import type { PanelError } from '../../../../shared/error-codes.ts';
import { nextTurn } from '../../next-turn.ts';
import { ByteBuffer } from '../connection/byte-buffer.ts';
import type { EnvelopeScanner } from '../connection/envelope-scanner.ts';
import { excerptOf, type FrameNoise } from '../connection/frame-reader.ts';
import { answeredIdIn, type UnreadableAnswer } from '../connection/unreadable-answer.ts';
import { hasMoreItems, MAX_BATCH } from './batch-size.ts';
import { EventStreamGuard, type SkippedEvent } from './event-stream-guard.ts';
import { LongReply, SHORT_BYTES, standInOf, type LongHooks } from './long-reply.ts';
import { unreadableAnswer } from './remote-errors.ts';
import { slicesOf } from './slices.ts';

export interface BodyHooks extends LongHooks {
  /** Something came from the server. */
  readonly onBytes: () => void;
  /** A noise, which was told just before, was meant to answer a request. */
  readonly onUnreadableAnswer: (answer: UnreadableAnswer) => void;
}

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** A body cut into what may be handled in one turn. */
export type BodyParts = AsyncGenerator<Uint8Array, void>;

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const EDGE_BYTES = 256;

/** The events of a stream, a bounded part of it per turn of the event loop. @throws PanelError PROTOCOL_ERROR */
export async function* eventParts(reader: BodyReader, hooks: BodyHooks): BodyParts {
  const guard = new EventStreamGuard({
    onSkipped: (event) => tellSkipped(event, hooks),
    onLongData: (scanner) => standInOrNoise(scanner, hooks),
  });
  for await (const chunk of chunksOf(reader, hooks))
    for (const slice of slicesOf(chunk)) {
      for (const part of guard.parts(slice)) {
        yield part;
        await nextTurn();
      }
      // What is scanned or skipped has no parts, and more of it is there already.
      await nextTurn();
    }
  guard.end();
}

/** A body that is one message: as a whole where it is short, else what stands for it. @throws PanelError PROTOCOL_ERROR */
export async function* messageParts(reader: BodyReader, hooks: BodyHooks): BodyParts {
  const short = new ByteBuffer();
  let long: LongReply | undefined;
  for await (const chunk of chunksOf(reader, hooks))
    for (const slice of slicesOf(chunk)) {
      if ((long?.byteLength ?? short.length) + slice.length > MAX_MESSAGE_BYTES)
        throw tooLong((long ?? short).bytes, slice, hooks);
      if (long) long.push(slice);
      else short.append(slice);
      if (!long && short.length > SHORT_BYTES) long = new LongReply(short.bytes);
      if (long?.hasTooMany === true) throw tooMany(long.bytes, hooks);
      if (long) await nextTurn();
    }
  if (long) return yield* standInParts(long, hooks);
  if (hasMoreItems(short.bytes, MAX_BATCH)) throw tooMany(short.bytes, hooks);
  if (short.length > 0) yield short.bytes;
}

async function* standInParts(body: LongReply, hooks: BodyHooks): BodyParts {
  const standIn = await body.standIn(hooks);
  if (typeof standIn !== 'string') throw refused(standIn.noise, standIn.words, hooks);
  yield Buffer.from(standIn);
}

function tooLong(read: Buffer, slice: Buffer, hooks: BodyHooks): PanelError {
  const bytes = read.length + slice.length;
  const fault = `it has more than the ${MAX_MESSAGE_BYTES} bytes that a message may have`;
  return refused({ noise: 'too-long', excerpt: excerptOf(read), bytes }, fault, hooks);
}

function tooMany(read: Buffer, hooks: BodyHooks): PanelError {
  const fault = `it is a batch of more than ${MAX_BATCH} messages`;
  return refused({ noise: 'too-many', excerpt: excerptOf(read), bytes: read.length }, fault, hooks);
}

/** What stands for the data of a long event; undefined where it is no message, which is told. */
function standInOrNoise(scanner: EnvelopeScanner, hooks: BodyHooks): string | undefined {
  const standIn = standInOf(scanner, hooks);
  if (typeof standIn === 'string') return standIn;
  hooks.onNoise(standIn.noise);
  if (standIn.answer) hooks.onUnreadableAnswer(standIn.answer);
  return undefined;
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
    // Also when it was not read to its end.
    void reader.cancel().catch(() => undefined);
  }
}

function tellSkipped({ head, tail, bytes }: SkippedEvent, hooks: BodyHooks): void {
  hooks.onNoise({ noise: 'too-long', excerpt: excerptOf(head), bytes });
  const id = answeredIdIn(head.subarray(0, EDGE_BYTES), tail);
  const fault = `it has ${bytes} bytes, more than an event may have`;
  if (id !== undefined) hooks.onUnreadableAnswer({ id, fault });
}

function refused(noise: FrameNoise, fault: string, { onNoise }: BodyHooks): PanelError {
  onNoise(noise);
  return unreadableAnswer(fault, { noise: noise.noise, bytes: noise.bytes });
}
