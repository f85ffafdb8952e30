import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { spawnDeathPipeWatcher, startDeathPipe } from '../../../electron/core/platform/death-pipe.ts';
import { limitMark } from '../../../electron/core/platform/limit-mark.ts';
import type { ProcessIdentity } from '../../../electron/core/platform/process-table.ts';
import { allPids, readProc, statOf } from '../../support/proc.ts';

/**
 * Small panel: starts process trees, tells the death pipe of some of them, prints who is to end and who is to
 * live as one line of JSON, and waits to be killed; a line on stdin closes the pipe. `argv[2]` is `proc` or
 * `ps`.
 */
const usesPs = process.argv[2] === 'ps';
const STUBBORN = 'trap "" TERM HUP INT;';
const print = (line: string) => void process.stdout.write(`${line}\n`);
const run = (name: string) => `death-pipe-test-${process.pid}-${name}`;

/** Runs a shell line in a group of its own, which ends up as `sleep`. */
function start(line: string, marker: string): number {
  const env = { ...process.env, MCP_CONTROL_PANEL_RUN: marker };
  const child = spawn('/bin/sh', ['-c', line], { detached: true, stdio: 'ignore', env });
  child.unref();
  return child.pid!;
}

function identify(pid: number): ProcessIdentity {
  const startTime = usesPs
    ? execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C' },
      })
    : statOf(pid)[19]!;
  return { pid, startTime };
}

async function membersOf(group: number, count: number): Promise<number[]> {
  for (;;) {
    const isMember = (pid: number) =>
      Number(statOf(pid)[2]) === group && readProc(pid, 'cmdline').startsWith('sleep');
    const members = allPids().filter(isMember);
    if (members.length === count) return members;
    await setTimeout(10);
  }
}

// The watcher comes first, so that every tree below could inherit its pipe and keep it open.
const watcher = spawnDeathPipeWatcher(usesPs ? 'darwin' : 'linux');
const pipe = startDeathPipe({ spawnWatcher: () => watcher, onProblem: print });

const stubborn = start(`${STUBBORN} sleep 1000 & exec sleep 1000`, run('stubborn'));
const polite = start('exec sleep 1000', run('polite'));
const leaderless = start(`${STUBBORN} sleep 1000 &`, run('leaderless'));
const escapee = start(`${STUBBORN} exec sleep 1000`, run('stubborn'));
const washed = start(
  `exec prlimit --rttime=${limitMark(run('stubborn'))}: env -i sleep 1000`,
  run('stubborn'),
);
// A program is called by the name of its file, so a shell of this name passes for the monitor of a container.
const folder = mkdtempSync(join(tmpdir(), 'death-pipe-'));
symlinkSync('/bin/sh', join(folder, 'conmon'));
const container = start(
  `exec prlimit --rttime=${limitMark(run('stubborn'))}: env -i PATH="$PATH" ${folder}/conmon -c 'sleep 1000 & wait'`,
  'container',
);
const outside = start('exec sleep 1000', 'unmarked');
const bystander = start('exec sleep 1000', 'bystander');
const recycled = start('exec sleep 1000', 'recycled');
const forgotten = start('exec sleep 1000', run('forgotten'));

const stubbornMembers = await membersOf(stubborn, 2);
const leaderlessMembers = await membersOf(leaderless, 1);
const contained = await membersOf(container, 1);
rmSync(folder, { recursive: true });
for (const pid of [polite, escapee, washed, outside, bystander, recycled, forgotten]) await membersOf(pid, 1);

const update = (groupPid: number, marker: string, members: ProcessIdentity[], startTime?: string) =>
  pipe.update({ groupPid, marker, members, startTime });
update(stubborn, run('stubborn'), [], identify(stubborn).startTime);
update(polite, run('polite'), []);
update(polite, run('polite'), [identify(outside)], identify(polite).startTime);
update(leaderless, run('leaderless'), leaderlessMembers.map(identify), '1');
update(recycled, run('recycled'), [{ pid: bystander, startTime: '2' }], '1');
update(forgotten, run('forgotten'), [identify(forgotten)]);
pipe.forget(forgotten);

createInterface({ input: process.stdin }).once('line', () => void pipe.close().then(() => print('closed')));
const marked = [escapee, washed];
const doomed = [...stubbornMembers, polite, ...leaderlessMembers, outside, ...(usesPs ? [] : marked)];
const living = [bystander, recycled, forgotten, container, ...contained, ...(usesPs ? marked : [])];
print(JSON.stringify({ watcher: watcher.pid, doomed, living }));
