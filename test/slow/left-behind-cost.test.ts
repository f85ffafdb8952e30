import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import { RealClients } from '../core/left-behind/real-client.ts';
import { scanHere } from '../core/left-behind/scan-here.ts';
import { onlyOn } from '../support/skip-on.ts';

const PROCESSES = 500;
const LONGEST_TURN_MS = 10;
const LOOKS = 20;

/** CPU time of this thread, in ms: other work of the machine does not count. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Longest time for which `work` keeps the loop, in ms. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = cpuMs();
  const turn = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
}

it(
  'looks among 500 processes with pipes without keeping the loop for 10 ms',
  onlyOn('linux', 'processes are read from /proc'),
  async () => {
    const clients = new RealClients();
    const sleepers = spawn(
      'sh',
      ['-c', `for i in $(seq ${PROCESSES}); do sleep 1000 & done; echo up; wait`],
      { detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    try {
      await new Promise((resolve) => sleepers.stdout.once('data', resolve));
      const server = clients.server();
      const { child, pids } = await clients.shell(
        `sleep 1000 | { exec 3<&0; ${process.execPath} ${server} <&3 & echo $! >> PIDS; wait; } | sleep 1001 & wait`,
        1,
      );
      process.kill(-child.pid!, 'SIGSTOP');
      await clients.kill(Number((await runCommand('ps', ['-o', 'ppid=', '-p', String(pids[0])])).trim()));
      const look = scanHere();
      await look();
      const turns: number[] = [];
      const startMs = cpuMs();
      for (let count = 0; count < LOOKS; count += 1) turns.push(await longestTurn(look));
      const tookMs = (cpuMs() - startMs) / LOOKS;
      turns.sort((one, other) => one - other);
      const measured = `a scan takes ${tookMs.toFixed(0)} ms; longest turns: ${turns.map((ms) => ms.toFixed(1)).join(' ')}`;
      // A collection of garbage lengthens one now and then.
      expect(turns[LOOKS - 2], measured).toBeLessThan(LONGEST_TURN_MS);
    } finally {
      process.kill(-sleepers.pid!, 'SIGKILL');
      clients.dispose();
    }
  },
);
