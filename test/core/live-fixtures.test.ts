import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  endProcess,
  fixtureServer,
  fixtureShellWrapper,
  fixtureWrapper,
  isAlive,
  readPids,
  readMessages,
  readProcesses,
  readStarts,
  waitUntil,
  type CommandLine,
} from '../fixtures/fixture-server.ts';
import { RawClient } from '../fixtures/raw-client.ts';
import { onlyOn, skipOn, skipWhen, type SkipOptions } from '../support/skip-on.ts';

const isLinux = process.platform === 'linux';
const isPosix = process.platform !== 'win32';
const signalled = skipOn('win32', 'Windows has no signals');
const inProc = onlyOn('linux', 'it reads /proc');
const program = (name: string) => fileURLToPath(new URL(`../fixtures/servers/${name}`, import.meta.url));
const tracerProgram = program('tracer.py');
const traced = skipWhen(
  spawnSync('python3', [tracerProgram]).status !== 0,
  'tracing takes Linux, python3 and the right to',
);
const leavesChildren = skipOn('win32', 'the children of a Node process end with it on Windows');
const MIB = 1024 * 1024;

let folder = '';
let pidFile = '';
let clients: RawClient[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtures-')));
  pidFile = join(folder, 'pids');
  clients = [];
});

afterEach(async () => {
  const pids = [...clients.map((client) => client.pid), ...readPids(pidFile)];
  await Promise.all(pids.map(endProcess));
  await Promise.all(clients.map((client) => client.exited));
  // A second round ends children that were started while their parent was ended.
  await Promise.all(readPids(pidFile).map(endProcess));
  rmSync(folder, { recursive: true });
});

function open(commandLine: CommandLine, options: { cwd?: string; detached?: boolean } = {}): RawClient {
  const client = new RawClient(commandLine, options);
  clients.push(client);
  return client;
}

/** Starts a server that records its pids, without a handshake. */
function start(...flags: string[]): RawClient {
  return open(fixtureServer(`--pid-file=${pidFile}`, ...flags));
}

async function startReady(...flags: string[]): Promise<RawClient> {
  const client = start(...flags);
  await client.initialize();
  return client;
}

const saysOnStderr = (client: RawClient, text: string) =>
  client.until(`"${text}" on stderr`, () => client.stderr.includes(text));

const pidOf = (client: RawClient, role: string) =>
  client.until(
    `a ${role}`,
    () => readProcesses(pidFile).find((entry) => entry.role === role)?.pid,
  ) as Promise<number>;

/** Waits until the server's loop has turned that often. */
async function chatterOf(client: RawClient, lines: number): Promise<void> {
  const count = () => client.stderr.split('\n').filter((line) => line.startsWith('chatter ')).length;
  const goal = count() + lines;
  await client.until(`${lines} more lines of chatter`, () => count() >= goal);
}

/** Lets time pass for everybody: a healthy server starts, answers and ends. */
async function lifeOfAnotherServer(): Promise<void> {
  const other = open(fixtureServer());
  await other.initialize();
  for (let round = 0; round < 5; round++) await other.request('ping');
  other.child.stdin.end();
  await other.exited;
}

const procFile = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');

function statFields(pid: number): string[] {
  const stat = procFile(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const groupOf = (pid: number) => Number(statFields(pid)[2]);
const sessionOf = (pid: number) => Number(statFields(pid)[3]);
/** CPU time of the process alone, in ticks of a hundredth of a second. */
const ownCpuTicks = (pid: number) => Number(statFields(pid)[11]) + Number(statFields(pid)[12]);
const reapedCpuTicks = (pid: number) => Number(statFields(pid)[13]) + Number(statFields(pid)[14]);
const rssBytes = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(procFile(pid, 'status'))![1]) * 1024;
const openFiles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

describe('the well-behaved fixture server', () => {
  it('serves the official client', async () => {
    const client = new Client({ name: 'test', version: '0' });
    const transport = new StdioClientTransport(
      fixtureServer('--logging', '--name=official', '--version=7.1.0'),
    );
    await client.connect(transport);
    const pid = transport.pid!;
    expect(client.getServerVersion()).toEqual({ name: 'official', version: '7.1.0' });
    await client.ping();
    await client.setLoggingLevel('info');
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining([
        'echo',
        'payload',
        'sleep',
        'block',
        'spin',
        'deadlock',
        'crash',
        'signal',
        'hang',
      ]),
    );
    const echoed = await client.callTool({ name: 'echo', arguments: { text: 'grüße' } });
    expect(echoed.content).toEqual([{ type: 'text', text: 'grüße' }]);
    const progress: number[] = [];
    await client.callTool({ name: 'sleep', arguments: { ms: 60, progressIntervalMs: 10 } }, undefined, {
      onprogress: (step) => progress.push(step.progress),
    });
    expect(progress[0]).toBe(10);
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('echoes the protocol version and ends with 0 at the end of stdin', async () => {
    const client = start();
    const answer = await client.request('initialize', { protocolVersion: '2024-11-05' });
    expect(answer.result).toMatchObject({ protocolVersion: '2024-11-05', capabilities: { tools: {} } });
    client.child.stdin.end();
    expect(await client.exited).toEqual({ code: 0, signal: null });
  });

  it('answers an unknown method and broken JSON with an error', async () => {
    const client = await startReady();
    expect(await client.request('no/such')).toMatchObject({ error: { code: -32601 } });
    client.child.stdin.write('{"jsonrpc":\n');
    await client.message('a parse error', (message) => message.error?.code === -32700);
  });

  it('ends by SIGTERM', signalled, async () => {
    const client = await startReady();
    client.child.kill('SIGTERM');
    expect(await client.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('answers pings during sleep, and never answers a cancelled call', async () => {
    const client = await startReady();
    const asleep = client.call('sleep', { ms: 60_000 });
    await client.request('ping');
    client.notify('notifications/cancelled', { requestId: asleep });
    await client.response(client.call('sleep', { ms: 1 }));
    expect(client.hasAnswered(asleep)).toBe(false);
  });

  it('sends no progress without a token', async () => {
    const client = await startReady();
    await client.response(client.call('sleep', { ms: 40, progressIntervalMs: 5 }));
    expect(client.messages.filter((message) => message.method !== undefined)).toEqual([]);
  });

  it('shows its pid, children, environment, arguments and folder', async () => {
    const client = open(fixtureServer('--grandchild', `--pid-file=${pidFile}`, '--', '; touch pwn', '$(x)'), {
      cwd: folder,
    });
    await client.initialize();
    const child = await pidOf(client, 'idle-child');
    expect(JSON.parse(await client.textOf('pid'))).toEqual({
      pid: client.pid,
      children: [{ role: 'idle-child', pid: child }],
    });
    expect(JSON.parse(await client.textOf('environment', { names: ['PATH', 'NO_SUCH_VARIABLE'] }))).toEqual({
      PATH: process.env.PATH,
      NO_SUCH_VARIABLE: null,
    });
    const seen = JSON.parse(await client.textOf('arguments')) as { arguments: string[]; cwd: string };
    expect(seen.arguments.slice(-3)).toEqual(['--', '; touch pwn', '$(x)']);
    expect(seen.cwd).toBe(folder);
  });

  it('answers with a payload of that size', async () => {
    const client = await startReady();
    expect(await client.textOf('payload', { bytes: 1_500_000 })).toHaveLength(1_500_000);
  });
});

describe('tools that misbehave', () => {
  it('block holds back everything and then answers, without CPU', async () => {
    const client = await startReady();
    const cpuBefore = isLinux ? ownCpuTicks(client.pid) : 0;
    const blocked = client.call('block', { ms: 400 });
    const ping = client.send('ping');
    await client.response(ping);
    const order = client.messages.map((message) => message.id);
    expect(order.indexOf(blocked)).toBeLessThan(order.indexOf(ping));
    if (isLinux) expect(ownCpuTicks(client.pid) - cpuBefore).toBeLessThan(15);
  });

  it('spin holds back everything and then answers, with CPU', async () => {
    const client = await startReady();
    const cpuBefore = isLinux ? ownCpuTicks(client.pid) : 0;
    const spun = client.call('spin', { ms: 200 });
    const ping = client.send('ping');
    await client.response(ping);
    const order = client.messages.map((message) => message.id);
    expect(order.indexOf(spun)).toBeLessThan(order.indexOf(ping));
    if (!isLinux) return;
    await client.until('0.3 s of CPU', async () => {
      await client.textOf('spin', { ms: 50 });
      return ownCpuTicks(client.pid) > cpuBefore + 30;
    });
  });

  it('deadlock answers nothing any more', async () => {
    const client = await startReady();
    const ids = [client.call('deadlock'), client.send('ping')];
    await lifeOfAnotherServer();
    expect(ids.filter((id) => client.hasAnswered(id))).toEqual([]);
    expect(isAlive(client.pid)).toBe(true);
    if (isLinux)
      await client.until('the main thread waits', () => procFile(client.pid, 'wchan').includes('futex'));
  });

  it('hang answers everything but that call', async () => {
    const client = await startReady();
    const hung = client.call('hang');
    await client.request('ping');
    expect(await client.textOf('echo', { text: 'still here' })).toBe('still here');
    expect(client.hasAnswered(hung)).toBe(false);
  });

  it('crash exits with the code and no answer', async () => {
    const client = await startReady();
    const crashed = client.call('crash', { code: 3 });
    expect(await client.exited).toEqual({ code: 3, signal: null });
    expect(client.hasAnswered(crashed)).toBe(false);
  });

  it('signal ends it by the signal', signalled, async () => {
    const client = await startReady();
    client.call('signal', { name: 'SIGSEGV' });
    expect(await client.exited).toEqual({ code: null, signal: 'SIGSEGV' });
  });
});

describe('servers that end', () => {
  it('--exit-before-initialize, with --exit-code and --stderr-text', async () => {
    const client = start('--exit-before-initialize', '--exit-code=7', '--stderr-text=no licence found');
    const asked = client.send('initialize', { protocolVersion: '2025-06-18' });
    expect(await client.exited).toEqual({ code: 7, signal: null });
    await client.until('closed pipes', () => client.isClosed);
    expect(client.stderr).toBe('no licence found\n');
    expect(client.hasAnswered(asked)).toBe(false);
  });

  it('--exit-after-ms needs no handshake', async () => {
    expect(await start('--exit-after-ms=1').exited).toEqual({ code: 1, signal: null });
  });

  it('--timers-from-ready counts from the handshake', async () => {
    const client = start('--exit-after-ms=0', '--exit-code=0', '--timers-from-ready', '--stderr-every-ms=2');
    await chatterOf(client, 5);
    await client.initialize();
    expect(await client.exited).toEqual({ code: 0, signal: null });
  });

  it('--exit-on-call', async () => {
    const client = await startReady('--exit-on-call', '--exit-code=4');
    await client.request('ping');
    const called = client.call('echo', { text: 'x' });
    expect(await client.exited).toEqual({ code: 4, signal: null });
    expect(client.hasAnswered(called)).toBe(false);
  });

  it('--die-by and --die-after-ms', signalled, async () => {
    expect(await start('--die-by=SIGKILL').exited).toEqual({ code: null, signal: 'SIGKILL' });
    const client = start('--die-by=SIGABRT', '--die-after-ms=0', '--timers-from-ready');
    await client.initialize();
    expect(await client.exited).toEqual({ code: null, signal: 'SIGABRT' });
  });

  it('--safety-ms ends it, also while its loop is blocked', async () => {
    const idle = start('--safety-ms=1', '--ignore-eof');
    expect(await idle.exited).toEqual({ code: 97, signal: null });
    const locked = start('--safety-ms=1000');
    locked.call('deadlock');
    expect(await locked.exited).toEqual({ code: 97, signal: null });
  });

  it('--safety-ms ends its children too', async () => {
    const client = start('--grandchild', '--grandchild-ignores-sigterm', '--safety-ms=400');
    const child = await pidOf(client, 'idle-child');
    await client.until('the end of the child', () => !isAlive(child));
  });

  it('an unknown flag or a bad number ends it with 64', async () => {
    expect((await start('--ignore-pings').exited).code).toBe(64);
    expect((await start('--exit-after-ms=soon').exited).code).toBe(64);
  });
});

describe('servers that do not end', () => {
  it('--ignore-sigterm', signalled, async () => {
    const client = await startReady('--ignore-sigterm');
    client.child.kill('SIGTERM');
    await saysOnStderr(client, 'SIGTERM ignored');
    await client.request('ping');
  });

  it('--ignore-eof', async () => {
    const client = await startReady('--ignore-eof', '--stderr-every-ms=2');
    client.child.stdin.end();
    await saysOnStderr(client, 'end of stdin ignored');
    await chatterOf(client, 5);
    expect(isAlive(client.pid)).toBe(true);
  });
});

describe('handshakes', () => {
  it('--never-initialize answers everything else', async () => {
    const client = start('--never-initialize');
    const asked = client.send('initialize', { protocolVersion: '2025-06-18' });
    await client.request('ping');
    expect(client.hasAnswered(asked)).toBe(false);
  });

  it('--slow-initialize-ms answers late, and --stderr-every-ms chatters meanwhile', async () => {
    const slow = start('--slow-initialize-ms=60000', '--stderr-every-ms=2');
    const asked = slow.send('initialize', { protocolVersion: '2025-06-18' });
    await slow.request('ping');
    await chatterOf(slow, 5);
    expect(slow.hasAnswered(asked)).toBe(false);
    const slower = await start('--slow-initialize-ms=20').initialize();
    expect(slower.result).toMatchObject({ protocolVersion: '2025-06-18' });
  });

  it('--fail-initialize', async () => {
    expect(await start('--fail-initialize').initialize()).toMatchObject({ error: { code: -32603 } });
  });
});

describe('probes', () => {
  it('--ignore-ping answers tools/list', async () => {
    const client = await startReady('--ignore-ping');
    const ping = client.send('ping');
    expect((await client.request('tools/list')).result).toHaveProperty('tools');
    expect(client.hasAnswered(ping)).toBe(false);
  });

  it.each([-32601, -32603])('--ping-error=%i', async (code) => {
    const client = await startReady(`--ping-error=${code}`);
    expect(await client.request('ping')).toMatchObject({ error: { code } });
  });

  it('--no-tools-list', async () => {
    const client = start('--no-tools-list');
    expect((await client.initialize()).result?.capabilities).toEqual({});
    expect(await client.request('tools/list')).toMatchObject({ error: { code: -32601 } });
  });

  it('--ignore-tools-list answers ping', async () => {
    const client = await startReady('--ignore-tools-list');
    const list = client.send('tools/list');
    await client.request('ping');
    expect(client.hasAnswered(list)).toBe(false);
  });

  it('--stderr-fill-until writes lines in bulk until that file is there, tells it their number, and goes on line by line', async () => {
    const path = join(folder, 'filled');
    const client = start('--stderr-every-ms=2', `--stderr-fill-until=${path}`);
    await chatterOf(client, 1500);
    writeFileSync(path, '');
    await client.until('a line by itself', () => {
      const written = client.stderr.split('\n').filter((line) => line.startsWith('chatter ')).length;
      return written % 1500 > 0;
    });
    const inBulk = Number(readFileSync(path, 'utf8'));
    expect([inBulk > 0, inBulk % 1500]).toEqual([true, 0]);
  });

  it('--tools-file lists only the tools that it names, as it is now', async () => {
    const path = join(folder, 'tools');
    writeFileSync(path, 'echo\n');
    const client = await startReady(`--tools-file=${path}`);
    expect(await client.request('tools/list')).toMatchObject({ result: { tools: [{ name: 'echo' }] } });
    writeFileSync(path, 'pid\n');
    expect(await client.request('tools/list')).toMatchObject({ result: { tools: [{ name: 'pid' }] } });
  });

  it('--announce-tools says so when that file changes', async () => {
    const path = join(folder, 'tools');
    writeFileSync(path, 'echo\n');
    const client = start(`--tools-file=${path}`, '--announce-tools');
    expect((await client.initialize()).result).toMatchObject({
      capabilities: { tools: { listChanged: true } },
    });
    writeFileSync(path, 'echo\npid\n');
    await client.until('the notification', () =>
      client.messages.some(({ method }) => method === 'notifications/tools/list_changed'),
    );
  });

  it('--serial runs one tool after the other, and answers ping meanwhile', async () => {
    const client = await startReady('--serial');
    const sleep = client.send('tools/call', { name: 'sleep', arguments: { ms: 50 } });
    const echo = client.send('tools/call', { name: 'echo', arguments: { text: 'x' } });
    await client.request('ping');
    expect([sleep, echo].map((id) => client.hasAnswered(id))).toEqual([false, false]);
    await client.response(echo);
    expect(client.hasAnswered(sleep)).toBe(true);
  });
});

describe('logging', () => {
  it('--heartbeat-logs-ms beats only once debug is asked for', async () => {
    const client = start('--heartbeat-logs-ms=5', '--stderr-every-ms=5');
    expect((await client.initialize()).result?.capabilities).toHaveProperty('logging');
    await client.request('logging/setLevel', { level: 'info' });
    await chatterOf(client, 5);
    const beats = () => client.messages.filter((message) => message.method === 'notifications/message');
    expect(beats()).toEqual([]);
    await client.request('logging/setLevel', { level: 'debug' });
    await client.until('three beats', () => beats().length >= 3);
    expect(beats()[0]?.params).toMatchObject({ level: 'debug', logger: 'heartbeat' });
  });

  it('--refuse-set-level, with no beat', async () => {
    const client = start('--heartbeat-logs-ms=1', '--refuse-set-level', '--stderr-every-ms=5');
    expect((await client.initialize()).result?.capabilities).toHaveProperty('logging');
    expect(await client.request('logging/setLevel', { level: 'debug' })).toMatchObject({
      error: { code: -32603 },
    });
    await chatterOf(client, 5);
    expect(client.messages.some((message) => message.method === 'notifications/message')).toBe(false);
  });

  it('--logging advertises it and sends nothing by itself', async () => {
    const client = start('--logging');
    expect((await client.initialize()).result?.capabilities).toHaveProperty('logging');
    expect(await client.request('logging/setLevel', { level: 'debug' })).toMatchObject({ result: {} });
  });

  it('--notification-flood-per-s drowns no answer', async () => {
    const client = await startReady('--notification-flood-per-s=20000');
    const hung = client.call('hang');
    const flood = () => client.messages.filter((message) => message.params?.logger === 'flood').length;
    await client.until('2000 notifications', () => flood() >= 2000);
    await client.request('ping');
    expect(client.hasAnswered(hung)).toBe(false);
  });
});

describe('servers that freeze', () => {
  async function expectDeafness(client: RawClient) {
    await saysOnStderr(client, 'fixture: deaf');
    const ping = client.send('ping');
    const bytes = 4 * MIB;
    client.child.stdin.write(`${' '.repeat(bytes)}\n`);
    await chatterOf(client, 20);
    expect(client.hasAnswered(ping)).toBe(false);
    expect(client.child.stdin.writableLength).toBeGreaterThan(bytes / 2);
  }

  it('--deaf-on-signal neither reads nor writes but lives', signalled, async () => {
    const client = await startReady('--deaf-on-signal', '--stderr-every-ms=2', '--heartbeat-logs-ms=1');
    await client.request('logging/setLevel', { level: 'debug' });
    await client.message('a heartbeat', (message) => message.method !== undefined);
    client.child.kill('SIGUSR2');
    await saysOnStderr(client, 'fixture: deaf');
    await chatterOf(client, 5);
    const before = client.messages.length;
    await expectDeafness(client);
    expect(client.messages).toHaveLength(before);
  });

  it('--deaf-after-ms', async () => {
    await expectDeafness(await startReady('--deaf-after-ms=1', '--timers-from-ready', '--stderr-every-ms=2'));
    const early = start('--deaf-after-ms=0', '--stderr-every-ms=2');
    await expectDeafness(early);
  });

  it('--stop-reading fills the pipe from the start', async () => {
    const client = start('--stop-reading', '--stderr-every-ms=2');
    client.child.stdin.write(' '.repeat(4 * MIB));
    await chatterOf(client, 20);
    expect(client.child.stdin.writableLength).toBeGreaterThan(2 * MIB);
  });

  it('--stop-reading-after-ready fills the pipe but still writes', async () => {
    const client = await startReady(
      '--stop-reading-after-ready',
      '--stderr-every-ms=2',
      '--notification-flood-per-s=1000',
    );
    await saysOnStderr(client, 'stopped reading');
    client.child.stdin.write(' '.repeat(4 * MIB));
    const before = client.messages.length;
    await chatterOf(client, 20);
    await client.until('further notifications', () => client.messages.length > before);
    expect(client.child.stdin.writableLength).toBeGreaterThan(2 * MIB);
  });

  it('a reading server empties the same pipe', async () => {
    const client = await startReady();
    client.child.stdin.write(`${' '.repeat(4 * MIB)}\n`);
    await client.until('an empty pipe', () => client.child.stdin.writableLength === 0);
  });

  it('--block-loop-on-signal stops everything, and SIGTERM too when ignored', signalled, async () => {
    const client = await startReady('--block-loop-on-signal', '--ignore-sigterm');
    client.child.kill('SIGUSR1');
    await saysOnStderr(client, 'fixture: blocked');
    const ping = client.send('ping');
    client.child.kill('SIGTERM');
    client.child.stdin.end();
    await lifeOfAnotherServer();
    expect(client.hasAnswered(ping)).toBe(false);
    expect(client.stderr).not.toContain('SIGTERM ignored');
    expect(isAlive(client.pid)).toBe(true);
  });
});

describe('noise', () => {
  it('--stderr-flood writes every line and answers meanwhile', async () => {
    const client = await startReady('--stderr-flood=50000');
    await client.request('ping');
    await saysOnStderr(client, 'flood 50000 of 50000');
    expect(client.stderr.split('\n').filter((line) => line.startsWith('flood '))).toHaveLength(50_000);
  });

  it('--stdout-garbage stands around frames that still hold', async () => {
    const client = await startReady('--stdout-garbage');
    expect(await client.textOf('echo', { text: 'ä' })).toBe('ä');
    for (const noise of [
      '42',
      '[]',
      '"x"',
      'null',
      'true',
      '{}',
      '{"jsonrpc":"2.0","id":',
      '',
      '   ',
      '\r',
    ]) {
      expect(client.lines).toContain(noise);
    }
    expect(client.lines.some((line) => line.includes('\uFFFD'))).toBe(true);
    expect(
      client.lines
        .filter((line) => line.startsWith('{"jsonrpc":"2.0","id":2'))
        .every((line) => line.endsWith('\r')),
    ).toBe(true);
  });

  it('--huge-line-bytes writes one long line and goes on', async () => {
    const client = await startReady('--huge-line-bytes=3000001');
    expect(await client.textOf('echo', { text: 'after' })).toBe('after');
    expect(client.lines.map((line) => line.length)).toContain(3_000_001);
  });

  it('--split-writes cuts frames, also inside a character', async () => {
    const client = await startReady('--split-writes');
    const text = 'ä€😀'.repeat(50);
    const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
    await client.until('a cut inside a character', async () => {
      expect(await client.textOf('echo', { text })).toBe(text);
      return client.chunks.some((chunk) => isContinuation(chunk[0]));
    });
  });

  it('--close-stdout stays alive', async () => {
    const client = await startReady('--close-stdout', '--stderr-every-ms=2');
    await client.until('the end of stdout', () => client.isStdoutEnded);
    const ping = client.send('ping');
    await chatterOf(client, 5);
    expect(client.hasAnswered(ping)).toBe(false);
    expect(isAlive(client.pid)).toBe(true);
  });

  it('--duplicate-responses', async () => {
    const client = await startReady('--duplicate-responses');
    const first = client.send('ping');
    await client.response(client.send('ping'));
    expect(client.messages.filter((message) => message.id === first)).toHaveLength(2);
  });

  it('--ask-back', async () => {
    const client = await startReady('--ask-back=roots/list');
    client.call('echo', { text: 'x' });
    await client.until('a request', () => client.messages.some(({ method }) => method === 'roots/list'));
  });

  it('--unknown-ids', async () => {
    const client = await startReady('--unknown-ids');
    await client.request('ping');
    expect(client.messages.map((message) => message.id)).toEqual(
      expect.arrayContaining([987_654_321, 'never-asked', null]),
    );
  });
});

describe('appetite', inProc, () => {
  it('--leak-memory-mib-per-s', async () => {
    const client = await startReady('--leak-memory-mib-per-s=300');
    const before = rssBytes(client.pid);
    await client.until('60 MiB more', () => rssBytes(client.pid) > before + 60 * MIB);
    await client.request('ping');
  });

  it('--leak-fds-per-s', async () => {
    const client = await startReady('--leak-fds-per-s=1000');
    const before = openFiles(client.pid);
    await client.until('200 more open files', () => openFiles(client.pid) > before + 200);
    await client.request('ping');
  });

  it('--spin-cpu burns and answers', async () => {
    const client = await startReady('--spin-cpu');
    const before = ownCpuTicks(client.pid);
    await client.until('0.3 s of CPU', () => ownCpuTicks(client.pid) > before + 30);
    await client.request('ping');
  });

  it('--short-lived-children burn where only the figures of reaped children show it', async () => {
    const client = await startReady('--short-lived-children');
    await client.until('0.3 s of reaped CPU', () => reapedCpuTicks(client.pid) > 30);
    expect(readProcesses(pidFile).filter((entry) => entry.role === 'burn-child').length).toBeGreaterThan(1);
  });

  it('--grandchild-memory-mib is in the child, not in the server', async () => {
    const client = await startReady('--grandchild-memory-mib=200');
    const child = await pidOf(client, 'memory-child');
    expect(rssBytes(child)).toBeGreaterThan(200 * MIB);
    expect(rssBytes(client.pid)).toBeLessThan(200 * MIB);
  });
});

describe('families', () => {
  it('--grandchild outlives a killed server', leavesChildren, async () => {
    const client = await startReady('--grandchild');
    const child = await pidOf(client, 'idle-child');
    await endProcess(client.pid);
    await client.until('closed pipes', () => client.isClosed);
    expect(isAlive(child)).toBe(true);
    if (isLinux) expect(groupOf(child)).not.toBe(child);
  });

  it('--grandchild-holds-stdout keeps the pipes of a dead server open', leavesChildren, async () => {
    const client = await startReady('--grandchild-holds-stdout');
    const child = await pidOf(client, 'idle-child');
    await endProcess(client.pid);
    await client.exited;
    await lifeOfAnotherServer();
    expect(client.isClosed).toBe(false);
    await endProcess(child);
    await client.until('closed pipes', () => client.isClosed);
  });

  it('--detached-grandchild escapes the kill of the group', async () => {
    const client = open(fixtureServer(`--pid-file=${pidFile}`, '--detached-grandchild', '--grandchild'), {
      detached: true,
    });
    await client.initialize();
    const [, attached, detached] = [...readPids(pidFile)] as [number, number, number];
    if (isLinux) {
      expect(sessionOf(detached)).toBe(detached);
      expect(groupOf(attached)).toBe(client.pid);
    }
    // Windows has no groups; there the end of the server ends its children, but for those that are detached.
    process.kill(isPosix ? -client.pid : client.pid, 'SIGKILL');
    await client.exited;
    await client.until('the end of the attached one', () => !isAlive(attached));
    expect(isAlive(detached)).toBe(true);
  });

  it('--grandchild-ignores-sigterm', inProc, async () => {
    const client = await startReady(
      '--grandchild',
      '--grandchild-memory-mib=1',
      '--grandchild-ignores-sigterm',
    );
    for (const role of ['idle-child', 'memory-child']) {
      const child = await pidOf(client, role);
      process.kill(child, 'SIGTERM');
      await client.until('a delivered signal', () => /ShdPnd:\t0+\n/.test(procFile(child, 'status')));
      await lifeOfAnotherServer();
      expect(isAlive(child)).toBe(true);
    }
  });

  it('a grandchild ends by SIGTERM unless told otherwise', async () => {
    const client = await startReady('--grandchild');
    const child = await pidOf(client, 'idle-child');
    process.kill(child, 'SIGTERM');
    await client.until('its end', () => !isAlive(child));
    await client.until('no child', async () => (await client.textOf('pid')).includes('"children":[]'));
  });

  it('--grandchild-without-environment', inProc, async () => {
    const plain = await startReady('--grandchild');
    expect(procFile(await pidOf(plain, 'idle-child'), 'environ')).toContain('PATH=');
    await Promise.all(readPids(pidFile).map(endProcess));
    rmSync(pidFile);
    const bare = await startReady('--grandchild', '--grandchild-without-environment');
    expect(procFile(await pidOf(bare, 'idle-child'), 'environ')).not.toContain('PATH=');
  });
});

describe('records', () => {
  it('--start-log counts starts', async () => {
    const log = join(folder, 'starts');
    expect(readStarts(log)).toEqual([]);
    const first = start(`--start-log=${log}`, '--exit-before-initialize');
    await first.exited;
    const second = await startReady(`--start-log=${log}`);
    expect(readStarts(log)).toEqual([first.pid, second.pid]);
  });

  it('--message-log keeps what came, in its order', async () => {
    const log = join(folder, 'messages');
    expect(readMessages(log)).toEqual([]);
    const client = await startReady(`--message-log=${log}`);
    const asked = client.call('hang');
    client.notify('notifications/cancelled', { requestId: asked });
    await client.response(client.send('ping'));
    expect(readMessages(log).map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'notifications/cancelled',
      'ping',
    ]);
    expect(readMessages(log)[2]).toMatchObject({ id: asked, params: { name: 'hang' } });
    expect(readMessages(log)[3]).toMatchObject({ params: { requestId: asked } });
  });

  it('--pid-file names everything that was started, outermost first', async () => {
    expect(readProcesses(pidFile)).toEqual([]);
    const client = await startReady('--grandchild');
    expect(readProcesses(pidFile).map((entry) => entry.role)).toEqual(['server', 'idle-child']);
    expect(readPids(pidFile)[0]).toBe(client.pid);
  });
});

describe('wrappers', () => {
  interface Wrapper {
    readonly name: string;
    readonly build: (...flags: string[]) => CommandLine;
    readonly roles: readonly string[];
    /** Systems on which it is no wrapper, or leaves nothing behind. */
    readonly options?: SkipOptions;
    readonly leaves?: SkipOptions;
  }

  const wrappers: readonly Wrapper[] = [
    { name: 'wrapper.mjs', build: fixtureWrapper, roles: ['wrapper', 'server'], leaves: leavesChildren },
    {
      name: 'wrapper.mjs --shell',
      build: (...flags) => fixtureWrapper('--shell', ...flags),
      roles: ['wrapper', 'shell', 'server'],
    },
    {
      name: 'wrapper.mjs --unknown',
      build: (...flags) => fixtureWrapper('--unknown', ...flags),
      roles: ['wrapper', 'server'],
      leaves: leavesChildren,
    },
    {
      name: 'wrapper.sh',
      build: fixtureShellWrapper,
      roles: ['server'],
      options: skipOn('win32', 'Windows has no sh'),
    },
  ];

  for (const { name, build, roles, options = {}, leaves = options } of wrappers) {
    it(`${name} puts processes between us and the server`, options, async () => {
      const client = open(build(`--pid-file=${pidFile}`, '--name=wrapped'));
      expect((await client.initialize()).result?.serverInfo).toMatchObject({ name: 'wrapped' });
      expect(readProcesses(pidFile).map((entry) => entry.role)).toEqual(roles);
      expect(await pidOf(client, 'server')).not.toBe(client.pid);
    });

    it(`${name} that is killed leaves the server alive, and it holds the pipes`, leaves, async () => {
      const client = open(build(`--pid-file=${pidFile}`, '--ignore-eof', '--stderr-every-ms=2'));
      await client.initialize();
      client.child.kill('SIGKILL');
      await client.exited;
      await chatterOf(client, 5);
      expect(isAlive(await pidOf(client, 'server'))).toBe(true);
      expect(client.isClosed).toBe(false);
    });

    it(`${name} ends with the exit code of the server`, options, async () => {
      const client = open(build(`--pid-file=${pidFile}`));
      await client.initialize();
      client.call('crash', { code: 5 });
      expect(await client.exited).toEqual({ code: 5, signal: null });
    });
  }

  it('--exit-and-leave leaves the server alive, and it holds the pipes', leavesChildren, async () => {
    const client = open(fixtureWrapper(`--pid-file=${pidFile}`, '--exit-and-leave', '--stderr-every-ms=2'));
    expect(await client.exited).toEqual({ code: 0, signal: null });
    await chatterOf(client, 5);
    expect(isAlive(await pidOf(client, 'server'))).toBe(true);
    expect(client.isClosed).toBe(false);
  });
});

describe('the engine of containers', signalled, () => {
  it('runs the server out of the tree of docker, writes its id, and removes it', async () => {
    const socket = join(folder, 'engine.sock');
    const engine = open({ command: process.execPath, args: [program('engine.mjs'), socket] });
    await engine.until('it listens', () => engine.lines[0] === 'listening');
    const docker = (...words: string[]) =>
      open({ command: process.execPath, args: [program('docker.mjs'), socket, ...words] });
    const idFile = join(folder, 'id');
    const client = docker(
      'run',
      '--cidfile',
      idFile,
      '-i',
      'fixture',
      `--pid-file=${pidFile}`,
      '--ignore-eof',
    );
    await client.initialize();
    const server = await pidOf(client, 'server');
    expect(await client.textOf('pid')).toContain(`${server}`);
    if (isLinux) expect(Number(statFields(server)[1])).toBe(engine.pid);
    const removal = docker('rm', '-f', readFileSync(idFile, 'utf8'));
    await removal.exited;
    await client.until('its end', () => !isAlive(server));
    expect(await client.exited).toEqual({ code: 0, signal: null });
  });
});

describe('what slows down or traces a process', () => {
  it('throttle.mjs stops and continues it, and lets it go on at its own end', signalled, async () => {
    const client = await startReady();
    const throttle = open({ command: process.execPath, args: [program('throttle.mjs'), `${client.pid}`] });
    if (isLinux) {
      await client.until('it is stopped', () => statFields(client.pid)[0] === 'T');
      await client.until('it goes on', () => statFields(client.pid)[0] !== 'T');
    }
    throttle.child.kill('SIGTERM');
    await throttle.exited;
    await client.request('ping');
  });

  it('tracer.py holds it until its own end, or lets it run', traced, async () => {
    const client = await startReady();
    const trace = (way: string) => open({ command: 'python3', args: [tracerProgram, `${client.pid}`, way] });
    const tracer = trace('hold');
    await client.until('it is held', () => statFields(client.pid)[0] === 't');
    tracer.child.kill('SIGTERM');
    await tracer.exited;
    await client.request('ping');
    const follower = trace('follow');
    await follower.until('it follows', () => follower.lines[0] === 'tracing');
    await client.request('ping');
    expect(readFileSync(`/proc/${client.pid}/status`, 'utf8')).toContain(`TracerPid:\t${follower.pid}\n`);
  });
});

describe('the helpers for tests', () => {
  it('waitUntil gives up at its deadline and says what it waited for', async () => {
    const waiting = waitUntil(() => false, { deadlineMs: 1, describe: 'the moon' });
    await expect(waiting).rejects.toThrow('the moon');
    const stuck = waitUntil(() => new Promise<boolean>(() => {}), { deadlineMs: 1, describe: 'an answer' });
    await expect(stuck).rejects.toThrow('an answer');
    const failing = waitUntil(() => Promise.reject(new Error('broken')), { deadlineMs: 1000, describe: 'x' });
    await expect(failing).rejects.toThrow('broken');
  });

  it('endProcess ends a stopped process and takes a dead one', async () => {
    const client = await startReady('--ignore-sigterm', '--ignore-eof');
    if (isPosix) client.child.kill('SIGSTOP');
    await endProcess(client.pid);
    expect(isAlive(client.pid)).toBe(false);
    await endProcess(client.pid);
  });

  it('isAlive takes a zombie for dead', inProc, async () => {
    // The shell never collects its child, which stays a zombie.
    const parent = open({ command: 'sh', args: ['-c', `sh -c 'echo "[$$]"' & exec sleep 600`] });
    const line = (await parent.until('a pid', () => parent.lines[0])) as string;
    const zombie = Number(/\d+/.exec(line)![0]);
    await parent.until('a zombie', () => statFields(zombie)[0] === 'Z');
    expect(isAlive(zombie)).toBe(false);
  });
});

describe('work that holds the loop or leaves it free', () => {
  it('--heartbeat-thread-ms goes on while the loop is held', async () => {
    const client = await startReady('--heartbeat-thread-ms=5');
    const beats = () => client.messages.filter(({ method }) => method === 'notifications/message').length;
    await client.until('a beat', () => beats() > 0);
    const held = client.request('tools/call', { name: 'work', arguments: { steps: 'block:300' } });
    const ping = client.request('ping').then(() => beats());
    const before = beats();
    await held;
    expect(await ping).toBeGreaterThan(before + 5);
  });

  it('--work-after-ready begins once it is initialized', async () => {
    const client = await startReady('--work-after-ready=log:1,block:50,log:1');
    const logged = () => client.messages.filter(({ method }) => method === 'notifications/message');
    await client.until('two steps', () => logged().length === 2);
  });

  it('its steps use what they say', inProc, async () => {
    const client = await startReady();
    const work = (steps: string) => client.request('tools/call', { name: 'work', arguments: { steps } });
    const cpuOf = async (steps: string) => {
      const before = [ownCpuTicks(client.pid), reapedCpuTicks(client.pid)] as const;
      await work(steps);
      return [ownCpuTicks(client.pid) - before[0], reapedCpuTicks(client.pid) - before[1]] as const;
    };
    expect((await cpuOf('spin:300'))[0]).toBeGreaterThan(5);
    expect((await cpuOf('burn:300'))[1]).toBeGreaterThan(5);
    for (const idle of ['sleep:300', 'block:300', 'disk:300'])
      expect((await cpuOf(idle))[0]).toBeLessThan(15);
    await work('child:50');
  });

  it('its step burst logs three lines, progress tells of its call, and ask waits for the answer', async () => {
    const client = await startReady();
    const id = client.send('tools/call', {
      name: 'work',
      arguments: { steps: 'burst:1,progress:1,ask:7' },
      _meta: { progressToken: 'token' },
    });
    const asked = await client.message('a question', ({ method }) => method === 'sampling/createMessage');
    const methods = client.messages.map(({ method }) => method).filter((method) => method !== undefined);
    const log = 'notifications/message';
    expect(methods).toEqual([log, log, log, 'notifications/progress', 'sampling/createMessage']);
    await client.request('ping');
    expect(client.hasAnswered(id)).toBe(false);
    client.reply(asked.id);
    await client.response(id);
  });

  it('its step suspend stops a child with its pipes, and stop itself', inProc, async () => {
    const client = await startReady();
    const childOf = () =>
      readFileSync(`/proc/${client.pid}/task/${client.pid}/children`, 'utf8').trim().split(' ').at(-1)!;
    const suspended = client.request('tools/call', { name: 'work', arguments: { steps: 'suspend:300' } });
    await client.until('a stopped child', () => childOf() && statFields(Number(childOf()))[0] === 'T');
    expect(readlinkSync(`/proc/${childOf()}/fd/1`)).toBe(readlinkSync(`/proc/${client.pid}/fd/1`));
    await suspended;
    client.call('work', { steps: 'stop:0' });
    await client.until('it is stopped', () => statFields(client.pid)[0] === 'T');
  });

  it('its step debug has a child held by a tracer', traced, async () => {
    const client = await startReady();
    client.call('work', { steps: 'debug:60000' });
    const child = await pidOf(client, 'idle-child');
    await client.until('a held child', () => statFields(child)[0] === 't');
  });

  it('the tool background answers first', async () => {
    const client = await startReady();
    await client.request('tools/call', { name: 'background', arguments: { steps: 'block:100,log:1' } });
    const logged = () => client.messages.some(({ method }) => method === 'notifications/message');
    expect(logged()).toBe(false);
    await client.until('the step after it', logged);
  });
});

describe('the list of flags', () => {
  it('is described in the README and exercised in this file', async () => {
    const lister = open(fixtureServer('--list-flags'));
    await lister.exited;
    await lister.until('closed pipes', () => lister.isClosed);
    const flags = JSON.parse(lister.lines[0]!) as string[];
    expect(flags.length).toBeGreaterThan(45);
    const readme = readFileSync(new URL('../fixtures/servers/README.md', import.meta.url), 'utf8');
    const tests = readFileSync(new URL(import.meta.url), 'utf8');
    const names = (text: string) => new Set([...text.matchAll(/--([a-z-]+[a-z])/g)].map((match) => match[1]));
    expect(flags.filter((flag) => !names(readme).has(flag))).toEqual([]);
    expect(flags.filter((flag) => !names(tests).has(flag))).toEqual([]);
  });
});
