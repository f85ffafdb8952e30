/**
 * Hours of use in minutes: twenty servers that are killed, silenced and edited at random under the panel, clients that call
 * them, and a panel that is killed itself. The soak knows what it did, so it judges what the panel says and does about it:
 * `--minutes N [--seed N] [--report FILE] [--window]`. Exit code 1 where something is wrong. Linux only.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDisplay } from '../e2e/support/electron-command.ts';
import { killAll, processesOfTest } from '../e2e/support/processes.ts';
import { readOptions } from './options.ts';
import { printReport, reportOf } from './report.ts';
import { soak } from './soak.ts';

const GUARD = fileURLToPath(new URL('./guard.ts', import.meta.url));

const options = readOptions(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd(), () =>
  randomBytes(4).readUInt32BE(),
);
console.log(`soak of ${options.minutes} min, seed ${options.seed}`);
const run = randomUUID();
const home = mkdtempSync(join(tmpdir(), 'soak-'));
// It sees the end of its stdin also where this process is killed. It does not carry the mark, so it does not end itself.
const guard = spawn(process.execPath, [GUARD, run], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interruption.abort());
const display = options.hasWindow ? await openDisplay() : { env: {}, end: () => Promise.resolve() };
try {
  const record = await soak({
    ...options,
    home,
    run,
    displayEnv: display.env,
    interruption: interruption.signal,
  });
  const report = reportOf(record, options);
  if (options.reportPath !== undefined)
    writeFileSync(options.reportPath, `${JSON.stringify(report, null, 2)}\n`);
  printReport(report);
  if (!report.isWithin) process.exitCode = 1;
} finally {
  killAll(processesOfTest(run));
  await display.end();
  guard.stdin.end();
  if (process.exitCode === 1) console.log(`its home is kept: ${home}, ${readdirSync(home).length} files`);
  else rmSync(home, { recursive: true, force: true });
}
