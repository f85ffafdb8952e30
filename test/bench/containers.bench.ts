/**
 * Cost of the figures of 100 containers, looked at every second: by the kernel's files (their copies in a folder), and by the
 * API of an engine that another process plays. Prints a table, and one line of JSON last. `CONTAINERS` and
 * `CONTAINER_SECONDS` change the size.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { containerCgroup } from '../../electron/core/platform/containers/open-figures.ts';
import { agentsBy, EngineApi } from '../../electron/core/platform/containers/engine-api.ts';
import { dockerEvents, EngineLink } from '../../electron/core/platform/containers/engine-link.ts';
import { EngineStats } from '../../electron/core/platform/containers/engine-stats.ts';
import { createProcFiles } from '../../electron/core/platform/proc/proc-files.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { figure, report } from './harness/figures.ts';

const CONTAINERS = Number(process.env['CONTAINERS'] ?? 100);
const SECONDS = Number(process.env['CONTAINER_SECONDS'] ?? 10);
const ids = Array.from({ length: CONTAINERS }, (_, at) => String(at).padStart(64, '0'));
const folder = mkdtempSync(join(tmpdir(), 'containers-bench-'));
try {
  const passMs = kernelPassMs();
  const { cpuPercent, asked } = await byApi();
  report('containers', [
    figure(`${CONTAINERS} containers, a look at all by the kernel's files`, 'ms', passMs, 30),
    figure(`${CONTAINERS} containers by the API, CPU`, '% of a core', cpuPercent, 5),
    figure(`questions to the engine in ${SECONDS} s`, 'requests', asked, 2),
  ]);
} finally {
  rmSync(folder, { recursive: true });
}

/** Milliseconds of CPU of one look. */
function kernelPassMs(): number {
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

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function byApi() {
  const path = join(folder, 'engine.sock');
  const engine = fork(join(import.meta.dirname, 'containers', 'engine.ts'), [path]);
  await once(engine, 'message');
  const timesAsked = async () => {
    engine.send('asked');
    return Number((await once(engine, 'message'))[0]);
  };
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
  const askedBefore = await timesAsked();
  const before = process.cpuUsage();
  await delay(SECONDS * 1000);
  const cpuPercent = cpuMsSince(before) / (SECONDS * 10);
  const asked = (await timesAsked()) - askedBefore;
  for (const stats of all) stats.dispose();
  link.close();
  engine.disconnect();
  return { cpuPercent, asked };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
