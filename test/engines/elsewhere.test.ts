import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import { openTestPanel } from '../core/panel/open-test-panel.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { startHeadless, STUBBORN, until } from '../support/container-scenarios.ts';
import { offerByTls } from '../support/tls-front.ts';
import { IMAGE, makeImage } from './engine-image.ts';

/**
 * Addresses of docker engines that are reached as engines elsewhere. Default: that of the docker client here, by its socket. For
 * `ssh://` the file of MCP_CONTROL_PANEL_SSHD holds the pid of the server of SSH, whose sessions are cut.
 */
const addresses = (
  process.env['MCP_CONTROL_PANEL_ELSEWHERE'] ??
  process.env['DOCKER_HOST'] ??
  'unix:///var/run/docker.sock'
).split(' ');
const engines = (process.env['MCP_CONTROL_PANEL_ENGINES'] ?? '').split(' ');
const STEPS = 60_000;
const LIMIT = { timeout: 8 * STEPS };

describe.skipIf(!engines.includes('docker')).each(addresses)('a server on the engine at %s', (host) => {
  beforeAll(() => makeImage('docker'), 120_000);
  const ask = (...args: readonly string[]) =>
    runCommand('docker', args, { env: process.env, timeoutMs: STEPS });
  const listed = async () =>
    (await ask('ps', '-a', '-q', '--no-trunc')).split('\n').filter((id) => id !== '');

  interface Box {
    readonly flags?: readonly string[];
    readonly options?: readonly string[];
    readonly runOn?: object;
  }
  const entry = ({ flags = [], options = [], runOn = { engine: 'docker', host } }: Box) => {
    const { command, args } = fixtureServer(...flags);
    return {
      command: 'docker',
      args: ['run', '-i', '--rm', '--network', 'none', ...options, IMAGE, command, ...args],
      panel: { runOn, stopGraceMs: 500, killGraceMs: 500, restart: { initialBackoffMs: 100 } },
    };
  };

  /** Container of somebody else, with the panel's own words in a label; it must still be there after the test. */
  async function holdAnothers(): Promise<readonly string[]> {
    const { command, args } = fixtureServer('--ignore-eof');
    const label = ['--label', 'mcp-control-panel.server=box'];
    const id = (await ask('run', '-d', '--network', 'none', ...label, IMAGE, command, ...args)).trim();
    onTestFinished(async () => void (await ask('rm', '-f', id)), STEPS);
    return await listed();
  }

  async function open(box: Box = {}, changes: Parameters<typeof openTestPanel>[1] = {}) {
    const anothers = await holdAnothers();
    const opened = await openTestPanel({ box: entry(box) }, changes);
    const { home, panel } = opened;
    let isDisposed = false;
    const close = async () => {
      if (!isDisposed) await opened.dispose();
      isDisposed = true;
    };
    onTestFinished(close, STEPS);
    panel.start();
    const view = () => panel.getSnapshot().servers[0]!;
    const events = (kind: string) => panel.getSnapshot().events.filter((event) => event.kind === kind);
    const call = (name: string, args: object) =>
      panel.sessions.call({
        callId: `${name}-${Math.random()}`,
        name: 'box',
        method: 'tools/call',
        params: { name, arguments: { ...args } },
      });
    const shows = (isSo: () => boolean) => until(() => Promise.resolve(isSo()), STEPS);
    return { anothers, call, close, events, home, panel, shows, view };
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
    const home = mkdtempSync(join(tmpdir(), 'elsewhere-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(
      join(home, 'servers.json'),
      JSON.stringify({ mcpServers: { box: entry({ flags: STUBBORN }) } }),
    );
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
    // A login shell sets a PATH of its own, and here `ssh` may be a program with settings of tests.
    writeFileSync(join(home, '.profile'), `export PATH='${process.env['PATH']}'\n`);
    const env = { ...process.env, HOME: home };
    const first = startHeadless(home, env);
    await until(() => Promise.resolve(first.output().includes('running')), STEPS);
    const [id] = (await listed()).filter((one) => !anothers.includes(one));
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    const second = startHeadless(home, env);
    await until(() => Promise.resolve(second.output().includes('running')), STEPS);
    expect((await listed()).filter((one) => !anothers.includes(one))).toEqual([id]);
    second.child.kill('SIGTERM');
    await once(second.child, 'close');
    expect(await listed()).toEqual(anothers);
    const port = host.split(':').at(-1) ?? '';
    const programs = await runCommand('ps', ['-A', '-o', 'args='], { env: process.env, timeoutMs: STEPS });
    const ours = programs
      .split('\n')
      .filter((line) => line.includes('dial-stdio') && line.includes(`-p ${port}`));
    expect(ours).toEqual([]);
  });

  it.skipIf(!host.startsWith('unix://'))('is reached over TCP with TLS, by a context', LIMIT, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docker-config-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await offerByTls(host.slice('unix://'.length), folder, 'far');
    const runOn = { engine: 'docker', context: 'far' };
    const parentEnvironment = { ...process.env, DOCKER_CONFIG: folder };
    const { anothers, call, panel, view } = await open({ runOn }, { parentEnvironment });
    await panel.servers.start('box');
    expect(JSON.stringify(await call('echo', { text: 'hello' }))).toContain('hello');
    expect(view().host).toMatchObject({ engine: 'far' });
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it.skipIf(!host.startsWith('ssh://'))(
    'answers a call in whose midst the connection is cut for five seconds',
    LIMIT,
    async () => {
      const { anothers, call, events, panel, shows, view } = await open();
      await panel.servers.start('box');
      const answer = call('sleep', { ms: 7000 });
      const during = call('sleep', { ms: 2000 });
      await new Promise((resolve) => setTimeout(resolve, 500));
      const end = performance.now() + 5000;
      const server = Number(readFileSync(process.env['MCP_CONTROL_PANEL_SSHD'] ?? '', 'utf8'));
      const later = call('echo', { text: 'later' });
      let cuts = 0;
      while (performance.now() < end) {
        cuts += await signalSessions(server, 'SIGKILL');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      process.stdout.write(`${host}: ${cuts} sessions cut\n`);
      const answers = await Promise.all([answer, during, later]);
      expect(JSON.stringify(answers[2])).toContain('later');
      expect(view().generation).toBe(1);
      await shows(() => events('engine-reached').length === 1);
      expect(events('engine-lost').length).toBe(1);
      expect(events('protocol-noise')).toEqual([]);
      expect((await listed()).length).toBe(anothers.length + 1);
      await panel.servers.stop('box');
      expect(await listed()).toEqual(anothers);
    },
  );

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
