import { closeSync, openSync } from 'node:fs';
import { LinuxProcessTable } from '../../../../electron/core/platform/linux-process-table.ts';
import { readEnvironment } from '../../../../electron/core/platform/proc/find-by-environment.ts';

/** Takes every descriptor it may have, asks the process table for itself, and prints what came of each question. */
const table = new LinuxProcessTable();
const { pid } = process;
const questions: Record<string, () => unknown> = {
  identify: () => table.identify(pid),
  identifySync: () => table.identifySync(pid),
  readTrees: () => table.readTrees([pid]),
  listDescendants: () => table.listDescendants(pid),
  findByEnvironment: () => table.findByEnvironment('PATH', process.env['PATH'] ?? ''),
  readEnvironment: () => readEnvironment(pid),
};

const taken: number[] = [];
const outcomes: Record<string, unknown> = {};
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // No descriptor is left.
}
for (const [name, ask] of Object.entries(questions)) {
  try {
    outcomes[name] = (await ask()) ?? 'nobody';
  } catch (error) {
    outcomes[name] = (error as NodeJS.ErrnoException).code;
  }
}
for (const descriptor of taken) closeSync(descriptor);
process.stdout.write(JSON.stringify(outcomes));
