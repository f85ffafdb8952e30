import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errnoOf } from '../errno.ts';
import { describeErrno } from './file-errors.ts';
import { openForReading, readSpan, tooLarge } from './regular-file.ts';

/** Content on disk under a path at one moment. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly hasBom: boolean; readonly signature: string }
  | { readonly kind: 'gone' }
  /** The path exists without usable text: a folder, another encoding, a file without read permission. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Maximum size, more than any configuration needs, so that a misplaced log is not read into memory. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads the whole file. Never throws. `text` comes without its byte order mark. */
export async function readContent(path: string, maxBytes = MAX_FILE_BYTES): Promise<FileContent> {
  try {
    return await readOpened(path, maxBytes);
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'gone' }
      : { kind: 'unreadable', reason: describeErrno(error) };
  }
}

/** Returns a signature that changes with every replacement of the file and every write that changes its time stamps. Never throws. */
export async function readSignature(path: string): Promise<string> {
  try {
    return signatureOf(await stat(path, { bigint: true }));
  } catch (error) {
    return errnoOf(error) ?? 'unreadable';
  }
}

/** Encodes the text for storage. */
export function encodeText(text: string, hasBom: boolean): string {
  return hasBom ? BYTE_ORDER_MARK + text : text;
}

/** Reports whether two reads gave the same content. */
export function isSameContent(one: FileContent, other: FileContent): boolean {
  if (one.kind !== 'text' || other.kind !== 'text') return one.kind === other.kind;
  return one.text === other.text;
}

async function readOpened(path: string, maxBytes: number): Promise<FileContent> {
  const file = await openForReading(path);
  try {
    const stats = await file.stat({ bigint: true });
    if (stats.size > BigInt(maxBytes)) throw tooLarge(maxBytes);
    const text = decodeUtf8(await readSpan(file, 0, Number(stats.size)));
    if (text === undefined) return { kind: 'unreadable', reason: 'it is not UTF-8 text' };
    const hasBom = text.startsWith(BYTE_ORDER_MARK);
    return { kind: 'text', text: hasBom ? text.slice(1) : text, hasBom, signature: signatureOf(stats) };
  } finally {
    await file.close();
  }
}

/** Decodes UTF-8; undefined for other encodings, because replacement characters would be written back and damage the file. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the only error that a fatal decoder throws
  }
}

function signatureOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
