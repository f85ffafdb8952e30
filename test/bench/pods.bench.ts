/**
 * What the pods of one namespace cost the panel's process: connections, bytes and CPU time, with every pod connected, its state told
 * anew once a minute, and its figures read each second. `npm run bench -- pods [--pods=1000] [--seconds=30]`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openCluster } from '../../electron/core/platform/kubernetes/cluster.ts';
import { containerSpecOf } from '../../electron/core/platform/elsewhere/container-spec.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { FakeCluster } from '../fixtures/cluster/fake-cluster.ts';
import { inFolder } from '../support/homes.ts';
import { cpuMsSince } from './harness/cpu.ts';
import { numberFlag } from './harness/figures.ts';
import { play, startPlayed } from './harness/played.ts';

const IMAGE = 'mute';
const AT_ONCE = 8;
type Traffic = FakeCluster['traffic'];

if (process.send) await serve();
else {
  await inFolder(measure);
  process.exit();
}

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
  play(cluster.writeConfig(process.argv[2]!), () => cluster.traffic);
}

async function measure(folder: string): Promise<void> {
  const [pods, seconds] = [numberFlag('pods', 1000), numberFlag('seconds', 30)];
  const cluster = await startPlayed<Traffic>(import.meta.filename, folder);
  try {
    const before = process.memoryUsage().rss;
    const place = { engine: 'kubernetes', namespace: 'test' } as const;
    const engine = await openCluster(place, {
      ...{
        clock: systemClock,
        userHome: folder,
        env: { KUBECONFIG: cluster.address },
        name: 'fake',
        home: 'home',
      },
      onLost: (reason) => console.log(`lost: ${reason}`),
      onBack: () => undefined,
    });
    const loadedMiB = (process.memoryUsage().rss - before) / 2 ** 20;
    const use = engine.link.use();
    const request = { command: 'docker', args: ['run', '-i', IMAGE], cwd: folder, env: {} };
    const spec = await containerSpecOf(request, () => Promise.resolve(''));
    const figures: { read(): unknown }[] = [];
    const startCpu = process.cpuUsage();
    let next = 0;
    const work = async () => {
      while (next < pods) {
        next += 1;
        const owner = { server: `s${next}`, token: `t${String(next).padStart(11, '0')}`, withVolumes: false };
        const { box } = await engine.create(spec, owner, { request });
        while ((await box.look())?.kind !== 'running') await sleep(50);
        await box.attach();
        figures.push(box.openFigures());
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const startMs = cpuMsSince(startCpu);
    const cpu = process.cpuUsage();
    const from = await cluster.counted();
    for (let second = 0; second < seconds; second += 1) {
      await sleep(1000);
      for (const one of figures) one.read();
    }
    const usedMs = cpuMsSince(cpu);
    const to = await cluster.counted();
    const row = {
      pods: figures.length,
      connections: to.connections,
      'KiB/s': Math.round((to.bytes - from.bytes) / seconds / 1024),
      'CPU %': Number((usedMs / 10 / seconds).toFixed(2)),
      'CPU ms a start': Number((startMs / figures.length).toFixed(2)),
      'library MiB': Math.round(loadedMiB),
      'all MiB': Math.round((process.memoryUsage().rss - before) / 2 ** 20),
    };
    console.table([row]);
    console.log(JSON.stringify(row));
    use.dispose();
    engine.link.close();
  } finally {
    cluster.end();
  }
}
