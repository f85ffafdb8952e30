import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  endProcess,
  fixtureServer,
  fixtureWrapper,
  readPids,
  readProcesses,
  type CommandLine,
} from '../fixtures/fixture-server.ts';
import { RawClient } from '../fixtures/raw-client.ts';
import { onlyOn, skipOn, skipWhen } from '../support/skip-on.ts';
import { isAlive, statOf } from '../support/proc.ts';
import { tempFolder } from '../support/temp-folder.ts';

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

let folder = '';
let pidFile = '';
let clients: RawClient[] = [];

beforeEach(() => {
  folder = tempFolder('fixtures-');
  pidFile = join(folder, 'pids');
  clients = [];
});

afterEach(async () => {
  const pids = [...clients.map((client) => client.pid), ...readPids(pidFile)];
  await Promise.all(pids.map(endProcess));
  await Promise.all(clients.map((client) => client.exited));
  // A second round ends children that were started while their parent was ended.
  await Promise.all(readPids(pidFile).map(endProcess));
});

function open(commandLine: CommandLine, options: { detached?: boolean } = {}): RawClient {
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

const groupOf = (pid: number) => Number(statOf(pid)[2]);
const sessionOf = (pid: number) => Number(statOf(pid)[3]);

describe('servers that end', () => {
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

  it('--notification-flood-per-s drowns no answer', async () => {
    const client = await startReady('--notification-flood-per-s=20000');
    const hung = client.call('hang');
    const flood = () => client.messages.filter((message) => message.params?.logger === 'flood').length;
    await client.until('2000 notifications', () => flood() >= 2000);
    await client.request('ping');
    expect(client.hasAnswered(hung)).toBe(false);
  });
});

describe('noise', () => {
  it('--split-writes cuts frames, also inside a character', async () => {
    const client = await startReady('--split-writes');
    const text = 'ä€😀'.repeat(50);
    const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;
    await client.until('a cut inside a character', async () => {
      expect(await client.textOf('echo', { text })).toBe(text);
      return client.chunks.some((chunk) => isContinuation(chunk[0]));
    });
  });
});

describe('families', () => {
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
});

describe('wrappers', () => {
  it('--exit-and-leave leaves the server alive, and it holds the pipes', leavesChildren, async () => {
    const client = open(fixtureWrapper(`--pid-file=${pidFile}`, '--exit-and-leave', '--stderr-every-ms=2'));
    expect(await client.exited).toEqual({ code: 0, signal: null });
    await chatterOf(client, 5);
    expect(isAlive(await pidOf(client, 'server'))).toBe(true);
    expect(client.isClosed).toBe(false);
  });
});

describe('what slows down or traces a process', () => {
  it('throttle.mjs stops and continues it, and lets it go on at its own end', signalled, async () => {
    const client = await startReady();
    const throttle = open({ command: process.execPath, args: [program('throttle.mjs'), `${client.pid}`] });
    if (isLinux) {
      await client.until('it is stopped', () => statOf(client.pid)[0] === 'T');
      await client.until('it goes on', () => statOf(client.pid)[0] !== 'T');
    }
    throttle.child.kill('SIGTERM');
    await throttle.exited;
    await client.request('ping');
  });

  it('tracer.py holds it until its own end, or lets it run', traced, async () => {
    const client = await startReady();
    const trace = (way: string) => open({ command: 'python3', args: [tracerProgram, `${client.pid}`, way] });
    const tracer = trace('hold');
    await client.until('it is held', () => statOf(client.pid)[0] === 't');
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
  it('isAlive takes a zombie for dead', inProc, async () => {
    // The shell never collects its child, which stays a zombie.
    const parent = open({ command: 'sh', args: ['-c', `sh -c 'echo "[$$]"' & exec sleep 600`] });
    const line = (await parent.until('a pid', () => parent.lines[0])) as string;
    const zombie = Number(/\d+/.exec(line)![0]);
    await parent.until('a zombie', () => statOf(zombie)[0] === 'Z');
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

  it('its step suspend stops a child with its pipes, and stop itself', inProc, async () => {
    const client = await startReady();
    const childOf = () =>
      readFileSync(`/proc/${client.pid}/task/${client.pid}/children`, 'utf8').trim().split(' ').at(-1)!;
    const suspended = client.request('tools/call', { name: 'work', arguments: { steps: 'suspend:300' } });
    await client.until('a stopped child', () => childOf() && statOf(Number(childOf()))[0] === 'T');
    expect(readlinkSync(`/proc/${childOf()}/fd/1`)).toBe(readlinkSync(`/proc/${client.pid}/fd/1`));
    await suspended;
    client.call('work', { steps: 'stop:0' });
    await client.until('it is stopped', () => statOf(client.pid)[0] === 'T');
  });

  it('its step debug has a child held by a tracer', traced, async () => {
    const client = await startReady();
    client.call('work', { steps: 'debug:60000' });
    const child = await pidOf(client, 'idle-child');
    await client.until('a held child', () => statOf(child)[0] === 't');
  });
});

it('describes each flag in the README', async () => {
  const lister = open(fixtureServer('--list-flags'));
  await lister.exited;
  await lister.until('closed pipes', () => lister.isClosed);
  const flags = JSON.parse(lister.lines[0]!) as string[];
  expect(flags.length).toBeGreaterThan(40);
  const readme = readFileSync(new URL('../fixtures/servers/README.md', import.meta.url), 'utf8');
  const described = new Set([...readme.matchAll(/--([a-z-]+[a-z])/g)].map((match) => match[1]));
  expect(flags.filter((flag) => !described.has(flag))).toEqual([]);
});
