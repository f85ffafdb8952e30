import { once } from 'node:events';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';

/**
 * Spawns with ever fewer free descriptors, from `argv[2]` down to one, and prints what came of each, and how many descriptors
 * stayed open for good.
 */
const outcomes: string[] = [];

async function trySpawn(): Promise<string> {
  try {
    const child = await spawnChild({ command: process.execPath, args: ['-e', '0'], env: {} });
    await child.exited;
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.destroy();
      if (!stream.closed) await once(stream, 'close');
    }
    return 'spawned';
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`;
  }
}

async function withFree(free: number): Promise<string> {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    for (const descriptor of taken.splice(-free)) closeSync(descriptor);
  }
  try {
    return await trySpawn();
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}

const countOpen = () => readdirSync('/proc/self/fd').length;

await trySpawn();
const before = countOpen();
for (let free = Number(process.argv[2]); free > 0; free -= 1) outcomes.push(await withFree(free));
// Node closes the pipes of a failed spawn in later turns of the loop.
const endMs = performance.now() + 2000;
while (countOpen() > before && performance.now() < endMs) await setTimeout(10);
process.stdout.write(JSON.stringify({ outcomes, leaked: countOpen() - before }));
