import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { floodServer } from '../../fixtures/fixture-server.ts';
import type { Load } from './drive.ts';

export interface Scenario {
  readonly name: string;
  readonly what: string;
  /** Argument of the flooding server. */
  readonly flood: Parameters<typeof floodServer>[0];
  readonly load: Load;
  /** Puts the files of earlier launches into the home. */
  readonly prepare?: (home: string) => void;
}

const FILE_BYTES = 300 * 1024 * 1024;
const BLOCK_LINES = 4000;
/** Name of the server that floods. */
export const FLOOD = 'flood';

export const scenarios: readonly Scenario[] = [
  { name: 'nested', what: '15 MiB notifications of nested arrays', flood: 'nested', load: 'none' },
  { name: 'answers', what: '16 MiB answers of small objects', flood: 'answers', load: 'calls' },
  { name: 'tools', what: 'tools over endless cursors', flood: 'tools', load: 'offer' },
  { name: 'notifications', what: '100,000 notifications/s', flood: 'notifications', load: 'none' },
  { name: 'log', what: 'a log of 300 MB', flood: 'quiet', load: 'output', prepare: leaveLog },
  { name: 'journal', what: 'a journal of 300 MB', flood: 'quiet', load: 'none', prepare: leaveJournal },
];

/** Two servers: one that answers quietly, and one that begins its flood when it is started. */
export function serversOf({ flood }: Scenario): Readonly<Record<string, object>> {
  return { quiet: floodServer('quiet'), [FLOOD]: { ...floodServer(flood), panel: { autoStart: false } } };
}

function leaveLog(home: string): void {
  const folder = join(home, 'logs', 'servers');
  mkdirSync(folder, { recursive: true });
  const text = 'GET /items?token=abcdef0123456789abcdef0123456789 200 in 12 ms for user@example.com';
  writeLines(join(folder, `${FLOOD}.log`), (index) => `2026-01-02T03:04:05.678Z #1 ${index} ${text}`);
}

function leaveJournal(home: string): void {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true });
  const detail = {
    code: 'CRASHED',
    message: 'The server ended with exit code 1.',
    stderrTail: 'a line\n'.repeat(20),
  };
  writeLines(join(folder, 'events.jsonl'), (index) => {
    const id = `${String(1_700_000_000_000 + index).padStart(14, '0')}-00000001-bench`;
    return JSON.stringify({ id, at: 1_700_000_000_000 + index, server: FLOOD, kind: 'crashed', detail });
  });
}

function writeLines(path: string, lineOf: (index: number) => string): void {
  let bytes = 0;
  for (let first = 0; bytes < FILE_BYTES; first += BLOCK_LINES) {
    const text = Array.from({ length: BLOCK_LINES }, (_, index) => `${lineOf(first + index)}\n`).join('');
    appendFileSync(path, text);
    bytes += text.length;
  }
}
