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
const BUDGET_MIB = 0.5;
const BYTES_PER_MIB = 1024 * 1024;
const LIMIT_MS = 180_000;

/** What one idle server adds to the process that supervises it, after ten minutes of its clock. */
export async function measureMemory(): Promise<readonly Figure[]> {
  const none = await runHost(0);
  const many = await runHost(SERVERS);
  return [
    {
      what: `memory that each of ${SERVERS} idle servers adds`,
      unit: 'MiB',
      budget: BUDGET_MIB,
      measured: (many - none) / SERVERS / BYTES_PER_MIB,
    },
    { what: 'memory of the same process without servers', unit: 'MiB', measured: none / BYTES_PER_MIB },
  ];
}

async function runHost(count: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'supervision-memory-'));
  const panel = { startTimeoutMs: 1_200_000, startMaxMs: 1_200_000, health: { stallThresholdMs: 600_000 } };
  const entries = Array.from({ length: count }, (_, index) => [`idle-${index}`, { ...tinyServer(), panel }]);
  writeFileSync(
    join(home, 'servers.json'),
    JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }),
  );
  try {
    const args = ['--expose-gc', '--max-semi-space-size=1', HOST, home, String(count)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: LIMIT_MS });
    const { bytes, restarts } = JSON.parse(stdout) as { bytes: number; restarts: number };
    if (restarts > 0) throw new Error(`${restarts} restarts: not idle`);
    return bytes;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
