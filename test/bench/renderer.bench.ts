/**
 * What the real window costs, by Chromium's own counters: `--only=PART` runs one part, `--minutes N` lets each
 * window run so long before it is measured (1 unless given), `--most N` ends the growth with so many servers. Each part prints its figures; one line of JSON
 * comes last.
 */
import { measureActivity } from './renderer/activity.ts';
import { measureGrowth } from './renderer/growth.ts';
import { measureLogs } from './renderer/logs.ts';
import { measurePage } from './renderer/page.ts';
import { measureServers } from './renderer/servers.ts';
import { numberFlag, reportParts } from './harness/figures.ts';

const minutes = numberFlag('minutes', 1);
await reportParts(
  'renderer',
  new Map([
    ['page', () => measurePage(minutes)],
    ['servers', () => measureServers(minutes)],
    ['growth', () => measureGrowth(numberFlag('most', 300))],
    ['activity', measureActivity],
    ['logs', measureLogs],
  ]),
);
