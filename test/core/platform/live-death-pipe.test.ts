import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDeathPipe, type DeathPipeWatcher } from '../../../electron/core/platform/death-pipe.ts';
import { limitMark } from '../../../electron/core/platform/limit-mark.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { holdsWithin } from '../../../electron/core/wait.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { isAlive, statOf } from '../../support/proc.ts';
import { onlyOn } from '../../support/skip-on.ts';

const HOST = fileURLToPath(new URL('death-pipe-host.ts', import.meta.url));
/** Budget promised to people: a panel killed with -9 leaves no server behind for longer. */
const BUDGET_MS = 10_000;

interface Host {
  readonly child: ChildProcess;
  readonly watcher: number;
  readonly doomed: readonly number[];
  readonly living: readonly number[];
}

async function startHost(mode: 'proc' | 'ps'): Promise<Host> {
  // The descriptor behind the ignored ones is one that the host would hand on to every child.
  const stdio = ['pipe', 'pipe', 'inherit', ...Array<'ignore'>(27).fill('ignore'), 'pipe'] as const;
  const child = spawn(process.execPath, [HOST, mode], { stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const told = JSON.parse(line.toString('utf8')) as Omit<Host, 'child'>;
  onTestFinished(() => {
    for (const pid of [...told.doomed, ...told.living, told.watcher])
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { child, ...told };
}

const within = (condition: () => boolean) =>
  holdsWithin(systemClock, () => Promise.resolve(condition()), { limitMs: BUDGET_MS, intervalMs: 50 });

describe('death pipe', onlyOn('linux', 'the watcher of a run is a shell that holds a pipe'), () => {
  it.each(['proc', 'ps'] as const)(
    'ends the recorded trees of a panel that was killed, by %s, and nobody else',
    async (mode) => {
      const { child, watcher, doomed, living } = await startHost(mode);
      expect([...doomed, ...living, watcher].every(isAlive)).toBe(true);
      child.kill('SIGKILL');
      expect(await within(() => !doomed.some(isAlive)), 'all gone').toBe(true);
      expect(await within(() => !isAlive(watcher)), 'the helper too').toBe(true);
      expect(living.filter(isAlive)).toEqual(living);
    },
    20_000,
  );

  it('lets everybody live when it was closed before the panel ended', async () => {
    const { child, watcher, doomed, living } = await startHost('proc');
    child.stdin!.write('close\n');
    await once(child.stdout!, 'data');
    expect(isAlive(watcher)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([...doomed, ...living].every(isAlive)).toBe(true);
  });

  it('lets its end be waited for when nothing else keeps the panel running', async () => {
    const module = new URL('../../../electron/core/platform/death-pipe.ts', import.meta.url).href;
    const script = `
      import { spawnDeathPipeWatcher, startDeathPipe } from ${JSON.stringify(module)};
      const pipe = startDeathPipe({ spawnWatcher: () => spawnDeathPipeWatcher(), onProblem: () => undefined });
      await pipe.close();
      process.stdout.write('closed');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString('utf8')).toBe('closed');
  });

  it('has a session of its own, no descriptor of ours, and no ear for signals that ask', async () => {
    const { child, watcher } = await startHost('proc');
    const [parent, group, session] = statOf(watcher).slice(1, 4).map(Number);
    expect([parent, group, session]).toEqual([child.pid, watcher, watcher]);
    const targets = readdirSync(`/proc/${watcher}/fd`).map((name) =>
      readlinkSync(`/proc/${watcher}/fd/${name}`),
    );
    expect(targets.filter((target) => target !== '/dev/null')).toEqual([expect.stringMatching(/^socket:/)]);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.kill(watcher, signal);
    // Only a helper that still reads answers this.
    child.stdin!.write('close\n');
    await once(child.stdout!, 'data');
    expect(isAlive(watcher)).toBe(false);
  });
});

describe('startDeathPipe', () => {
  function fakeWatchers() {
    const watchers: { lines: string[]; end: () => void }[] = [];
    const spawnWatcher = (): DeathPipeWatcher => {
      const ended = createDeferred<string>();
      const lines: string[] = [];
      watchers.push({ lines, end: () => ended.resolve('') });
      return {
        pid: watchers.length,
        write: (line) => lines.push(line),
        ended: ended.promise,
        kill: () => ended.resolve(''),
      };
    };
    const problems: string[] = [];
    const pipe = startDeathPipe({ spawnWatcher, onProblem: (message) => problems.push(message) });
    return { pipe, watchers, problems };
  }
  const entry = (groupPid: number, ...members: number[]) => ({
    groupPid,
    startTime: '100',
    marker: `m${groupPid}`,
    members: members.map((pid) => ({ pid, startTime: '200' })),
  });

  it('writes a line when a run changed, and none when it did not', () => {
    const { pipe, watchers } = fakeWatchers();
    pipe.update(entry(7));
    pipe.update(entry(7));
    pipe.update(entry(7, 8, 9));
    pipe.update(entry(7, 8, 9));
    pipe.forget(7);
    pipe.forget(7);
    expect(watchers[0]!.lines).toEqual([
      `+ 7 m7 ${limitMark('m7')} 7:100\n`,
      `+ 7 m7 ${limitMark('m7')} 7:100 8:200 9:200\n`,
      '- 7\n',
    ]);
  });

  it('names a process once, and writes a start time of several words as one', () => {
    const { pipe, watchers } = fakeWatchers();
    const startTime = 'Sat Nov  1 22:54:28 2026';
    pipe.update({ groupPid: 7, startTime, marker: 'm', members: [{ pid: 7, startTime }] });
    expect(watchers[0]!.lines).toEqual([`+ 7 m ${limitMark('m')} 7:Sat_Nov_1_22:54:28_2026\n`]);
  });

  it('replaces a helper that somebody ended, and tells the new one all of it', async () => {
    const { pipe, watchers } = fakeWatchers();
    pipe.update(entry(7));
    pipe.update(entry(8));
    pipe.forget(7);
    watchers[0]!.end();
    await Promise.resolve();
    pipe.update(entry(9));
    expect(watchers[1]!.lines).toEqual([
      `+ 8 m8 ${limitMark('m8')} 8:100\n`,
      `+ 9 m9 ${limitMark('m9')} 9:100\n`,
    ]);
  });

  it('gives up after five replacements, and says so', async () => {
    const { watchers, problems } = fakeWatchers();
    for (let index = 0; index < 10; index += 1) {
      watchers.at(-1)!.end();
      await Promise.resolve();
    }
    expect(watchers).toHaveLength(6);
    expect(problems).toHaveLength(1);
  });

  it('is closed once, and takes nothing more afterwards', async () => {
    const { pipe, watchers } = fakeWatchers();
    await Promise.all([pipe.close(), pipe.close()]);
    pipe.update(entry(7));
    expect(watchers).toHaveLength(1);
    expect(watchers[0]!.lines).toEqual(['quit\n']);
  });
});
