import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fixtureServer, readPids, tinyServer, waitUntil } from '../fixtures/fixture-server.ts';
import { skipOn } from '../support/skip-on.ts';
import { isAlive } from '../support/proc.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ENTRY = join(import.meta.dirname, '../../electron/core/headless.ts');
const STATE_LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z (\S+) ([a-z]+)( .+)?$/;
const LIMIT = { deadlineMs: 15_000, describe: 'the states' };

interface Core {
  readonly child: ChildProcess;
  readonly stdout: () => string[];
  readonly stderr: () => string;
  readonly exited: Promise<unknown[]>;
}

const signalled = skipOn('win32', 'Windows has no signals');

const cores: Core[] = [];
afterEach(async () => {
  for (const { child, exited } of cores.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  }
});

function homeWith(mcpServers: object): string {
  const home = tempFolder('headless-');
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
  return home;
}

/** Starts the entry as the launcher does: the pinned Node on the sources. */
function startCore(...args: string[]): Core {
  const env = { ...process.env, SHELL: '/bin/sh' };
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
  const core: Core = {
    child,
    stdout: () => texts.stdout.split('\n').slice(0, -1),
    stderr: () => texts.stderr,
    exited: once(child, 'close'),
  };
  cores.push(core);
  return core;
}

const statesOf = (core: Core, server: string) =>
  core.stdout().flatMap((line) => {
    const [, name, kind] = STATE_LINE.exec(line) ?? [];
    return name === server && kind !== undefined ? [kind] : [];
  });

describe('the core without a window', () => {
  it(
    'runs the servers of its home, tells each state in a line, and leaves nothing after TERM',
    signalled,
    async () => {
      const home = homeWith({});
      const pidFile = join(home, 'pids');
      const mcpServers = { one: fixtureServer(`--pid-file=${pidFile}`), two: tinyServer('two') };
      writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
      const core = startCore('--home', home);
      await waitUntil(() => ['one', 'two'].every((name) => statesOf(core, name).includes('running')), LIMIT);
      const pids = readPids(pidFile);
      expect(pids.some(isAlive)).toBe(true);
      core.child.kill('SIGTERM');
      expect(await core.exited).toEqual([0, null]);
      expect(pids.filter(isAlive)).toEqual([]);
      for (const name of ['one', 'two'])
        expect(statesOf(core, name)).toEqual(['starting', 'running', 'stopping', 'stopped']);
      expect(core.stdout().filter((line) => !STATE_LINE.test(line))).toEqual([]);
    },
  );

  it('ends with exit code 0 also when INT comes while it starts', signalled, async () => {
    const core = startCore('--home', homeWith({ slow: fixtureServer('--never-initialize') }));
    await waitUntil(() => statesOf(core, 'slow').includes('starting'), LIMIT);
    core.child.kill('SIGINT');
    expect(await core.exited).toEqual([0, null]);
    expect(statesOf(core, 'slow').at(-1)).toBe('stopped');
  });

  it('starts nothing where another panel has the servers of the home running, and says who', async () => {
    const home = homeWith({ one: tinyServer() });
    const first = startCore('--home', home);
    await waitUntil(() => statesOf(first, 'one').includes('running'), LIMIT);
    const second = startCore('--home', home);
    expect(await second.exited).toEqual([1, null]);
    expect(second.stdout()).toEqual([]);
    expect(second.stderr()).toMatch(
      new RegExp(`^cannot start: Another panel, process ${first.child.pid}, .*\n$`),
    );
  });

  it('says what it needs when it is not told its home', async () => {
    for (const args of [[], ['--hoem', '/x']]) {
      const core = startCore(...args);
      expect(await core.exited).toEqual([1, null]);
      expect(core.stderr()).toContain('--home DIR');
      expect(core.stderr().trim().split('\n')).toHaveLength(1);
    }
  });
});
