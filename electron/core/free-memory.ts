/**
 * Frees the memory of a buffer immediately and empties the buffer, if the buffer covers all of its memory except a trailing
 * line break. Otherwise the memory stays in use until V8 has marked its whole heap. The caller must be the only user of the
 * bytes. Node.js 20 does not support this and leaves the buffer unchanged.
 */
export function freeMemory({ length, byteOffset, buffer }: Buffer): void {
  const isAll = byteOffset === 0 && length > 0 && buffer.byteLength - length <= 1;
  if (isAll) (buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}
