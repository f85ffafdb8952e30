import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTestPanel } from '../../panel/open-test-panel.ts';
import { FakeCluster } from '../../../fixtures/cluster/fake-cluster.ts';
import type { FakePod } from '../../../fixtures/cluster/fake-pod.ts';
import { fixtureServer } from '../../../fixtures/fixture-server.ts';
import { adoptByNextPanel, STUBBORN, until, watchServer } from '../../../support/container-scenarios.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const STEPS = 30_000;
const LIMIT = { timeout: 4 * STEPS };
const withSignals = skipOn('win32', 'Windows has no signal that ends a panel in order');

interface Box {
  readonly flags?: readonly string[];
  readonly options?: readonly string[];
  readonly image?: string;
  readonly panel?: object;
  readonly isTls?: boolean;
}

async function openCluster(isTls = false) {
  const cluster = new FakeCluster(isTls);
  await cluster.listen();
  onTestFinished(() => cluster.close());
  const env = { ...process.env, KUBECONFIG: cluster.writeConfig(tempFolder('cluster-')) };
  const pods = () => [...cluster.pods.values()];
  const only = (): FakePod => {
    expect(pods()).toHaveLength(1);
    return pods()[0]!;
  };
  return { cluster, env, only, pods };
}

const entry = ({ flags = [], options = [], image = 'image', panel }: Box) => {
  const { command, args } = fixtureServer(...flags);
  return {
    command: 'docker',
    args: ['run', '-i', '--rm', ...options, image, command, ...args],
    panel: {
      runOn: { engine: 'kubernetes', context: 'fake' },
      ...{ stopGraceMs: 500, killGraceMs: 500, restart: { initialBackoffMs: 100 } },
      ...panel,
    },
  };
};

async function open(box: Box = {}) {
  const opened = await openCluster(box.isTls);
  const held = await openTestPanel({ box: entry(box) }, { parentEnvironment: opened.env });
  onTestFinished(() => held.dispose(), STEPS);
  const { home, panel } = held;
  panel.start();
  return { ...opened, ...watchServer(panel, 'box', STEPS), home, panel };
}

const saying = async (answer: Promise<unknown>) => JSON.stringify(await answer);

describe('a server in a pod of a cluster', () => {
  it('starts, answers, crashes, starts again and leaves nothing when it stops', LIMIT, async () => {
    const { call, cluster, events, home, only, panel, pods, shows, view } = await open({
      options: ['--memory', '512m', '-e', 'WORD=a $(b)'],
    });
    cluster.metrics = { cpu: '250m', memory: '64Mi' };
    await panel.servers.start('box');
    expect(await saying(call('echo', { text: 'hello' }))).toContain('hello');
    expect((await saying(call('payload', { bytes: 3_000_000 }))).length).toBeGreaterThan(200_000);
    const { metadata, spec } = only().object as unknown as Record<string, Record<string, unknown>>;
    expect(metadata?.['name']).toMatch(/^mcp-box-[a-z0-9]{12}$/);
    expect(spec).toMatchObject({
      ...{ restartPolicy: 'Never', automountServiceAccountToken: false, shareProcessNamespace: true },
      containers: [
        {
          ...{ stdin: true, stdinOnce: false, resources: { limits: { memory: '536870912' } } },
          env: [{ name: 'WORD', value: 'a $$(b)' }],
        },
      ],
    });
    await shows(() => view().sample?.memoryBytes === 64 * 1024 * 1024);
    expect(view().sample?.cpuPercent).toBe(25);
    expect(view().sample?.openFiles).toBeUndefined();
    expect(view().host).toMatchObject({ kind: 'pod', engine: 'fake', memoryLimitBytes: 512 * 1024 * 1024 });
    await call('crash', { code: 3 }).catch(() => undefined);
    await shows(() => view().state.kind === 'running' && view().generation === 2);
    expect(events('crashed')[0]?.detail).toMatchObject({ exitCode: 3 });
    expect(events('protocol-noise')).toEqual([]);
    await panel.servers.stop('box');
    expect(pods()).toEqual([]);
    expect(readdirSync(join(home, 'engines'))).toEqual([]);
  });

  it('is reached over TLS with a certificate, and the token that a program tells', LIMIT, async () => {
    const { call, panel, pods } = await open({ isTls: true });
    await panel.servers.start('box');
    expect(await saying(call('echo', { text: 'hello' }))).toContain('hello');
    await panel.servers.stop('box');
    expect(pods()).toEqual([]);
  });

  it('is ended alone, beside the pod of another panel', LIMIT, async () => {
    const { cluster, panel, pods } = await open();
    const labels = { 'mcp-control-panel.home': 'another', 'mcp-control-panel.server': 'box' };
    cluster.add({
      metadata: { name: 'another', labels },
      spec: { containers: [{ image: 'x', command: ['cat'] }] },
    });
    await panel.servers.start('box');
    expect(pods()).toHaveLength(2);
    await panel.servers.stop('box');
    expect(pods().map(({ name }) => name)).toEqual(['another']);
  });

  it('tells that its pod was evicted, and that it was deleted', LIMIT, async () => {
    const { cluster, events, only, panel, shows, view } = await open();
    await panel.servers.start('box');
    const pod = only();
    cluster.setStatus(pod, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory' });
    await shows(() => events('crashed').length === 1);
    expect(JSON.stringify(events('crashed')[0]?.detail)).toContain('was evicted: The node was low on memory');
    await shows(() => view().state.kind === 'running' && view().generation === 2);
    cluster.remove(only(), 0);
    await shows(() => events('crashed').length === 2);
    expect(JSON.stringify(events('crashed')[1]?.detail)).toContain('its pod was deleted');
  });

  it('tells that its image cannot be pulled, and leaves no pod', LIMIT, async () => {
    const { cluster, panel, pods } = await open({ image: 'missing' });
    cluster.fates.set('missing', { waiting: { reason: 'ErrImagePull', message: 'not found' } });
    await expect(panel.servers.start('box')).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringContaining('the image missing could not be pulled') as string,
    });
    await panel.servers.stop('box');
    expect(pods()).toEqual([]);
  });

  it('says while it starts that no node accepts it, and goes on when one does', LIMIT, async () => {
    const { cluster, only, panel, pods, shows, view } = await open({ image: 'big' });
    cluster.fates.set('big', { unschedulable: '0/3 nodes are available: 3 Insufficient memory.' });
    const started = panel.servers.start('box');
    await shows(() => pods().length === 1);
    const output = () => JSON.stringify(panel.output.since('box', 0));
    await shows(() => output().includes('Unschedulable: 0/3 nodes'));
    expect(view().state.kind).toBe('starting');
    cluster.start(only());
    await started;
    await panel.servers.stop('box');
    expect(pods()).toEqual([]);
  });

  it('starts although its image takes longer to come than a silent start may', LIMIT, async () => {
    const { cluster, only, panel, pods, shows, view } = await open({
      image: 'slow',
      panel: { startTimeoutMs: 1000 },
    });
    cluster.fates.set('slow', { waiting: { reason: 'ContainerCreating' } });
    const started = panel.servers.start('box');
    await shows(() => pods().length === 1);
    await shows(() => view().state.reason?.includes('pulling slow') === true);
    const startingMs = () => Date.now() - view().state.since;
    await shows(() => view().state.kind !== 'starting' || startingMs() > 2000);
    cluster.start(only());
    await started;
    expect(cluster.asked.get('POST')).toBe(1);
  });

  it('answers a call in whose midst all connections are cut for five seconds', LIMIT, async () => {
    const { call, cluster, events, only, panel, pods, shows, view } = await open();
    await panel.servers.start('box');
    const answers = [call('sleep', { ms: 7000 }), call('sleep', { ms: 2000 })];
    await until(() => Promise.resolve(view().busy?.calls === 2), STEPS);
    const { name } = only();
    cluster.cut();
    await shows(() => view().host?.isOutOfReach === true);
    const later = call('echo', { text: 'later' });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    cluster.restore();
    await Promise.all(answers);
    expect(await saying(later)).toContain('later');
    expect(view().generation).toBe(1);
    expect(only().name).toBe(name);
    await shows(() => events('engine-reached').length === 1);
    expect(events('engine-lost')).toHaveLength(1);
    expect(events('protocol-noise')).toEqual([]);
    await panel.servers.stop('box');
    expect(pods()).toEqual([]);
  });

  it('goes on when its connection alone is cut, again and again', LIMIT, async () => {
    const { call, cluster, events, panel, view } = await open();
    await panel.servers.start('box');
    for (let round = 0; round < 3; round += 1) {
      const answer = call('sleep', { ms: 300 });
      await until(() => Promise.resolve(view().busy?.calls === 1), STEPS);
      cluster.cutAttach();
      await answer;
      expect(await saying(call('echo', { text: `round ${round}` }))).toContain(`round ${round}`);
    }
    expect(view().generation).toBe(1);
    expect(events('protocol-noise')).toEqual([]);
  });

  it(
    'tells that it ran out of memory, also after the cluster has forgotten the version of the watch',
    LIMIT,
    async () => {
      const { cluster, events, only, panel, shows } = await open({ options: ['-m', '64m'] });
      await panel.servers.start('box');
      await shows(() => cluster.asked.get('watch') === 1);
      cluster.forgetVersions();
      await shows(() => cluster.asked.get('watch') === 2);
      expect(cluster.asked.get('list')).toBeGreaterThan(1);
      cluster.outOfMemory(only());
      await shows(() => events('crashed').length === 1);
      expect(JSON.stringify(events('crashed')[0]?.detail)).toContain('may use 64 MiB');
    },
  );

  it('is adopted by the next panel when its panel was killed', { ...LIMIT, ...withSignals }, async () => {
    const { cluster, env, only, pods } = await openCluster();
    const home = tempFolder('cluster-home-');
    const servers = { mcpServers: { box: entry({ flags: STUBBORN }) } };
    writeFileSync(join(home, 'servers.json'), JSON.stringify(servers));
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
    await adoptByNextPanel(home, env, () => only().name, STEPS);
    expect(cluster.asked.get('POST')).toBe(1);
    expect(pods()).toEqual([]);
  });
});
