import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { link, mkdir, realpath, rmdir, stat, writeFile, type rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock, WallClock } from '../clock.ts';
import { errnoOf } from '../errno.ts';
import { delay } from '../wait.ts';
import { problemText, writeError, type FileProblem, systemErrorOf } from './file-errors.ts';
import { encodeText, type FileContent } from './file-content.ts';
import { checkWritable } from './replace-file.ts';
import { patientRename, writeAtomically } from './write-atomically.ts';

/** Maximum size; large, because files of other programs may contain their histories. */
export const MAX_FOREIGN_BYTES = 64 * 1024 * 1024;
/** Age in ms from which a lock counts as left behind by a program that died. */
const STALE_LOCK_MS = 10_000;
const LOCK_RETRY_MS = 25;
const LOCK_PATIENCE_MS = 10_000;

interface ForeignReplacement {
  readonly path: string;
  /** Content of the file when the panel read it. */
  readonly before: Extract<FileContent, { kind: 'text' }>;
  /** New text, without byte order mark. */
  readonly text: string;
  /** True if a folder `<path>.lock` is the lock of the file, as created by proper-lockfile. */
  readonly hasLock: boolean;
  readonly clock: Clock & WallClock;
}

/** Checks that a file of another program may be written. @throws PERMISSION_DENIED, CONFIG_BROKEN */
export async function requireWritable(path: string): Promise<void> {
  await realpath(path)
    .then(checkWritable)
    .catch((error: unknown) => {
      throw writeError(path, error);
    });
}

/**
 * Replaces the content of a file that another program also writes. Never overwrites content that the panel has not read. Mode,
 * owner and symbolic links stay. A file with several hard links is overwritten in place instead of being replaced, so that all
 * its names have the new content.
 * @throws CONFIG_CONFLICT when the content has changed or another program has the lock; PERMISSION_DENIED, CONFIG_BROKEN
 */
export async function replaceForeign(replacement: ForeignReplacement): Promise<void> {
  const { path, clock, hasLock } = replacement;
  try {
    const target = await realpath(path);
    const owner = await checkWritable(target);
    const unlock = hasLock ? await takeLock(`${target}.lock`, clock) : undefined;
    try {
      await (owner.nlink > 1 ? putInPlace(target, replacement) : putBeside(target, owner, replacement));
    } finally {
      await unlock?.();
    }
  } catch (error) {
    const cause = systemErrorOf(error);
    throw cause instanceof PanelError ? cause : writeError(path, error);
  }
}

async function putBeside(
  target: string,
  { mode, uid, gid }: Awaited<ReturnType<typeof checkWritable>>,
  replacement: ForeignReplacement,
): Promise<void> {
  // Compares the content right before the rename and in the same event-loop tick, so that another program has as little time as
  // possible to write between the two.
  const guarded: typeof rename = (from, to) =>
    new Promise((resolve) => {
      requireUnchangedBytes(target, replacement);
      renameSync(from, to);
      resolve();
    });
  await writeAtomically(target, contentOf(replacement), {
    owner: { mode: mode & 0o777, uid, gid },
    aside: `${target}.mcp-control-panel.tmp`,
    disk: { writeFile, link, rename: process.platform === 'win32' ? patientRename(guarded) : guarded },
  });
}

function putInPlace(target: string, replacement: ForeignReplacement): void {
  const file = openSync(target, 'r+');
  try {
    requireUnchangedBytes(target, replacement);
    const bytes = Buffer.from(contentOf(replacement));
    writeSync(file, bytes, 0, bytes.length, 0);
    ftruncateSync(file, bytes.length);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const contentOf = ({ text, before }: ForeignReplacement): string => encodeText(text, before.hasBom);

/** @throws CONFIG_CONFLICT when the content of the file is not what was read */
function requireUnchangedBytes(target: string, { before, path }: ForeignReplacement): void {
  if (readFileSync(target).equals(Buffer.from(encodeText(before.text, before.hasBom)))) return;
  throw conflictError(path, 'another program has written it since it was read');
}

/** Creates the error of a file that cannot be read. Line and column count from 1. */
export function unusableError(path: string, problem: FileProblem): PanelError {
  const { line, column = 1 } = problem;
  return new PanelError('CONFIG_BROKEN', `${basename(path)} is left as it is: ${problemText(problem)}`, {
    data: { path, line, column },
    remedy: `Nothing was changed: correct ${path}, then try again.`,
  });
}

/** Creates the error that says why the panel left a file unchanged. */
export function conflictError(path: string, reason: string): PanelError {
  return new PanelError('CONFIG_CONFLICT', `${basename(path)} was not written: ${reason}`, {
    data: { path },
    remedy: 'Nothing was changed: reload it, then try again.',
  });
}

/** Takes a lock and returns the function that releases it. @throws CONFIG_CONFLICT when another program keeps it */
async function takeLock(path: string, clock: Clock & WallClock): Promise<() => Promise<void>> {
  const until = clock.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      await mkdir(path);
      return () => rmdir(path).catch(() => undefined);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    const held = await stat(path).catch(() => undefined);
    if (held !== undefined && clock.epochMs() - held.mtimeMs > STALE_LOCK_MS) {
      await rmdir(path).catch(() => undefined);
      continue;
    }
    if (clock.now() >= until) throw conflictError(path.replace(/\.lock$/, ''), 'its program keeps it locked');
    await delay(clock, LOCK_RETRY_MS);
  }
}
