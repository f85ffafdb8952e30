import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { inFolder, numbered, writeHome } from '../../support/homes.ts';

const HOST = fileURLToPath(new URL('memory-host.ts', import.meta.url));
const SERVERS = 40;
/** Idle time. The budget is meant for ten minutes: 600. Most of the memory is there after one. */
const IDLE_S = Number(process.env['SUPERVISION_IDLE_S'] ?? 60);
const BUDGET_MIB = 0.5;
const BYTES_PER_MIB = 1024 * 1024;
const LIMIT_MS = 180_000 + IDLE_S * 1000;

/**
 * Memory that one idle server adds to the process that supervises it. Both run side by side because memory
 * does not mind company.
 */
export async function measureMemory(): Promise<readonly Figure[]> {
  const [none, many] = await Promise.all([runHost(0), runHost(SERVERS)]);
  const addedMiB = (many - none) / SERVERS / BYTES_PER_MIB;
  return [
    figure(
      `memory that each of ${SERVERS} idle servers adds, after ${IDLE_S} s`,
      'MiB',
      addedMiB,
      BUDGET_MIB,
    ),
    figure('memory of the same process without servers', 'MiB', none / BYTES_PER_MIB),
  ];
}

const runHost = (count: number): Promise<number> =>
  inFolder(async (folder) => {
    const home = writeHome(
      folder,
      numbered(count, 'idle', () => tinyServer()),
    );
    const args = ['--expose-gc', HOST, home, String(count), String(IDLE_S * 1000)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: LIMIT_MS });
    const { bytes, restarts } = JSON.parse(stdout) as { bytes: number; restarts: number };
    if (restarts > 0) throw new Error(`${restarts} restarts: not idle`);
    return bytes;
  });
