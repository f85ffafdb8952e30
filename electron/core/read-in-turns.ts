import type { Readable } from 'node:stream';
import { createDeferred } from './deferred.ts';

const TURN_BYTES = 16 * 1024;

/** Who gets what a stream brings. */
export interface PartSink {
  readonly onPart: (part: Buffer) => void;
  /** The stream has ended or broken, and every part was handed on. */
  readonly onEnd?: () => void;
}

/** How far the reading of a stream has come. */
export interface Reading {
  /** Settles right after `onEnd`. */
  readonly done: Promise<void>;
  /** Grows with all that comes and with all that is handed on; while it stands still, nothing is left that we hold. */
  readonly steps: number;
}

/**
 * Hands on what a stream brings, a bounded part of it per turn of the event loop. Node.js empties a pipe up to 32 times
 * before it looks at anything else, so that a server that floods one would hold up all others for seconds.
 */
export function readInTurns(stream: Readable, { onPart, onEnd }: PartSink): Reading {
  const done = createDeferred<void>();
  let waiting: Buffer[] = [];
  let steps = 0;
  let hasEnded = false;
  const finish = () => {
    try {
      onEnd?.();
    } finally {
      done.resolve();
    }
  };
  const takeTurn = () => {
    const [first, ...others] = waiting;
    if (!first) return;
    const rest = first.subarray(TURN_BYTES);
    waiting = rest.length > 0 ? [rest, ...others] : others;
    steps += 1;
    try {
      onPart(first.subarray(0, TURN_BYTES));
    } finally {
      // A part that its reader stumbles over must not be the last one.
      if (waiting.length > 0) setImmediate(takeTurn);
      else if (hasEnded) finish();
      else stream.resume();
    }
  };
  const ended = () => {
    if (hasEnded) return;
    hasEnded = true;
    if (waiting.length === 0) finish();
  };
  stream.on('data', (chunk: Buffer) => {
    steps += 1;
    const isIdle = waiting.length === 0;
    waiting.push(chunk);
    // Node.js itself resumes the outputs of a child that has exited, and whoever still holds the pipe may flood it.
    if (!isIdle || chunk.length > TURN_BYTES) stream.pause();
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
