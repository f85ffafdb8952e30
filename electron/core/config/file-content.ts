import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { openForReading, readSpan, tooLarge } from '../files/regular-file.ts';

/** What stands on disk under a path at one moment. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly hasBom: boolean; readonly signature: string }
  | { readonly kind: 'gone' }
  /** There is something, but no text of ours: a folder, another encoding, a file that may not be read. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** More than any configuration needs; a log that lies here by mistake is not read into memory. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads the whole file. Never throws. `text` comes without its byte order mark. */
export async function readContent(path: string): Promise<FileContent> {
  try {
    return await readOpened(path);
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'gone' }
      : { kind: 'unreadable', reason: describeErrno(error) };
  }
}

/** Changes with every replacement of the file and with every write to it that moves its time stamps. Never throws. */
export async function readSignature(path: string): Promise<string> {
  try {
    return signatureOf(await stat(path, { bigint: true }));
  } catch (error) {
    return errnoOf(error) ?? 'unreadable';
  }
}

/** The text as it is stored. */
export function encodeText(text: string, hasBom: boolean): string {
  return hasBom ? BYTE_ORDER_MARK + text : text;
}

/** The system's code ("EACCES") of an error, where it has one. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why a file operation failed, for people. */
export function describeErrno(error: unknown): string {
  const code = errnoOf(error);
  if (code === 'EACCES' || code === 'EPERM') return `permission denied (${code})`;
  if (code === 'EROFS') return 'the file system is read-only (EROFS)';
  if (code === 'ENOSPC' || code === 'EDQUOT') return `there is no space left (${code})`;
  return error instanceof Error ? error.message : String(error);
}

async function readOpened(path: string): Promise<FileContent> {
  const file = await openForReading(path);
  try {
    const stats = await file.stat({ bigint: true });
    if (stats.size > BigInt(MAX_FILE_BYTES)) throw tooLarge(MAX_FILE_BYTES);
    const text = decodeUtf8(await readSpan(file, 0, Number(stats.size)));
    if (text === undefined) return { kind: 'unreadable', reason: 'it is not UTF-8 text' };
    const hasBom = text.startsWith(BYTE_ORDER_MARK);
    return { kind: 'text', text: hasBom ? text.slice(1) : text, hasBom, signature: signatureOf(stats) };
  } finally {
    await file.close();
  }
}

/** Undefined for anything else than UTF-8: decoded with replacements, it would be written back damaged. */
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
