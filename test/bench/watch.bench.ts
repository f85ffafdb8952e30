/**
 * Watching 100 processes where a look at them takes 300 ms, as by PowerShell on a Windows that cannot be asked otherwise, or
 * by `ps` on a machine at work, on a simulated machine: how many listings, and the share of time in which one is running.
 * A window that is hidden, or shows anything but the processes of a server, costs no listing. Prints a table, and one line
 * of JSON last; exit code 1 when a budget is missed.
 */
import { simulateWatch } from '../core/platform/watch-simulation.ts';
import type { ListingSystem } from '../core/platform/slow-machine.ts';
import { figure, report, type Figure } from './harness/figures.ts';

/** Each a wrapper with the real server below it. */
const SERVERS = 50;
const BUDGETS: Readonly<Record<ListingSystem, { readonly listings: number; readonly percent: number }>> = {
  windows: { listings: 12, percent: 6 },
  macos: { listings: 90, percent: 45 },
};
const SYSTEMS: readonly ListingSystem[] = ['windows', 'macos'];

const figures: Figure[] = [];
for (const system of SYSTEMS)
  for (const showsProcesses of [false, true]) {
    const { listings, percent } = BUDGETS[system];
    const watched = await simulateWatch({ system, servers: SERVERS, showsProcesses });
    const what = `${system}, ${showsProcesses ? "a server's processes shown" : 'window hidden, or on another page'}`;
    figures.push(
      figure(`${what}: listings`, '/min', watched.listingsPerMinute, listings),
      figure(`${what}: one is running`, '% of time', watched.listingPercent, percent),
      figure(`${what}: CPU at most`, '% of a core', watched.mostCpuPercent, percent),
      figure(`${what}: figures of a server`, '/min', watched.samplesPerMinute),
    );
  }
report('watch', figures);
