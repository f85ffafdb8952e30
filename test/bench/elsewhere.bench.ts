// Connections, bytes and CPU that idle servers on one engine elsewhere cost. `npm run bench -- elsewhere`.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LastEngines } from '../../electron/core/platform/containers/engine-link.ts';
import { signallerForPlatform } from '../../electron/core/platform/signals.ts';
import { spawnChild } from '../../electron/core/platform/spawner.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { EngineRecords } from '../../electron/core/supervisor/custody/engine-record.ts';
import { EngineHost } from '../../electron/core/supervisor/host/engine-host.ts';
import { FakeEngine } from '../fixtures/engine/fake-engine.ts';
import { inFolder } from '../support/homes.ts';
import { cpuMsSince } from './harness/cpu.ts';
import { play, startPlayed } from './harness/played.ts';

const COUNTS = [1, 10, 50, 100];
const SETTLE_MS = 3000;
const MEASURE_MS = 10_000;

type Traffic = FakeEngine['traffic'];

if (process.send) await serve();
else await measure();

/** The engine, in a process of its own; sends a frame of figures of each container every second. */
async function serve(): Promise<void> {
  const engine = new FakeEngine();
  await engine.listen();
  setInterval(() => engine.measure(new Date(), 1e9), 1000);
  play(
    engine.path,
    () => engine.traffic,
    () => engine.close(),
  );
}

async function measure(): Promise<void> {
  const rows = [];
  for (const count of COUNTS) rows.push(await inFolder((home) => costOf(count, home)));
  process.stdout.write('| servers | connections | KB a second | CPU of the panel |\n|---|---|---|---|\n');
  for (const { servers, connections, kilobytes, cpu } of rows)
    process.stdout.write(`| ${servers} | ${connections} | ${kilobytes.toFixed(1)} | ${cpu.toFixed(2)} % |\n`);
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}

async function costOf(servers: number, home: string) {
  const engine = await startPlayed<Traffic>(import.meta.filename);
  const host = new EngineHost({
    clock: systemClock,
    lastEngines: new LastEngines(),
    records: new EngineRecords(join(home, 'engines')),
    ...{ home, userHome: home, spawner: spawnChild },
    signaller: signallerForPlatform(process.platform),
    environment: () => ({ HOME: home }),
    ...{
      onLost: () => undefined,
      onBack: () => undefined,
      onAdopted: () => undefined,
      notice: () => undefined,
    },
  });
  for (let at = 0; at < servers; at += 1) {
    const run = await host.start({
      server: `box${at}`,
      marker: `marker${at}`,
      request: {
        ...{ command: 'docker', args: ['run', '-i', 'image'], env: {} },
        runOn: { engine: 'docker', host: `unix://${engine.address}` },
      },
      onHost: () => undefined,
    });
    run.readStdout({ onPart: () => undefined });
    run.readStderr({ onPart: () => undefined });
  }
  await sleep(SETTLE_MS);
  const before = await engine.counted();
  const cpuBefore = process.cpuUsage();
  await sleep(MEASURE_MS);
  const cpuMs = cpuMsSince(cpuBefore);
  const after = await engine.counted();
  await host.close();
  engine.end();
  return {
    servers,
    connections: after.connections,
    kilobytes: (after.bytes - before.bytes) / MEASURE_MS,
    cpu: (cpuMs * 100) / MEASURE_MS,
  };
}
