import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '../fixtures/servers');

/** Starts a placeholder for a container engine. @returns the path of its client, a program called `docker`, and the engine's end */
export async function startDockerStandIn(folder: string) {
  const socket = join(folder, 'engine.sock');
  const command = join(folder, 'docker');
  const client = `"${process.execPath}" "${join(FIXTURES, 'docker.mjs')}" "${socket}"`;
  writeFileSync(command, `#!/bin/sh\nexec ${client} "$@"\n`);
  chmodSync(command, 0o755);
  const engine = spawn(process.execPath, [join(FIXTURES, 'engine.mjs'), socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(engine.stdout, 'data');
  return { command, end: () => void engine.kill('SIGTERM') };
}
