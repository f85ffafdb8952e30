import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import {
  adoptByNextPanel,
  containerBench,
  STUBBORN,
  until,
  watchServer,
  type ContainerEntry,
} from '../support/container-scenarios.ts';
import { offerByTls } from '../support/tls-front.ts';
import { engineOf, engines, makeImage, testMemory } from './engine-image.ts';
import { tempFolder } from '../support/temp-folder.ts';

/**
 * Addresses, or contexts, of docker engines that are reached as engines elsewhere. Default: that of the docker client here, by its socket. For
 * `ssh://` the file of MCP_CONTROL_PANEL_SSHD holds the pid of the server of SSH, whose sessions are cut.
 */
const addresses = (
  process.env['MCP_CONTROL_PANEL_ELSEWHERE'] ??
  process.env['DOCKER_HOST'] ??
  'unix:///var/run/docker.sock'
).split(' ');
const STEPS = 60_000;
const LIMIT = { timeout: 8 * STEPS };

describe.skipIf(!engines.includes('docker')).each(addresses)('a server on the engine at %s', (host) => {
  beforeAll(() => makeImage('docker'), 120_000);
  const { ask, entry, holdAnothers, listed, openPanel } = containerBench(engineOf('docker', STEPS));
  const place = { engine: 'docker', [host.includes('://') ? 'host' : 'context']: host };
  const boxOf = ({ panel, ...box }: ContainerEntry): ContainerEntry => ({
    ...box,
    panel: { runOn: place, calls: { timeoutMs: 90_000 }, ...panel },
  });

  async function open(box: ContainerEntry = {}, changes: Parameters<typeof openPanel>[1] = {}) {
    const anothers = await holdAnothers();
    const { home, panel } = await openPanel({ box: boxOf(box) }, changes);
    return { ...watchServer(panel, 'box', STEPS), anothers, home, panel };
  }

  it('starts, answers, crashes, starts again and stops politely', LIMIT, async () => {
    const { anothers, call, events, home, panel, shows, view } = await open({
      options: ['--memory', '512m'],
    });
    const at = performance.now();
    await panel.servers.start('box');
    process.stdout.write(`${host}: up after ${Math.round(performance.now() - at)} ms\n`);
    expect(JSON.stringify(await call('echo', { text: 'hello' }))).toContain('hello');
    const payload = JSON.stringify(await call('payload', { bytes: 3_000_000 }));
    // More than that of a long answer is not kept for the window.
    expect(payload.length).toBeGreaterThan(200_000);
    await shows(() => view().sample?.cpuPercent !== undefined);
    expect(view().host).toMatchObject({ kind: 'container', memoryLimitBytes: 512 * 1024 * 1024 });
    expect((await listed()).length).toBe(anothers.length + 1);
    await call('crash', { code: 3 }).catch(() => undefined);
    await shows(() => view().state.kind === 'running' && view().generation === 2);
    expect(events('crashed')[0]?.detail).toMatchObject({ exitCode: 3 });
    const stopAt = performance.now();
    await panel.servers.stop('box');
    process.stdout.write(`${host}: stopped after ${Math.round(performance.now() - stopAt)} ms\n`);
    expect(await listed()).toEqual(anothers);
    expect(readdirSync(join(home, 'engines'))).toEqual([]);
  });

  it('stops a stubborn server', LIMIT, async () => {
    const { anothers, panel } = await open({ flags: STUBBORN });
    await panel.servers.start('box');
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('is adopted by the next panel when its panel was killed', LIMIT, async () => {
    const anothers = await holdAnothers();
    const home = tempFolder('elsewhere-');
    writeFileSync(
      join(home, 'servers.json'),
      JSON.stringify({ mcpServers: { box: entry(boxOf({ flags: STUBBORN })) } }),
    );
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
    // A login shell sets a PATH of its own, and here `ssh` may be a program with settings of tests.
    writeFileSync(join(home, '.profile'), `export PATH='${process.env['PATH']}'\n`);
    const env = { ...process.env, HOME: home };
    const ours = async () => {
      const ids = (await listed()).filter((one) => !anothers.includes(one));
      expect(ids).toHaveLength(1);
      return ids;
    };
    await adoptByNextPanel(home, env, ours, STEPS);
    expect(await listed()).toEqual(anothers);
    if (host.startsWith('ssh://')) expect((await connectionsTo(host)).programs).toBe(0);
  });

  it.skipIf(!host.startsWith('unix://') && !host.startsWith('ssh://'))(
    'answers or loses each call of a minute without a connection, none twice',
    LIMIT,
    async () => {
      const folder = tempFolder('docker-config-');
      const front = host.startsWith('ssh://')
        ? undefined
        : await offerByTls(host.slice('unix://'.length), folder, 'far');
      const runOn = front ? { engine: 'docker', context: 'far' } : place;
      const parentEnvironment = front ? { ...process.env, DOCKER_CONFIG: folder } : process.env;
      const { anothers, call, events, panel, shows, view } = await open(
        { panel: { runOn } },
        { parentEnvironment },
      );
      await panel.servers.start('box');
      const calls = [1000, 20_000, 70_000].map((ms) => call('sleep', { ms }));
      await new Promise((resolve) => setTimeout(resolve, 500));
      const endAt = performance.now() + 60_000;
      let during: ReturnType<typeof call> | undefined;
      front?.setCut(true);
      // What is written into the cut itself may be swallowed: then its time tells that it is lost.
      const into = call('echo', { text: 'into' }).catch((error: unknown) => error);
      const server = Number(readFileSync(process.env['MCP_CONTROL_PANEL_SSHD'] ?? '/dev/null', 'utf8'));
      while (performance.now() < endAt) {
        if (!front) await signalSessions(server, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (view().host?.isOutOfReach) during ??= call('echo', { text: 'during' });
      }
      front?.setCut(false);
      await Promise.all(calls);
      expect(JSON.stringify(await into)).toMatch(/into|REQUEST_TIMEOUT/);
      expect(JSON.stringify(await during)).toContain('during');
      expect([view().generation, events('protocol-noise')]).toEqual([1, []]);
      await shows(() => events('engine-reached').length === 1);
      expect(events('engine-lost').length).toBe(1);
      expect((await listed()).length).toBe(anothers.length + 1);
      await panel.servers.stop('box');
      expect(await listed()).toEqual(anothers);
    },
  );

  testMemory(open, listed, LIMIT);

  it('is found frozen, and starts again', LIMIT, async () => {
    const health = { probeIntervalMs: 1000, stallThresholdMs: 5000 };
    const { anothers, panel, shows, view } = await open({ panel: { health } });
    await panel.servers.start('box');
    const [id = ''] = (await listed()).filter((one) => !anothers.includes(one));
    await ask('pause', id);
    await shows(() => view().state.kind === 'running' && view().generation === 2);
    expect((await listed()).includes(id)).toBe(false);
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('starts again ten times, by name, and leaves nothing', LIMIT, async () => {
    const { anothers, panel } = await open({ options: ['--name', 'elsewhere-named'] });
    await panel.servers.start('box');
    for (let time = 0; time < 10; time += 1) await panel.servers.restart('box');
    expect((await listed()).length).toBe(anothers.length + 1);
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it.skipIf(!host.startsWith('unix://'))('is reached over TCP with TLS, by a context', LIMIT, async () => {
    const folder = tempFolder('docker-config-');
    await offerByTls(host.slice('unix://'.length), folder, 'far');
    const runOn = { engine: 'docker', context: 'far' };
    const parentEnvironment = { ...process.env, DOCKER_CONFIG: folder };
    const { anothers, call, panel, view } = await open({ panel: { runOn } }, { parentEnvironment });
    await panel.servers.start('box');
    expect(JSON.stringify(await call('echo', { text: 'hello' }))).toContain('hello');
    expect(view().host).toMatchObject({ engine: 'far' });
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('runs twenty at once, over one ssh where there is one', LIMIT, async () => {
    const anothers = await holdAnothers();
    const names = Array.from({ length: 20 }, (_, at) => `box${at}`);
    const still = boxOf({ panel: { autoStart: false } });
    const opened = await openPanel(Object.fromEntries(names.map((name) => [name, still])));
    const { panel } = opened;
    const connections = () => (host.startsWith('ssh://') ? connectionsTo(host) : undefined);
    for (const count of [1, 10, 20]) {
      const at = performance.now();
      await Promise.all(names.slice(0, count).map((name) => panel.servers.start(name)));
      const forMs = Math.round(performance.now() - at);
      await until(() => {
        const views = panel.getSnapshot().servers.slice(0, count);
        return Promise.resolve(views.every(({ sample }) => sample !== undefined));
      }, STEPS);
      const found = await connections();
      process.stdout.write(`${host}: ${count} servers after ${forMs} ms, ${JSON.stringify(found)}\n`);
      if (found) expect(found).toEqual({ programs: 1, sessions: 1 });
    }
    await opened.dispose();
    expect(await listed()).toEqual(anothers);
    expect((await connections())?.programs ?? 0).toBe(0);
  });

  it.skipIf(!host.startsWith('ssh://'))('answers calls after its packets have vanished', LIMIT, async () => {
    const server = Number(readFileSync(process.env['MCP_CONTROL_PANEL_SSHD'] ?? '', 'utf8'));
    onTestFinished(async () => void (await signalSessions(server, 'SIGKILL')));
    const { anothers, call, panel, view } = await open();
    await panel.servers.start('box');
    const answer = call('sleep', { ms: 3000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await signalSessions(server, 'SIGSTOP');
    const at = performance.now();
    await answer;
    process.stdout.write(
      `${host}: answered ${Math.round(performance.now() - at)} ms after packets began to vanish\n`,
    );
    expect(JSON.stringify(await call('echo', { text: 'again' }))).toContain('again');
    expect(view().generation).toBe(1);
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });
});

/** Programs `ssh` that lead to a server of SSH on this machine, and the connections that it has. */
async function connectionsTo(
  host: string,
): Promise<{ readonly programs: number; readonly sessions: number }> {
  const { port } = new URL(host);
  const run = (words: string) =>
    runCommand('ps', ['-A', '-o', words], { env: process.env, timeoutMs: STEPS });
  const server = readFileSync(process.env['MCP_CONTROL_PANEL_SSHD'] ?? '', 'utf8').trim();
  const programs = (await run('args=')).split('\n').filter((line) => /\bssh .*docker/.test(line));
  const parents = (await run('ppid=')).split('\n').map((line) => line.trim());
  return {
    programs: programs.filter((line) => line.includes(`-p ${port}`)).length,
    sessions: parents.filter((parent) => parent === server).length,
  };
}

/** Signals the sessions of a server of SSH. @returns how many there were */
async function signalSessions(server: number, signal: 'SIGKILL' | 'SIGSTOP'): Promise<number> {
  const listing = await runCommand('ps', ['-A', '-o', 'pid=', '-o', 'ppid='], {
    env: process.env,
    timeoutMs: STEPS,
  });
  const pids = listing
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, parent]) => (parent === server ? [pid] : []));
  for (const pid of pids) process.kill(pid, signal);
  return pids.length;
}
