import { execFileSync } from 'node:child_process';
import { skipOn } from './skip-on.ts';

/** Options of tests with a named pipe among the files. */
export const withNamedPipes = skipOn('win32', 'Windows has no named pipes among its files');

/** Makes a named pipe; opening it without care blocks until its other end is opened. */
export function makeNamedPipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
