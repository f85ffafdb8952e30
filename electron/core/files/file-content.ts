import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errnoOf } from '../errno.ts';
import { describeErrno } from './file-errors.ts';
import { openForReading, readSpan, tooLarge } from './regular-file.ts';
import { type Clock, delayInStep, type Disposable } from '../clock.ts';

/** Content on disk under a path at one moment. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string; readonly hasBom: boolean; readonly signature: string }
  | { readonly kind: 'gone' }
  /** The path exists, but has no usable text: a folder, another encoding, a file without read permission. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Maximum bytes of a file, more than any configuration needs, so that a misplaced log is not read into memory. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = '\uFEFF';

/** Reads the whole file. Never throws. `text` does not include the byte order mark. */
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

/** True if two reads gave the same content. */
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

/**
 * Decodes UTF-8. Returns undefined for other encodings, because a lenient decoder would insert replacement characters, which
 * the panel's next write would store.
 */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // A fatal decoder throws only one kind of error: the bytes are not UTF-8.
  }
}

function signatureOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/**
 * Milliseconds between two polls. All files are polled at the same moments, so that the process wakes up less often. With the
 * wait for half-written files, an edit is noticed well within a second.
 */
const POLL_MS = 400;

interface FilePollOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Called when the file may have changed, and again one poll later, because two fast writes may have equal time stamps. */
  readonly onTouched: () => void;
}

/**
 * Polls the time stamps of one file. `fs.watch` is not used, because on a folder with a database and logs it fires for every
 * write to those, and it is silent on network drives. A poll of one file costs only microseconds.
 */
export function pollFile({ path, clock, onTouched }: FilePollOptions): Disposable {
  let isDisposed = false;
  let known: string | undefined;
  let wasTouched = false;
  const lookLater = () => clock.setTimeout(() => void look(), delayInStep(clock.now(), POLL_MS));
  const look = async () => {
    const signature = await readSignature(path);
    if (isDisposed) return;
    const isTouched = known !== signature;
    known = signature;
    if (isTouched || wasTouched) onTouched();
    wasTouched = isTouched;
    timer = lookLater();
  };
  let timer: Disposable = lookLater();
  return {
    dispose: () => {
      isDisposed = true;
      timer.dispose();
    },
  };
}
