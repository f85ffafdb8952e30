/**
 * What the real window costs, by Chromium's own counters: `--only=PART` runs one part, `--minutes N` lets each
 * window run so long before it is measured (1 unless given), `--counts=10,100` are those of the growth, which `--picture` draws
 * for the documentation. Each part prints its figures; one line of JSON
 * comes last.
 */
import { measureActivity } from './renderer/activity.ts';
import { measureGrowth } from './renderer/growth.ts';
import { measureLogs } from './renderer/logs.ts';
import { measurePage } from './renderer/page.ts';
import { measureServers } from './renderer/servers.ts';
import { flag, numberFlag, reportParts } from './harness/figures.ts';

const minutes = numberFlag('minutes', 1);
await reportParts(
  'renderer',
  new Map([
    ['page', () => measurePage(minutes)],
    ['servers', () => measureServers(minutes)],
    ['growth', () => measureGrowth((flag('counts') ?? '10,100,300').split(',').map(Number))],
    ['activity', measureActivity],
    ['logs', measureLogs],
  ]),
);
