import { execFileSync } from 'node:child_process';
import { skipOn } from './skip-on.ts';

/** Options of tests with a named pipe among the files. */
export const withNamedPipes = skipOn('win32', 'Windows has no named pipes among its files');

/** Makes a named pipe; whoever opens it without care waits for its other end. */
export function makeNamedPipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
