import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { cappingSpawner, findScopes, type Scopes } from '../../../electron/core/platform/marking-spawner.ts';
import { runCommand } from '../../../electron/core/platform/run-command.ts';
import type { Caps } from '../../../electron/core/platform/process-job.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CAPS: Caps = { memoryMiB: 256, cpuCores: 1.5 };
const BOTH = { memoryMiB: true, cpuCores: true };

/** A stand-in for systemd-run, which notes its words and executes the program. @param told what its scope says of its caps */
function standIn(told?: string) {
  const folder = tempFolder('systemd-run-');
  const path = join(folder, 'systemd-run');
  const answer = told === undefined ? 'exec "$@"' : `printf '${told}'`;
  const script = `#!/bin/sh
printf '%s\\n' "$@" > '${folder}/words'
while [ "$1" != -- ]; do shift; done
shift
${answer}
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return { path, words: () => readFileSync(join(folder, 'words'), 'utf8').trim().split('\n') };
}

/** What a child says, which is started with these caps. */
async function start(scopes: Scopes | undefined, caps: Caps | undefined, command = '/bin/sh') {
  let timesAsked = 0;
  const spawner = cappingSpawner(spawnChild, () => {
    timesAsked += 1;
    return Promise.resolve(scopes);
  });
  const child = await spawner({ command, args: ['-c', 'echo "$$ $1"', 'sh', 'a b'], env: {}, caps });
  const said = await text(child.stdout);
  return { said, pid: child.pid, timesAsked };
}

describe('a server with caps', skipOn('win32', 'Windows caps its job object'), () => {
  it('runs as the same process in a scope of systemd that holds it and its descendants to them', async () => {
    const { path, words } = standIn();
    const { said, pid } = await start({ path, canCap: BOTH }, CAPS);
    expect(said).toBe(`${pid} a b\n`);
    expect(words()).toEqual([
      ...['--user', '--scope', '--quiet', '--collect'],
      ...['--property=MemoryMax=268435456', '--property=MemorySwapMax=0', '--property=CPUQuota=150%'],
      ...['--', '/bin/sh', '-c', 'echo "$$ $1"', 'sh', 'a b'],
    ]);
  });

  it('is held to what can be capped, and starts as ever where nothing can, or nothing is asked', async () => {
    const { path, words } = standIn();
    await start({ path, canCap: { ...BOTH, memoryMiB: false } }, CAPS);
    expect(words().filter((word) => word.startsWith('--property'))).toEqual(['--property=CPUQuota=150%']);
    const neither = { memoryMiB: false, cpuCores: false };
    for (const scopes of [undefined, { path: '/none', canCap: neither }])
      expect((await start(scopes, CAPS)).said).toContain('a b');
    expect(await start({ path, canCap: BOTH }, undefined)).toMatchObject({ timesAsked: 0 });
  });

  it('is left to its engine where it runs in a container', async () => {
    const spawned: string[] = [];
    const spawner = cappingSpawner(
      ({ command }) => Promise.reject(new Error(command)),
      () => Promise.resolve({ path: '/systemd-run', canCap: BOTH }),
    );
    for (const command of ['docker', '/usr/bin/podman', 'node'])
      await spawner({ command, args: [], env: {}, caps: CAPS }).catch(({ message }: Error) =>
        spawned.push(message),
      );
    expect(spawned).toEqual(['docker', '/usr/bin/podman', '/systemd-run']);
  });

  it.each([
    ['67108864\\n100000 100000\\n', BOTH, undefined],
    ['67108864\\n', { memoryMiB: true, cpuCores: false }, 'your systemd may not cap CPU'],
    ['max\\nmax 100000\\n', { memoryMiB: false, cpuCores: false }, 'your systemd may not cap memory and CPU'],
  ])('is told what the kernel enforces: %s', async (told, canCap, why) => {
    const { path } = standIn(told);
    const problems: string[] = [];
    expect(await findScopes(runCommand, (problem) => problems.push(problem), [path])).toEqual({
      path,
      canCap,
    });
    expect(problems).toEqual(why === undefined ? [] : [why]);
  });

  it('is told why there are no scopes', async () => {
    const problems: string[] = [];
    const told = (problem: string) => problems.push(problem);
    expect(await findScopes(runCommand, told, [])).toBeUndefined();
    expect(await findScopes(runCommand, told, ['/nowhere/systemd-run'])).toBeUndefined();
    expect(problems).toEqual([
      'this system has no systemd-run',
      expect.stringContaining('/nowhere/systemd-run') as unknown,
    ]);
  });
});
