import type { Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import { createDeferred, type Deferred } from './deferred.ts';
import { freeMemory } from './free-memory.ts';
import { LONGEST_PART_BYTES, ReadPace } from './read-pace.ts';

/** Receives the data of a stream. */
export interface PartSink {
  readonly onPart: (part: Buffer) => void;
  /** True if `onPart` would only store the chunk, such as the middle of a long line. The chunk is then passed on whole. */
  readonly onlyKeeps?: (chunk: Buffer) => boolean;
  /**
   * Returns true if `onPart` still uses the memory of its last part. If it returns false, the memory of the chunk is freed
   * immediately; without this function, it is left to the garbage collector.
   */
  readonly keepsPart?: () => boolean;
  /** Called when the stream has ended or failed and all parts were passed on. Reading is done when the returned value settles. */
  readonly onEnd?: () => unknown;
}

/** Progress of the reading of a stream. */
export interface StreamReading {
  /** Settles right after the value returned by `onEnd` has settled. */
  readonly done: Promise<void>;
  /** Counter that grows with each chunk received and each part passed on. While it does not change, no data is waiting here. */
  readonly steps: number;
}

/**
 * Passes on the data of a stream in bounded parts, one per event-loop tick. Node.js reads from a pipe up to 32 times before it
 * handles anything else, so a server that floods a pipe would block all others for seconds.
 * @param clock if given, a stream that takes too much of the event loop's time for too long is paused in between, see
 * `ReadPace`
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
      // Reading continues even if the receiver throws while handling this part.
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
    // Node.js itself resumes the output streams of a child that has exited; a process that has the pipe open may flood it.
    if (!isIdle || chunk.length > partBytesOf(chunk, sink, pace)) stream.pause();
    if (isIdle) takeTurn();
  });
  // If other code has resumed the stream, its end may come before the parts that still wait are passed on.
  stream.once('end', ended);
  stream.once('close', ended);
  // A broken pipe counts as the end of the stream. The exit of the process gives the reason.
  stream.on('error', ended);
  return {
    done: done.promise,
    get steps() {
      return steps;
    },
  };
}

/** Returns a function that passes parts on. It frees a chunk once all of it is passed on and the receiver keeps no part of it. */
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

/** Number of bytes of the chunk that may be passed on in one tick. */
function partBytesOf(chunk: Buffer, { onlyKeeps }: PartSink, pace: ReadPace | undefined): number {
  const bytes = pace?.partBytes ?? LONGEST_PART_BYTES;
  return chunk.length > bytes && onlyKeeps?.(chunk) === true ? chunk.length : bytes;
}

/** Settles `done` right after the value returned by `onEnd` has settled. */
function settleAfter(onEnd: PartSink['onEnd'], done: Deferred<void>): void {
  let ended: unknown;
  try {
    ended = onEnd?.();
  } finally {
    void Promise.resolve(ended).finally(() => done.resolve());
  }
}
