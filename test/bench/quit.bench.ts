/**
 * Quitting 1, 5, 10 and 40 servers where a look at the processes takes 300 ms, as by PowerShell on Windows or `ps` on a
 * machine at work, on a simulated machine: how long it takes, and how many listings. Polite servers end with their input;
 * of the others, two have to be ended by force after their graces. Prints a table, and one line of JSON last; exit code 1
 * when a budget is missed.
 */
import { simulateQuit } from '../core/platform/quit-simulation.ts';
import type { ListingSystem } from '../core/platform/slow-machine.ts';
import { figure, report, type Figure } from './harness/figures.ts';

const SYSTEMS: readonly ListingSystem[] = ['windows', 'macos'];
const SERVERS = [1, 5, 10, 40];
const BUDGET = { polite: { ms: 3500, listings: 8 }, stubborn: { ms: 20_000, listings: 20 } };

const figures: Figure[] = [];
for (const system of SYSTEMS)
  for (const servers of SERVERS)
    for (const kind of ['polite', 'stubborn'] as const) {
      const stubborn = kind === 'polite' ? 0 : Math.min(2, servers);
      const { ms, listings, left } = await simulateQuit({ system, servers, stubborn });
      const what = `${system}, ${servers} servers, ${stubborn} stubborn`;
      figures.push(
        figure(`${what}: time`, 'ms', ms, BUDGET[kind].ms),
        figure(`${what}: listings`, 'listings', listings, BUDGET[kind].listings),
        figure(`${what}: left alive`, 'processes', left, 0),
      );
    }
report('quit', figures);
