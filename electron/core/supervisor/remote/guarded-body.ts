import type { PanelError } from '../../../../shared/error-codes.ts';
import { excerptOf, type FrameNoise } from '../connection/frame-reader.ts';
import { answeredIdIn, type UnreadableAnswer } from '../connection/unreadable-answer.ts';
import { hasMoreItems } from './batch-size.ts';
import { unreadableAnswer } from './remote-errors.ts';
import { EventStreamGuard, type LongEvent } from './event-stream-guard.ts';

export interface BodyHooks {
  /** Something came from the server. */
  readonly onBytes: () => void;
  readonly onNoise: (noise: FrameNoise) => void;
  /** A noise, which was told just before, was meant to answer a request. */
  readonly onUnreadableAnswer: (answer: UnreadableAnswer) => void;
}

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** A body cut into what may be handled in one turn. */
export type BodyParts = AsyncGenerator<Uint8Array, void>;

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** The panel sends none, so nothing has to answer with one; revision 2025-03-26 allows them. */
const MAX_BATCH = 100;
const EDGE_BYTES = 256;
const FIRST_BYTES = 4096;

/** The events of a stream, a bounded part of it per turn of the event loop. @throws PanelError PROTOCOL_ERROR */
export async function* eventParts(reader: BodyReader, hooks: BodyHooks): BodyParts {
  const guard = new EventStreamGuard({ onLongEvent: (event) => tellLongEvent(event, hooks) });
  for await (const chunk of chunksOf(reader, hooks)) {
    for (const part of guard.parts(chunk)) {
      yield part;
      await nextTurn();
    }
    // One that is skipped has no parts, and more of it is there already.
    await nextTurn();
  }
  guard.end();
}

/** A body that is one message: as a whole, once it is known to be bearable. @throws PanelError PROTOCOL_ERROR */
export async function* messageParts(reader: BodyReader, hooks: BodyHooks): BodyParts {
  let message: Buffer = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of chunksOf(reader, hooks)) {
    const needed = length + chunk.length;
    if (needed > MAX_MESSAGE_BYTES) {
      const fault = `it has more than the ${MAX_MESSAGE_BYTES} bytes that a message may have`;
      throw refused({ noise: 'too-long', excerpt: excerptOf(message), bytes: needed }, fault, hooks);
    }
    // Into one buffer that doubles: a chunk may be a single byte, and each would hold its own memory.
    if (needed > message.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, message.length * 2, FIRST_BYTES));
      message.copy(larger, 0, 0, length);
      message = larger;
    }
    chunk.copy(message, length);
    length = needed;
  }
  message = message.subarray(0, length);
  if (hasMoreItems(message, MAX_BATCH)) {
    const fault = `it is a batch of more than ${MAX_BATCH} messages`;
    throw refused({ noise: 'too-many', excerpt: excerptOf(message), bytes: length }, fault, hooks);
  }
  if (length > 0) yield message;
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

function tellLongEvent({ head, tail, bytes }: LongEvent, hooks: BodyHooks): void {
  hooks.onNoise({ noise: 'too-long', excerpt: excerptOf(head), bytes });
  const id = answeredIdIn(head.subarray(0, EDGE_BYTES), tail);
  const fault = `it has ${bytes} bytes, more than an event may have`;
  if (id !== undefined) hooks.onUnreadableAnswer({ id, fault });
}

function refused(noise: FrameNoise, fault: string, { onNoise }: BodyHooks): PanelError {
  onNoise(noise);
  return unreadableAnswer(fault, { noise: noise.noise, bytes: noise.bytes });
}

/** Whatever else waits comes first. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
