import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { coverable, withoutInheritance } from '../../../electron/core/platform/inherited-descriptors.ts';
import { spawnChild, type SpawnRequest } from '../../../electron/core/platform/spawner.ts';
import { onlyOn, skipOn } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const refusals = skipOn('win32', 'Windows refuses other spawns than POSIX');

let folder: string;
beforeEach(() => {
  folder = tempFolder('spawner-');
});

const node = (script: string, args: string[] = []): SpawnRequest => ({
  command: process.execPath,
  args: ['-e', script, ...args],
  env: { PATH: process.env['PATH'] ?? '' },
});

const outputOf = async (request: SpawnRequest) => textOf((await spawnChild(request)).stdout);

/** Child that runs the script, with the only object of Node.js for it. */
async function spawnSeen(script: string) {
  const children: ChildProcess[] = [];
  const onSpawn = (message: unknown) => children.push((message as { process: ChildProcess }).process);
  subscribe('child_process', onSpawn);
  try {
    const spawned = await spawnChild(node(script));
    expect(children).toHaveLength(1);
    return { ...spawned, child: children[0]! };
  } finally {
    unsubscribe('child_process', onSpawn);
  }
}

describe('spawnChild', () => {
  it('hands arguments over verbatim and never to a shell', async () => {
    const attack = [
      `; touch ${folder}/pwn`,
      `$(touch ${folder}/pwn)`,
      '`id`',
      'a\nb',
      '&& x',
      'a b',
      '',
      '"\'\\',
    ];
    const text = await outputOf(
      node('console.log(JSON.stringify(process.argv.slice(1)))', ['--', ...attack]),
    );
    expect(JSON.parse(text)).toEqual(attack);
  });

  it('reports how the child ended', async () => {
    expect(await (await spawnChild(node('process.exit(3)'))).exited).toEqual({ exitCode: 3 });
    // Windows keeps no signal, only the exit code that it gives to what is ended so.
    expect(await (await spawnChild(node('process.kill(process.pid, "SIGKILL")'))).exited).toEqual(
      process.platform === 'win32' ? { exitCode: 1 } : { signal: 'SIGKILL' },
    );
  });

  it('names a working folder that does not exist, or is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const cwd of [join(folder, 'missing'), file]) {
      await expect(spawnChild({ ...node(''), cwd })).rejects.toMatchObject({
        code: 'CWD_MISSING',
        message: expect.stringContaining(cwd) as string,
      });
    }
  });

  it('names a home folder that does not exist, for an entry that names none', async () => {
    const request = { ...node(''), cwd: join(folder, 'missing'), isHome: true };
    await expect(spawnChild(request)).rejects.toMatchObject({
      code: 'CWD_MISSING',
      message: `The home folder ${request.cwd} does not exist.`,
      remedy: expect.stringContaining('"cwd"') as string,
    });
  });

  it.each([
    ['E2BIG', { args: ['x'.repeat(4 * 1024 * 1024)] }, 'too long'],
    ['a text with NUL', { args: ['a\0b'] }, 'in a terminal'],
  ])('says what to do about a spawn that the system refuses (%s)', refusals, async (_, change, remedy) => {
    await expect(spawnChild({ ...node(''), ...change })).rejects.toMatchObject({
      code: 'START_FAILED',
      remedy: expect.stringContaining(remedy) as string,
    });
  });

  it('spawns nothing for somebody who has left while the folder was looked at', async () => {
    const abort = new AbortController();
    const mark = join(folder, 'spawned');
    const request = node(`require('fs').writeFileSync(${JSON.stringify(mark)}, '')`);
    const spawning = spawnChild({ ...request, cwd: folder, signal: abort.signal });
    abort.abort(new Error('nobody waits any more'));
    await expect(spawning).rejects.toThrow('nobody waits any more');
    expect(existsSync(mark)).toBe(false);
  });

  it('is not brought down by what a child reports after its spawn, however often', async () => {
    const { child, exited, stdin } = await spawnSeen('process.stdin.resume()');
    const error = new Error('kill EPERM');
    expect([child.emit('error', error), child.emit('error', error)]).toEqual([true, true]);
    stdin.end();
    expect(await exited).toEqual({ exitCode: 0 });
  });

  it('tells the end of a child of which only an error speaks', async () => {
    const { child, exited, stdin } = await spawnSeen(
      'process.stdin.resume().on("end", () => process.exit(1))',
    );
    const emit = child.emit.bind(child) as (name: string, ...values: unknown[]) => boolean;
    child.emit = ((name: string, ...values: unknown[]) =>
      name === 'exit'
        ? emit('error', new Error('spawn ENOENT'))
        : emit(name, ...values)) as typeof child.emit;
    stdin.end();
    expect(await exited).toEqual({ exitCode: 1 });
  });

  it('puts the child in a process group of its own', onlyOn('linux', 'it reads /proc'), async () => {
    const script =
      'console.log(process.pid + " " + require("fs").readFileSync("/proc/self/stat", "utf8").split(" ")[4])';
    const [pid, group] = (await outputOf(node(script))).trim().split(' ');
    expect(group).toBe(pid);
  });
});

describe('spawnChild with few free descriptors', onlyOn('linux', 'it reads /proc'), () => {
  it('starts or fails, and leaves none open', async () => {
    const host = fileURLToPath(new URL('few-descriptors-host.ts', import.meta.url));
    const limited = ['-c', 'ulimit -n 1024; exec "$0" "$@"', process.execPath, host, '16'];
    const { stdout } = await promisify(execFile)('sh', limited);
    const { outcomes, leaked } = JSON.parse(stdout) as { outcomes: string[]; leaked: number };
    expect(leaked).toBe(0);
    expect(outcomes[0]).toBe('spawned');
    const failures = outcomes.filter((outcome) => outcome !== 'spawned');
    expect(failures.length).toBeGreaterThan(8);
    for (const failure of failures) expect(failure).toMatch(/^START_FAILED: .*EMFILE/);
  });
});

describe('withoutInheritance', onlyOn('linux', 'it reads /proc'), () => {
  it('replaces nothing that Node opened itself, which no child inherits', () => {
    const ours = openSync(folder, 'r');
    try {
      const stdio = withoutInheritance('linux', (given) => given);
      expect(stdio.slice(0, 3)).toEqual(['pipe', 'pipe', 'pipe']);
      expect(stdio[ours] ?? 'ignore').toBe('ignore');
    } finally {
      closeSync(ours);
    }
  });

  it('starts a child although a descriptor stands above the limit of open files', async () => {
    const source = JSON.stringify(join(import.meta.dirname, '../../../electron/core/platform/spawner.ts'));
    const script = `const { spawnChild } = await import(${source});
      const child = await spawnChild({ command: process.execPath, args: ['-e', '0'], env: {} });
      console.log(JSON.stringify(await child.exited));`;
    // The high descriptor is opened before the limit is lowered; only bash has numbers above 9 in a
    // redirection.
    const launch = 'ulimit -n 4096 && exec 4000</dev/zero 60</dev/zero && ulimit -n 1024 && exec "$0" "$@"';
    const args = ['-c', launch, process.execPath, '--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)('bash', args);
    expect(JSON.parse(stdout)).toEqual({ exitCode: 0 });
  });

  it('hands over as many placeholders as the limit of open files has room for', () => {
    const range = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => first + index);
    const room = (inherited: number[], limit: number) => coverable({ inherited, open: inherited, limit });
    expect(room([30, 60, 5000], 1024)).toEqual([30, 60]);
    expect(room([30, 60, 5000], 20_000)).toEqual([30, 60, 5000]);
    expect(room([1020], 1024)).toEqual([]);
    expect(room([], 1024)).toEqual([]);
    // Each start takes one more above the highest: 40 from 960 on end at 999, and 40 and some are needed
    // above.
    expect(room(range(960, 40), 1024).length).toBeLessThan(40);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 3, max: 2000 })),
        fc.integer({ min: 64, max: 2048 }),
        (open, limit) => {
          const inherited = open.sort((one, other) => one - other);
          const covered = coverable({ inherited, open: inherited, limit });
          expect(covered).toEqual(inherited.slice(0, covered.length));
          const highest = covered.at(-1) ?? -1;
          const free = limit - (highest + 1) - inherited.filter((number) => number > highest).length;
          if (covered.length > 0) expect(free).toBeGreaterThanOrEqual(covered.length);
        },
      ),
    );
  });

  it('lets a child see nothing of what its parent has inherited itself', async () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, '');
    expect(await seenByGrandchild("(_, start) => start(['pipe', 'pipe', 'pipe'])", secret)).toContain(secret);
    const replaced = await seenByGrandchild(
      `(await import(${JSON.stringify(join(import.meta.dirname, '../../../electron/core/platform/inherited-descriptors.ts'))})).withoutInheritance`,
      secret,
    );
    expect(replaced).not.toContain(secret);
    expect(replaced).toContain('/dev/null');
  });
});

/**
 * Inherited descriptor, far above those that Node opens itself, and above 15: up to there Node marks at its
 * start what it inherited, so that no child gets it; what lies behind a gap stays open to children, as
 * Chromium's descriptors do.
 */
const INHERITED = 60;

/**
 * Targets of the descriptors of a grandchild, whose parent inherited `path` and calls `guard` to start it.
 */
async function seenByGrandchild(guard: string, path: string): Promise<string[]> {
  const list = `const fs = require('node:fs');
    const target = (n) => { try { return fs.readlinkSync('/proc/self/fd/' + n); } catch { return 'closed since'; } };
    console.log(JSON.stringify(fs.readdirSync('/proc/self/fd').map(target)));`;
  const parent = `const { spawnSync } = await import('node:child_process');
    const guard = ${guard};
    const start = (stdio) => spawnSync(process.execPath, ['-e', ${JSON.stringify(list)}], { stdio });
    console.log(String(guard('linux', start).stdout));`;
  const file = openSync(path, 'r');
  try {
    const between = Array.from({ length: INHERITED - 3 }, () => 'ignore' as const);
    const child = spawn(process.execPath, ['--input-type=module', '-e', parent], {
      stdio: ['ignore', 'pipe', 'inherit', ...between, file],
    });
    const [text] = await Promise.all([textOf(child.stdout!), once(child, 'exit')]);
    return JSON.parse(text) as string[];
  } finally {
    closeSync(file);
  }
}
