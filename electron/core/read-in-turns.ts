import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import { createDeferred, type Deferred } from './deferred.ts';
import { freeMemory } from './free-memory.ts';
import { LONGEST_PART_BYTES, ReadPace } from './read-pace.ts';

/** Receiver of the data of a stream. */
export interface PartSink {
  readonly onPart: (part: Buffer) => void;
  /** Whether `onPart` only keeps the chunk, such as the middle of a long line: it is then handed on whole. */
  readonly onlyKeeps?: (chunk: Buffer) => boolean;
  /** Whether `onPart` still uses the memory of its last part. That of an unused chunk is given back at once; without this, never. */
  readonly keepsPart?: () => boolean;
  /**
   * Called when the stream has ended or broken, and every part was passed to `onPart`. The reading is done when the returned
   * value has settled.
   */
  readonly onEnd?: () => unknown;
}

/** How far the reading of a stream has come. */
export interface StreamReading {
  /** Settles right after `onEnd` has. */
  readonly done: Promise<void>;
  /** Grows with all that comes and with all that is handed on; while it stands still, nothing is left that we hold. */
  readonly steps: number;
}

/**
 * Hands on what a stream brings, a bounded part of it per turn of the event loop. Node.js empties a pipe up to 32 times
 * before it looks at anything else, so that a server that floods one would hold up all others for seconds.
 * @param clock with it, a stream that takes too much of the time for too long rests in between, see `ReadPace`
 */
export function readInTurns(stream: Readable, sink: PartSink, clock?: Clock): StreamReading {
  const { onEnd } = sink;
  const pace = clock && new ReadPace(clock);
  const done = createDeferred<void>();
  let waiting: Buffer[] = [];
  let steps = 0;
  let hasEnded = false;
  let isResting = false;
  const finish = () => settleAfter(onEnd, done);
  const handOn = handerOn(sink, pace);
  const takeTurn = () => {
    isResting = false;
    const [first, ...others] = waiting;
    if (!first) return goOn();
    const bytes = partBytesOf(first, sink, pace);
    const part = first.subarray(0, bytes);
    waiting = bytes < first.length ? [first.subarray(bytes), ...others] : others;
    steps += 1;
    try {
      handOn(first, part);
    } finally {
      // A part that its reader stumbles over must not be the last one.
      goOn();
    }
  };
  const goOn = () => {
    const restMs = hasEnded ? 0 : (pace?.restMs() ?? 0);
    if (clock && restMs > 0) {
      isResting = true;
      stream.pause();
      clock.setTimeout(takeTurn, restMs);
    } else if (waiting.length > 0) setImmediate(takeTurn);
    else if (hasEnded) finish();
    else stream.resume();
  };
  const ended = () => {
    if (hasEnded) return;
    hasEnded = true;
    if (waiting.length === 0 && !isResting) finish();
  };
  stream.on('data', (chunk: Buffer) => {
    steps += 1;
    const isIdle = waiting.length === 0 && !isResting;
    waiting.push(chunk);
    // Node.js itself resumes the outputs of a child that has exited, and whoever still holds the pipe may flood it.
    if (!isIdle || chunk.length > partBytesOf(chunk, sink, pace)) stream.pause();
    if (isIdle) takeTurn();
  });
  // The end comes before parts that wait for their turn where somebody else has resumed the stream.
  stream.once('end', ended);
  stream.once('close', ended);
  // A pipe that breaks is the end of it; the exit tells why.
  stream.on('error', ended);
  return {
    done: done.promise,
    get steps() {
      return steps;
    },
  };
}

/** Hands parts on, and gives the memory of a chunk back once all of it was handed on and no part is kept. */
function handerOn({ onPart, keepsPart }: PartSink, pace: ReadPace | undefined) {
  let unkept: Buffer | undefined;
  return (rest: Buffer, part: Buffer) => {
    const chunk = rest.byteOffset === 0 ? rest : unkept;
    unkept = undefined;
    if (pace) pace.handle(() => onPart(part));
    else onPart(part);
    if (keepsPart?.() === false) unkept = chunk;
    if (unkept && part.length === rest.length) freeMemory(unkept);
  };
}

/** Number of bytes of the chunk that may be handed on at once. */
function partBytesOf(chunk: Buffer, { onlyKeeps }: PartSink, pace: ReadPace | undefined): number {
  const bytes = pace?.partBytes ?? LONGEST_PART_BYTES;
  return chunk.length > bytes && onlyKeeps?.(chunk) === true ? chunk.length : bytes;
}

/** Settles `done` right after what `onEnd` returns has settled. */
function settleAfter(onEnd: PartSink['onEnd'], done: Deferred<void>): void {
  let ended: unknown;
  try {
    ended = onEnd?.();
  } finally {
    void Promise.resolve(ended).finally(() => done.resolve());
  }
}
