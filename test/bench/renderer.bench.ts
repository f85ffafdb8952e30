/**
 * What the real window costs, by Chromium's own counters: `--only=PART` runs one part, `--minutes N` lets each
 * window run so long before it is measured (1 unless given). Each part prints its figures; one line of JSON
 * comes last.
 */
import { measureActivity } from './renderer/activity.ts';
import { measureLogs } from './renderer/logs.ts';
import { measurePage } from './renderer/page.ts';
import { measureServers } from './renderer/servers.ts';
import { flag, report, type Figure } from './harness/figures.ts';

const parts: ReadonlyMap<string, (minutes: number) => Promise<readonly Figure[]>> = new Map([
  ['page', measurePage],
  ['servers', measureServers],
  ['activity', measureActivity],
  ['logs', measureLogs],
]);

const only = flag('only');
if (only !== undefined && !parts.has(only))
  throw new Error(`--only=${only}: expected one of ${[...parts.keys()].join(', ')}`);

const minutes = minutesOf(process.argv);
const figures: Figure[] = [];
for (const [name, measure] of parts)
  if (only === undefined || only === name) figures.push(...(await measure(minutes)));
report('renderer', figures);

function minutesOf(args: readonly string[]): number {
  const place = args.findIndex((arg) => arg === '--minutes' || arg.startsWith('--minutes='));
  if (place === -1) return 1;
  const text = args[place]!.split('=')[1] ?? args[place + 1];
  const minutes = Number(text);
  if (!(minutes >= 0)) throw new Error(`--minutes: expected a number of minutes, found ${text}`);
  return minutes;
}
