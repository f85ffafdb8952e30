import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import type { Figure } from './figures.ts';

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
  return [
    {
      what: `memory that each of ${SERVERS} idle servers adds, after ${IDLE_S} s`,
      unit: 'MiB',
      budget: BUDGET_MIB,
      measured: (many - none) / SERVERS / BYTES_PER_MIB,
    },
    { what: 'memory of the same process without servers', unit: 'MiB', measured: none / BYTES_PER_MIB },
  ];
}

async function runHost(count: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'supervision-memory-'));
  const entries = Array.from({ length: count }, (_, index) => [`idle-${index}`, tinyServer()]);
  writeFileSync(
    join(home, 'servers.json'),
    JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }),
  );
  try {
    const args = ['--expose-gc', HOST, home, String(count), String(IDLE_S * 1000)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: LIMIT_MS });
    const { bytes, restarts } = JSON.parse(stdout) as { bytes: number; restarts: number };
    if (restarts > 0) throw new Error(`${restarts} restarts: not idle`);
    return bytes;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
