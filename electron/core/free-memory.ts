/**
 * Gives the memory of a buffer back at once, if it is all of it but for a line break behind it, and empties the buffer. Left to
 * the collector, it weighs until V8 has marked its whole heap. The caller is the only user of the bytes. Node.js 20 cannot do it
 * and leaves it.
 */
export function freeMemory({ length, byteOffset, buffer }: Buffer): void {
  const isAll = byteOffset === 0 && length > 0 && buffer.byteLength - length <= 1;
  if (isAll) (buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}
