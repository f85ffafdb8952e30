import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeCluster } from '../../../fixtures/cluster/fake-cluster.ts';
import type { FakePod } from '../../../fixtures/cluster/fake-pod.ts';
import { until, watchServer } from '../../../support/container-scenarios.ts';
import { openTestPanel } from '../../panel/open-test-panel.ts';
import { refuse, streamableBackend, serve } from '../../supervisor/remote/test-server.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const STEPS = 30_000;
const LIMIT = { timeout: 4 * STEPS };
const DEPLOYMENT = '/apis/apps/v1/namespaces/test/deployments/api';
const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

const running = { name: 'main', state: { running: {} } };
const ready = (status: object = {}) => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: 'True' }],
  containerStatuses: [{ ...running, ...status }],
});
const waiting = (reason: string, status: object = {}) => ({
  phase: 'Pending',
  containerStatuses: [{ name: 'main', state: { waiting: { reason, message: 'as it says' } }, ...status }],
});
const outOfMemory = { terminated: { exitCode: 137, reason: 'OOMKilled' } };

async function openCluster() {
  const cluster = new FakeCluster();
  await cluster.listen();
  const folder = tempFolder('workload-');
  onTestFinished(() => cluster.close());
  cluster.fates.set('others', { isMute: true });
  cluster.workloads.resources.set(DEPLOYMENT, {
    spec: { replicas: 1, selector: { matchLabels: { app: 'api' } }, template: {} },
  });
  const servers: Awaited<ReturnType<typeof serve>>[] = [];
  /** Adds a pod with an MCP server on its port 8080. */
  const addPod = async (name: string, status: object = ready(), annotations = {}) => {
    const backend = streamableBackend();
    const server = await serve(backend.handler);
    servers.push(server);
    const pod = cluster.add({
      metadata: { name, labels: { app: 'api' }, annotations },
      spec: {
        containers: [
          {
            ...{ name: 'main', image: 'others', resources: { limits: { memory: '64Mi' } } },
            ports: [{ name: 'http', containerPort: 8080 }],
          },
        ],
      },
    })!;
    pod.ports = new Map([[8080, server.port]]);
    cluster.setStatus(pod, status as FakePod['object']['status']);
    return { backend, pod, server };
  };
  const env = { ...process.env, KUBECONFIG: cluster.writeConfig(folder) };
  return { addPod, cluster, env, workloads: cluster.workloads };
}

const FORWARDED = { deployment: 'api', port: 8080 };

async function open(
  { env }: Awaited<ReturnType<typeof openCluster>>,
  runOn: object = FORWARDED,
  url = 'http://localhost:8080/mcp',
) {
  const place = { engine: 'kubernetes', context: 'fake', ...runOn };
  const settings = { runOn: place, restart: { initialBackoffMs: 100 } };
  const held = await openTestPanel({ api: { url, panel: settings } }, { parentEnvironment: env });
  onTestFinished(() => held.dispose(), STEPS);
  const { panel } = held;
  panel.start();
  const watched = watchServer(panel, 'api', STEPS);
  const said = async (text: string) => JSON.stringify(await watched.call('echo', { text })).includes(text);
  const output = () => JSON.stringify(panel.output.since('api', 0));
  return { ...watched, output, panel, said, servers: panel.servers };
}

describe('a server in a Deployment of a cluster', () => {
  it('is called by a forwarded port, and tells pods, figures and log', LIMIT, async () => {
    const opened = await openCluster();
    const { pod, server } = await opened.addPod('api-1');
    await opened.addPod('api-2', waiting('ImagePullBackOff'));
    opened.cluster.metrics = { cpu: '250m', memory: '32Mi' };
    const { output, said, servers, shows, view } = await open(opened);
    await servers.start('api');
    expect(await said('hello')).toBe(true);
    expect(server.seen[0]?.headers.host).toBe('localhost:8080');
    expect(view().host).toMatchObject({
      ...{ kind: 'pod', engine: 'fake', id: 'api-1', memoryLimitBytes: 64 * 1024 * 1024 },
      workload: 'Deployment api of context fake',
    });
    expect(view().host?.pods).toContain('api-1 is ready; api-2 the image others could not be pulled');
    await shows(() => view().sample?.memoryBytes === 64 * 1024 * 1024);
    expect(view().sample?.cpuPercent).toBe(50);
    opened.cluster.log(pod, 'a line of the pod\n');
    await shows(() => output().includes('a line of the pod'));
    await servers.stop('api');
    expect([...opened.cluster.pods.keys()]).toEqual(['api-1', 'api-2']);
    expect(opened.cluster.asked.get('DELETE')).toBeUndefined();
    expect(opened.workloads.patches).toEqual([]);
    await shows(() => opened.workloads.forwards.size === 0);
  });

  it('goes on in the next pod when its pod ends in a rollout', LIMIT, async () => {
    const opened = await openCluster();
    const { pod } = await opened.addPod('api-1');
    const { events, said, servers, shows, view } = await open(opened);
    await servers.start('api');
    const next = await opened.addPod('api-2');
    opened.cluster.remove(pod);
    await shows(() => view().state.kind === 'running' && view().generation === 2);
    expect(view().host?.id).toBe('api-2');
    expect(JSON.stringify(events('crashed')[0]?.detail)).toContain('its pod was deleted');
    expect(await said('again')).toBe(true);
    expect(next.server.log()).toContain('POST tools/call');
  });

  it('tells a call as lost when its forward is cut, sends it once, and goes on', LIMIT, async () => {
    const opened = await openCluster();
    const { backend, server } = await opened.addPod('api-1');
    const { call, said, servers, view } = await open(opened);
    await servers.start('api');
    const gate = backend.gate();
    const lost = call('wait').then(
      () => 'answered',
      (error: { code: string }) => error.code,
    );
    await gate.called;
    opened.workloads.cutForwards();
    expect(await lost).toBe('OUTCOME_UNKNOWN');
    // Whether the session is kept depends on which of its connections is missed first.
    await until(() => said('later').catch(() => false), STEPS);
    expect(server.seen.filter(({ body }) => body.includes('"wait"'))).toHaveLength(1);
    expect(view().host?.id).toBe('api-1');
  });

  it('is restarted as kubectl does it, and waits for a pod of after the restart', LIMIT, async () => {
    const opened = await openCluster();
    const { pod } = await opened.addPod('api-1');
    const { output, servers, shows, view } = await open(opened);
    await servers.start('api');
    const restarted = servers.restart('api');
    await shows(() => opened.workloads.patches.length === 1);
    const [[type, patch]] = opened.workloads.patches as [
      [string, { spec: { template: { metadata: { annotations: Record<string, string> } } } }],
    ];
    expect(type).toBe('application/merge-patch+json');
    const { annotations } = patch.spec.template.metadata;
    expect(annotations[RESTARTED_AT]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await shows(() => view().state.reason?.includes('waiting for a pod of Deployment api') === true);
    const next = await opened.addPod('api-2', waiting('ContainerCreating'), annotations);
    await shows(() => view().state.reason?.includes('api-2 waits, ContainerCreating') === true);
    opened.cluster.setStatus(next.pod, ready());
    await restarted;
    expect(view().host?.id).toBe('api-2');
    opened.cluster.remove(pod);
    expect(output()).toContain('its pods are restarted');
    expect(view().generation).toBe(2);
  });

  it('tells that its container ran out of memory, which the cluster has started again', LIMIT, async () => {
    const opened = await openCluster();
    const { pod, server } = await opened.addPod('api-1');
    const { events, servers, shows, view } = await open(opened);
    await servers.start('api');
    await server.close();
    const again = await opened.addPod('spare', waiting('ContainerCreating'));
    pod.ports = again.pod.ports!;
    opened.cluster.setStatus(pod, ready({ restartCount: 1, lastState: outOfMemory }));
    await shows(() => view().state.kind === 'running' && view().generation === 2);
    expect(JSON.stringify(events('crashed')[0]?.detail)).toContain(
      'ran out of memory: its container may use 64 MiB',
    );
    expect(view().host?.pods).toContain(
      'api-1 is ready, restarted once, the last time because it ran out of memory',
    );
  });

  it(
    'tells why no pod is ready, with the last words of a container that ends again and again',
    LIMIT,
    async () => {
      const opened = await openCluster();
      const crashed = { restartCount: 3, lastState: { terminated: { exitCode: 1, reason: 'Error' } } };
      const { pod } = await opened.addPod('api-1', waiting('CrashLoopBackOff', crashed));
      opened.cluster.log(pod, 'Error: no license\n');
      const { servers } = await open(opened);
      await expect(servers.start('api')).rejects.toMatchObject({
        code: 'START_FAILED',
        message: expect.stringContaining('no license') as string,
      });
      opened.cluster.setStatus(pod, waiting('ImagePullBackOff'));
      await expect(servers.start('api')).rejects.toThrow('the image others could not be pulled');
    },
  );

  it.each([
    ['GET /apis/apps', 'lacks the right "get" on deployments'],
    ['GET /api/v1/namespaces/test/pods', 'lacks the right "list" on pods'],
    ['GET /api/v1/namespaces/test/pods/api-1/portforward', 'lacks the right "create" on pods/portforward'],
  ])('names the right that is missing where the cluster forbids %s', LIMIT, async (request, words) => {
    const opened = await openCluster();
    await opened.addPod('api-1');
    opened.workloads.forbidden.add(request);
    const { servers } = await open(opened);
    await expect(servers.start('api')).rejects.toMatchObject({
      ...{ code: 'START_FAILED', message: expect.stringContaining(words) as string },
    });
  });

  it('stays as it is where it may not be restarted, and runs without its log', LIMIT, async () => {
    const opened = await openCluster();
    await opened.addPod('api-1');
    opened.workloads.forbidden.add('PATCH ').add('GET /api/v1/namespaces/test/pods/api-1/log');
    const { output, servers, shows, view } = await open(opened);
    await servers.start('api');
    await expect(servers.restart('api')).rejects.toThrow('lacks the right "patch" on deployments');
    expect(view()).toMatchObject({ generation: 1, state: { kind: 'running' } });
    await shows(() => output().includes('on pods/log'));
  });

  it('asks for no sign-in at an address that is that of something else here', LIMIT, async () => {
    const opened = await openCluster();
    const { server } = await opened.addPod('api-1');
    const metadata = 'http://localhost:8080/.well-known/oauth-protected-resource';
    server.handler = refuse(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` });
    const { servers } = await open(opened);
    await expect(servers.start('api')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  });

  it('says that it does not exist, and that it is scaled to nothing', LIMIT, async () => {
    const opened = await openCluster();
    const { servers } = await open(opened);
    opened.workloads.resources.set(DEPLOYMENT, {
      spec: { replicas: 0, selector: { matchLabels: { app: 'api' } } },
    });
    await expect(servers.start('api')).rejects.toThrow('has no pods: it is scaled to 0');
    opened.workloads.resources.clear();
    await expect(servers.start('api')).rejects.toThrow('Deployment api is not in fake: there is none');
  });
});

describe('a server in other things of a cluster', () => {
  it('is reached by the port of a Service that leads to a port with a name', LIMIT, async () => {
    const opened = await openCluster();
    await opened.addPod('api-1');
    opened.workloads.resources.set('/api/v1/namespaces/test/services/web', {
      spec: { selector: { app: 'api' }, ports: [{ port: 80, targetPort: 'http' }] },
    });
    const { output, said, servers, view } = await open(opened, { service: 'web', port: 80 });
    await servers.start('api');
    expect(await said('hello')).toBe(true);
    await servers.restart('api');
    expect(view().generation).toBe(2);
    expect(output()).toContain('Service web: only the session is opened again');
    expect(opened.workloads.patches).toEqual([]);
  });

  it('is an MCPServer of any operator, with what that says of it', LIMIT, async () => {
    const opened = await openCluster();
    await opened.addPod('api-1');
    opened.workloads.resources.set('/apis/toolhive.stacklok.dev/v1alpha1/namespaces/test/mcpservers/api', {
      status: { phase: 'Running', message: 'MCP server is running' },
    });
    const { said, servers, view } = await open(opened, { mcpServer: 'api', port: 8080 });
    await servers.start('api');
    expect(await said('hello')).toBe(true);
    expect(view().host?.pods).toBe('MCPServer api Running: MCP server is running; api-1 is ready');
  });

  it('is reached by its URL without a port, also where the cluster tells nothing', LIMIT, async () => {
    const opened = await openCluster();
    const { pod, server } = await opened.addPod('api-1');
    const { output, said, servers, shows, view } = await open(opened, { deployment: 'api' }, server.url);
    await servers.start('api');
    opened.cluster.log(pod, 'a line of the pod\n');
    await shows(() => output().includes('api-1: a line of the pod'));
    expect(opened.cluster.asked.get('portforward')).toBeUndefined();
    opened.workloads.forbidden.add('GET /apis/apps');
    await servers.stop('api');
    await servers.start('api');
    expect(await said('hello')).toBe(true);
    expect(view().host?.pods).toBeUndefined();
    expect(output()).toContain('its pods are unknown: The Role of fake lacks the right');
  });
});
