import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { limitMark, readLimitMark } from '../../../electron/core/platform/limit-mark.ts';
import { LinuxProcessTable } from '../../../electron/core/platform/linux-process-table.ts';
import { findPrlimit, markingSpawner } from '../../../electron/core/platform/marking-spawner.ts';
import { OwnedProcess } from '../../../electron/core/platform/owned-process.ts';
import { runCommand } from '../../../electron/core/platform/run-command.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { skipWhen } from '../../support/skip-on.ts';
import { isAlive } from '../../support/proc.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const prlimit = process.platform === 'linux' ? await findPrlimit(runCommand) : undefined;
const spawner = markingSpawner(spawnChild, () => Promise.resolve(prlimit));
const PATH = '/usr/bin:/bin';

/** A spawner that notes what it is asked for, and starts nothing. */
function recorder() {
  const commands: string[] = [];
  const spawn = (request: { command: string }) => {
    commands.push(request.command);
    return Promise.reject(new Error('not here'));
  };
  return { commands, spawn };
}

describe('limitMark', () => {
  it('is a number of its own for each marker, out of reach, and exact', () => {
    const marks = ['', 'a', 'b', ...Array.from({ length: 500 }, () => randomBytes(16).toString('hex'))].map(
      limitMark,
    );
    expect(new Set(marks).size).toBe(marks.length);
    for (const mark of marks) {
      expect(Number(mark)).toBeGreaterThanOrEqual(2 ** 48);
      expect(Number.isSafeInteger(Number(mark))).toBe(true);
      expect(mark).toMatch(/^\d+$/);
    }
  });
});

describe('findPrlimit', () => {
  const answering = (answer: string) => findPrlimit(() => Promise.resolve(answer), 'linux');

  it('takes one that has been seen to work, and else none', async () => {
    const lineOf = (soft: string) =>
      `Max cpu time  unlimited\nMax realtime timeout      ${soft}      unlimited  us\n`;
    expect(await answering(lineOf(limitMark('')))).toBe('/usr/bin/prlimit');
    expect(await answering(lineOf('unlimited'))).toBeUndefined();
    expect(await findPrlimit(() => Promise.reject(new Error('no such file')), 'linux')).toBeUndefined();
    expect(await findPrlimit(() => Promise.resolve(lineOf(limitMark(''))), 'darwin')).toBeUndefined();
  });
});

describe('markingSpawner without prlimit', () => {
  it('spawns what was asked for, and so it does for a run without a marker', async () => {
    const { commands, spawn } = recorder();
    const request = { command: 'server', args: [], env: {} };
    const without = markingSpawner(spawn, () => Promise.resolve(undefined));
    await expect(without({ ...request, marker: 'm' })).rejects.toThrow('not here');
    await expect(markingSpawner(spawn, () => Promise.resolve('/bin/prlimit'))(request)).rejects.toThrow(
      'not here',
    );
    expect(commands).toEqual(['server', 'server']);
  });
});

const withPrlimit = skipWhen(prlimit === undefined, 'the mark of a run is a limit that prlimit sets');

describe('markingSpawner', withPrlimit, () => {
  let folder: string;
  beforeEach(() => {
    folder = tempFolder('marking-');
  });

  const table = new LinuxProcessTable();
  const own = (command: string, args: string[], marker: string) =>
    OwnedProcess.spawn(
      { table, signaller: signallerForPlatform('linux'), clock: systemClock, spawner },
      { command, args, env: { PATH, MCP_CONTROL_PANEL_RUN: marker }, cwd: folder },
      marker,
    );
  const pidsIn = (file: string) => {
    try {
      return readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  };

  it('gives back the very process that becomes the program, with its arguments letter by letter', async () => {
    const script =
      'echo "$$ $(cut -d" " -f1 /proc/self/stat)"; for word; do printf "[%s]" "$word"; done; exit 3';
    const args = ['-c', script, 'sh', '--rttime=1:', '--', '-x', 'a b', '$(id)', ''];
    const child = await spawner({ command: 'sh', args, env: { PATH }, marker: 'm' });
    const text = await textOf(child.stdout);
    expect(await child.exited).toEqual({ exitCode: 3 });
    expect(text).toMatch(new RegExp(`^${child.pid} \\d+\\n`));
    expect(text.split('\n')[1]).toBe('[--rttime=1:][--][-x][a b][$(id)][]');
  });

  it('marks a child before its first instruction, and lowers no hard limit', async () => {
    const child = await spawner({ command: 'cat', args: ['/proc/self/limits'], env: { PATH }, marker: 'm' });
    const text = await textOf(child.stdout);
    expect(readLimitMark(text)).toBe(limitMark('m'));
    expect(text).toMatch(/realtime timeout +\d+ +unlimited/);
  });

  it('leaves the client of a container engine unmarked, because what it leaves behind is the engine’s', async () => {
    const { commands, spawn } = recorder();
    const marking = markingSpawner(spawn, () => Promise.resolve('/bin/prlimit'));
    for (const command of ['/bin/sh', '/opt/podman', 'docker'])
      await marking({ command, args: [], env: { PATH }, found: { file: command }, marker: 'm' }).catch(
        () => undefined,
      );
    expect(commands).toEqual(['/bin/prlimit', '/opt/podman', 'docker']);
  });

  it('lets a tree end with a daemon that left its group, its session, its parent and its environment', async ({
    onTestFinished,
  }) => {
    const marker = randomBytes(16).toString('hex');
    // The daemon starts at once and first of all, then the server goes on for ever; nobody looks at the tree
    // in between.
    const daemon = `echo $$ >> ${join(folder, 'daemon')}; exec sleep 600`;
    const script = `(env -i /usr/bin/setsid /bin/sh -c '${daemon}' </dev/null >/dev/null 2>&1 &); exec sleep 600`;
    const owned = await own('sh', ['-c', script], marker);
    await waitUntil(() => pidsIn('daemon').length === 1, { deadlineMs: 5000, describe: 'the daemon' });
    const [pid = 0] = pidsIn('daemon');
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
    await waitUntil(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n', {
      deadlineMs: 5000,
      describe: 'the daemon is what it stays',
    });
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(marker);
    expect((await table.listDescendants(owned.pid)).map((found) => found.pid)).not.toContain(pid);
    const report = await owned.end({ stopGraceMs: 0, killGraceMs: 2000 });
    expect(report.leftPids).toEqual([]);
    expect(isAlive(pid)).toBe(false);
  });

  it('leaves the processes of another run alone', async () => {
    const [one, other] = [await own('sleep', ['600'], 'one'), await own('sleep', ['600'], 'other')];
    await one.kill();
    expect([isAlive(one.pid), isAlive(other.pid)]).toEqual([false, true]);
    await other.kill();
  });

  it.each([
    ['COMMAND_NOT_FOUND', 'no-such-command-here'],
    ['COMMAND_NOT_FOUND', './not-here'],
    ['PERMISSION_DENIED', './plain'],
    ['PERMISSION_DENIED', '/usr'],
  ])('fails with %s for %s, as a plain spawn does', async (code, command) => {
    writeFileSync(join(folder, 'plain'), 'no program', { mode: 0o600 });
    const request = { command, args: [], env: { PATH }, cwd: folder, marker: 'm' };
    for (const spawn of [spawnChild, spawner]) await expect(spawn(request)).rejects.toMatchObject({ code });
  });

  it('finds what a plain spawn finds: relative to its own folder, and by a relative PATH', async () => {
    writeFileSync(join(folder, 'tool'), '#!/bin/sh\nexit 7\n');
    chmodSync(join(folder, 'tool'), 0o755);
    for (const [command, path] of [
      ['./tool', PATH],
      ['tool', `:${PATH}`],
      ['tool', '.'],
    ] as const) {
      const request = { command, args: [], env: { PATH: path }, cwd: folder, marker: 'm' };
      expect(await (await spawnChild(request)).exited).toEqual({ exitCode: 7 });
      expect(await (await spawner(request)).exited).toEqual({ exitCode: 7 });
    }
  });

  it('names a missing folder before a command that would be looked for in it', async () => {
    const request = { command: './tool', args: [], env: { PATH }, cwd: join(folder, 'missing'), marker: 'm' };
    await expect(spawner(request)).rejects.toMatchObject({ code: 'CWD_MISSING' });
  });

  it('does without when prlimit has gone since', async () => {
    const gone = markingSpawner(spawnChild, () => Promise.resolve('/nowhere/prlimit'));
    const child = await gone({ command: 'sh', args: ['-c', 'exit 5'], env: { PATH }, marker: 'm' });
    expect(await child.exited).toEqual({ exitCode: 5 });
  });
});
