/**
 * What the pods of one namespace cost the panel's process: connections, bytes and CPU time, with every pod connected, its state told
 * anew once a minute, and its figures read each second. `npm run bench -- pods [--pods=1000] [--seconds=30]`.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCluster } from '../../electron/core/platform/kubernetes/cluster.ts';
import { containerSpecOf } from '../../electron/core/platform/elsewhere/container-spec.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { FakeCluster } from '../fixtures/cluster/fake-cluster.ts';

const IMAGE = 'mute';
const AT_ONCE = 8;
type Traffic = FakeCluster['traffic'];

if (process.send) await serve();
else await measure();

async function serve(): Promise<void> {
  const cluster = new FakeCluster();
  cluster.fates.set(IMAGE, { isMute: true });
  cluster.metrics = { cpu: '3m', memory: '64Mi' };
  await cluster.listen();
  let turn = 0;
  // A kubelet tells of each pod about once a minute where something changes.
  setInterval(() => {
    const pods = [...cluster.pods.values()];
    for (let left = pods.length / 60; left > 0; left -= 1) {
      const pod = pods[(turn += 1) % pods.length];
      if (pod) cluster.setStatus(pod, pod.object.status);
    }
  }, 1000);
  process.on('message', () => process.send?.(cluster.traffic));
  process.send?.({ path: cluster.writeConfig(process.argv[2] ?? tmpdir()) });
}

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: { pods: { type: 'string', default: '1000' }, seconds: { type: 'string', default: '30' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'pods-'));
  const server = fork(import.meta.filename, [folder]);
  try {
    const [{ path }] = (await once(server, 'message')) as [{ path: string }];
    const before = process.memoryUsage().rss;
    const place = { engine: 'kubernetes', namespace: 'test' } as const;
    const engine = await openCluster(place, {
      ...{ clock: systemClock, userHome: folder, env: { KUBECONFIG: path }, name: 'fake', home: 'home' },
      onLost: (reason) => console.log(`lost: ${reason}`),
      onBack: () => undefined,
    });
    const loadedMiB = (process.memoryUsage().rss - before) / 2 ** 20;
    const use = engine.link.use();
    const traffic = async () => {
      server.send('traffic');
      const [told] = (await once(server, 'message')) as [Traffic];
      return told;
    };
    const request = { command: 'docker', args: ['run', '-i', IMAGE], cwd: folder, env: {} };
    const spec = await containerSpecOf(request, () => Promise.resolve(''));
    const figures: { read(): unknown }[] = [];
    const startCpu = process.cpuUsage();
    let next = 0;
    const work = async () => {
      while (next < Number(values.pods)) {
        next += 1;
        const owner = { server: `s${next}`, token: `t${String(next).padStart(11, '0')}`, withVolumes: false };
        const { box } = await engine.create(spec, owner);
        while ((await box.look())?.kind !== 'running')
          await new Promise((resolve) => setTimeout(resolve, 50));
        await box.attach();
        figures.push(box.openFigures());
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const startMs = process.cpuUsage(startCpu);
    const cpu = process.cpuUsage();
    const from = await traffic();
    for (let second = 0; second < Number(values.seconds); second += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      for (const one of figures) one.read();
    }
    const used = process.cpuUsage(cpu);
    const to = await traffic();
    const row = {
      pods: figures.length,
      connections: to.connections,
      'KiB/s': Math.round((to.bytes - from.bytes) / Number(values.seconds) / 1024),
      'CPU %': Number(((used.user + used.system) / 1e4 / Number(values.seconds)).toFixed(2)),
      'CPU ms a start': Number(((startMs.user + startMs.system) / 1000 / figures.length).toFixed(2)),
      'library MiB': Math.round(loadedMiB),
      'all MiB': Math.round((process.memoryUsage().rss - before) / 2 ** 20),
    };
    console.table([row]);
    console.log(JSON.stringify(row));
    use.dispose();
    engine.link.close();
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit();
}
