/** Ends what a soak started once the soak is gone, however it went: its stdin ends then. Argument: the mark of the run. */
import { killAll, processesOfTest } from '../e2e/support/processes.ts';

const ROUNDS = 20;
const PAUSE_MS = 250;
const run = process.argv[2];
if (run === undefined) throw new Error('expected the mark of the run as the only argument');

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume().on('end', () => void endAll(run));

/** More than once, because a panel that is still alive starts servers anew. */
async function endAll(mark: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = processesOfTest(mark);
    if (left.length === 0) break;
    killAll(left);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  process.exit(0);
}
