import type { Readable } from 'node:stream';

const TURN_BYTES = 16 * 1024;

/**
 * Hands on what a stream brings, a bounded part of it per turn of the event loop. Node.js empties a pipe up to 32 times
 * before it looks at anything else, so that a server that floods one would hold up all others for seconds.
 */
export function readInTurns(stream: Readable, onPart: (part: Buffer) => void): void {
  let waiting: Buffer[] = [];
  const takeTurn = () => {
    const [first, ...others] = waiting;
    if (!first) return;
    const rest = first.subarray(TURN_BYTES);
    waiting = rest.length > 0 ? [rest, ...others] : others;
    try {
      onPart(first.subarray(0, TURN_BYTES));
    } finally {
      // A part that its reader stumbles over must not be the last one.
      if (waiting.length > 0) setImmediate(takeTurn);
      else stream.resume();
    }
  };
  stream.on('data', (chunk: Buffer) => {
    // More only while it is paused: somebody else has resumed it.
    const isIdle = waiting.length === 0;
    waiting.push(chunk);
    if (!isIdle) return;
    if (chunk.length > TURN_BYTES) stream.pause();
    takeTurn();
  });
}
