/**
 * Cost of the figures of 100 containers, looked at every second: by the kernel's files (their copies in a folder), and by the
 * API of an engine that another process plays. Prints a table, and one line of JSON last. `CONTAINERS` and
 * `CONTAINER_SECONDS` change the size.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { containerCgroup } from '../../electron/core/platform/containers/open-figures.ts';
import { agentsBy, EngineApi } from '../../electron/core/platform/containers/engine-api.ts';
import { dockerEvents, EngineLink } from '../../electron/core/platform/containers/engine-link.ts';
import { EngineStats } from '../../electron/core/platform/containers/engine-stats.ts';
import { createProcFiles } from '../../electron/core/platform/proc/proc-files.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { inFolder } from '../support/homes.ts';
import { cpuMsSince } from './harness/cpu.ts';
import { figure, report } from './harness/figures.ts';
import { startPlayed } from './harness/played.ts';

const CONTAINERS = Number(process.env['CONTAINERS'] ?? 100);
const SECONDS = Number(process.env['CONTAINER_SECONDS'] ?? 10);
const ids = Array.from({ length: CONTAINERS }, (_, at) => String(at).padStart(64, '0'));
await inFolder(async (folder) => {
  const passMs = kernelPassMs(folder);
  const { cpuPercent, asked } = await byApi(join(folder, 'engine.sock'));
  report('containers', [
    figure(`${CONTAINERS} containers, a look at all by the kernel's files`, 'ms', passMs, 30),
    figure(`${CONTAINERS} containers by the API, CPU`, '% of a core', cpuPercent, 5),
    figure(`questions to the engine in ${SECONDS} s`, 'requests', asked, 2),
  ]);
});

/** Milliseconds of CPU of one look. */
function kernelPassMs(folder: string): number {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const files = { proc: createProcFiles(folder), cgroup: createProcFiles(folder), clock: systemClock };
  put('cgroup.controllers', 'cpu memory');
  const stat = Array.from({ length: 40 }, (_, at) => `figure_${at} 1`).join('\n');
  const readers = ids.map((id, at) => {
    const group = `docker/${id}`;
    put(`${at}/cgroup`, `0::/${group}\n`);
    put(`${at}/stat`, `${at} (node) S 1 ${Array.from({ length: 49 }, () => 0).join(' ')}\n`);
    put(`${group}/memory.current`, '3000000\n');
    put(`${group}/memory.stat`, `${stat}\ninactive_file 1000000\n`);
    put(`${group}/memory.events`, 'oom_kill 0\n');
    put(`${group}/cpu.stat`, 'usage_usec 5000\n');
    put(`${group}/cgroup.procs`, `${at}\n`);
    put(`${group}/cgroup.events`, 'frozen 0\n');
    return containerCgroup(files, at, id);
  });
  const before = process.cpuUsage();
  for (let look = 0; look < SECONDS; look += 1)
    for (const read of readers) if (read?.() === undefined) throw new Error('a container has no figures');
  return cpuMsSince(before) / SECONDS;
}

async function byApi(path: string) {
  const engine = await startPlayed<number>(join(import.meta.dirname, 'containers', 'engine.ts'), path);
  const api = new EngineApi(
    agentsBy(() => connect({ path })),
    systemClock,
  );
  const none = () => undefined;
  const link = new EngineLink({
    ...{ name: 'docker', api, clock: systemClock, events: dockerEvents('a=b'), onLost: none, onBack: none },
  });
  const all = ids.map((id) => new EngineStats(link, id, systemClock));
  while (!all.every((stats) => stats.read() !== undefined)) await delay(100);
  // Until the connections of the first questions have gone quiet.
  await delay(2000);
  const askedBefore = await engine.counted();
  const before = process.cpuUsage();
  await delay(SECONDS * 1000);
  const cpuPercent = cpuMsSince(before) / (SECONDS * 10);
  const asked = (await engine.counted()) - askedBefore;
  for (const stats of all) stats.dispose();
  link.close();
  engine.end();
  return { cpuPercent, asked };
}
