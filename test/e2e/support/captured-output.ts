import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Output of a program, from its first line on. */
export interface CapturedOutput {
  stdout(): string[];
  stderr(): string[];
}

/**
 * Program to start in place of `executable`. Its output goes through files in `folder` because Playwright
 * hands it over only once the app runs, and the first lines would be lost. Playwright itself still reads
 * stderr.
 */
export function captureInto(
  folder: string,
  executable: string,
): CapturedOutput & { readonly executable: string } {
  const [out, err, pipe, script] = ['stdout', 'stderr', 'stderr-pipe', 'start'].map((name) =>
    join(folder, name),
  );
  if (!out || !err || !pipe || !script) throw new Error('no paths');
  execFileSync('mkfifo', [pipe]);
  const lines = [
    '#!/bin/sh',
    // Signals are ignored because one to the whole process group must not end what the driver still listens
    // to.
    `(trap '' INT TERM HUP; exec tee '${err}' < '${pipe}' >&2) &`,
    `exec '${executable}' "$@" > '${out}' 2> '${pipe}'`,
  ];
  writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 });
  return { executable: script, stdout: () => readLines(out), stderr: () => readLines(err) };
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch {
    return []; // Nothing was written yet.
  }
}
