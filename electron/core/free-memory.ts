/**
 * Frees the memory of a buffer immediately, after which the buffer is empty. Without this, the memory stays in use until V8 has
 * marked its whole heap. Does nothing if the buffer is only a part of its memory (a trailing line break does not count), or
 * with Node.js 20, which lacks the function for this. The caller must be the only user of the bytes.
 */
export function freeMemory({ length, byteOffset, buffer }: Buffer): void {
  const isAll = byteOffset === 0 && length > 0 && buffer.byteLength - length <= 1;
  if (isAll) (buffer as { transfer?: (bytes: number) => unknown }).transfer?.(0);
}
