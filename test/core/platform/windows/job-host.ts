/**
 * A panel in small: owns one server whose wrapper starts the real server, detached, and ends; so nothing but the job still
 * knows it. Prints the pids of both, then lives until it is killed, or ends the run when it reads a line.
 */
import { spawn } from 'node:child_process';
import { OwnedProcess } from '../../../../electron/core/platform/owned-process.ts';
import { openProcessSystem } from '../../../../electron/core/platform/process-system.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';

/** Stands for a server that does not end with its input. */
const SERVER = 'setInterval(() => {}, 1000)';
const [role] = process.argv.slice(2);

if (role === 'wrapper') {
  const server = spawn(process.execPath, ['-e', SERVER], { detached: true, stdio: 'ignore' });
  server.unref();
  process.stdout.write(`${server.pid}\n`);
  if (process.argv[3] === 'stays') setInterval(() => undefined, 1000);
} else {
  await own(process.argv[2] ?? 'leaves');
}

async function own(how: string): Promise<void> {
  const { table, holding, problem } = await openProcessSystem({
    clock: systemClock,
    platform: process.platform,
  });
  if (problem !== undefined) throw new Error(problem);
  const owned = await OwnedProcess.spawn(
    {
      table,
      signaller: signallerForPlatform(process.platform),
      clock: systemClock,
      spawner: holding(spawnChild),
    },
    { command: process.execPath, args: [process.argv[1]!, 'wrapper', how], env: environment() },
    'marker',
  );
  owned.readStderr({ onPart: (part) => void process.stderr.write(part) });
  owned.readStdout({
    onPart: (part) =>
      process.stdout.write(`${JSON.stringify({ wrapper: owned.pid, server: Number(part.toString()) })}\n`),
  });
  process.stdin.once('data', () => {
    void owned.kill().then((report) => {
      process.stdout.write(`${JSON.stringify(report)}\n`);
      table.dispose();
      process.exit(0);
    });
  });
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
