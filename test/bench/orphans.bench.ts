/**
 * Kills the core and the helper on its death pipe with -9 at once, at a random moment within 0.4 s of the first spawn of a
 * server, starts it again, and counts what is left (`--rounds=100 --seed=1`). Measures how long a start waits before its
 * spawn, too. Linux alone. Prints a table, and one line of JSON last; exit code 1 when a budget is missed.
 */
import { killRound } from './orphans/kill-round.ts';
import { medianSpawnWaitMs } from './orphans/spawn-wait.ts';
import { SeededRandom } from '../soak/random.ts';
import { figure, numberFlag, report } from './harness/figures.ts';

const rounds = numberFlag('rounds', 100);
const LATEST_KILL_MS = 400;
const STARTS = 100;
const REPORT_EVERY = 10;

const random = new SeededRandom(numberFlag('seed', 1));
const spawnWaitMs = await medianSpawnWaitMs(STARTS);
const totals = { spawned: 0, orphans: 0, left: 0, roundsWithLeft: 0 };
for (let round = 1; round <= rounds; round += 1) {
  const { spawned, orphans, left } = await killRound(random.between(0, LATEST_KILL_MS));
  totals.spawned += spawned;
  totals.orphans += orphans;
  totals.left += left;
  totals.roundsWithLeft += left > 0 ? 1 : 0;
  if (round % REPORT_EVERY === 0) console.error(`${round} of ${rounds} kills: ${JSON.stringify(totals)}`);
}
report('orphans', [
  figure('from the command to start a server to its spawn, median', 'ms', spawnWaitMs),
  figure(`servers spawned before the kill, in ${rounds} kills`, 'servers', totals.spawned),
  figure('processes that outlived the panel', 'processes', totals.orphans),
  figure('of them left after the next start', 'processes', totals.left, 0),
  figure('kills after which any was left', 'kills', totals.roundsWithLeft, 0),
]);
