const TURN_BYTES = 32 * 1024;

/** Bytes cut into what may be handled in one turn of the event loop. */
export function* slicesOf(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += TURN_BYTES) yield bytes.subarray(at, at + TURN_BYTES);
}
