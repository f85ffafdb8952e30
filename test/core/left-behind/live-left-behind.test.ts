import { join } from 'node:path';
import { connect } from 'node:net';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StartedServer } from '../../../electron/core/config/moving/copies/running-copies.ts';
import { type FoundTree, LeftBehind, processKey } from '../../../electron/core/left-behind/left-behind.ts';
import { LinuxProcessTable } from '../../../electron/core/platform/linux-process-table.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { isAlive, readProc, statOf, treeOf } from '../../support/proc.ts';
import { onlyOn, skipWhen } from '../../support/skip-on.ts';
import { eventually } from '../support/eventually.ts';
import { RealClients } from './real-client.ts';
import { scanHere } from './scan-here.ts';

const NODE = process.execPath;
const isRoot = process.getuid?.() === 0;

let clients: RealClients;
let servers: readonly StartedServer[];
beforeEach(() => {
  clients = new RealClients();
  servers = [];
});
afterEach(() => clients.dispose());

/** A client whose server runs behind a wrapper. */
async function wrappedServer() {
  const client = await clients.client(['sh', '-c', `${NODE} ${clients.server()}; true`]);
  await eventually(() => treeOf(client.started).length === 2);
  const [, server = 0] = treeOf(client.started);
  return { ...client, server };
}

const look = scanHere(() => servers);
const pidsOf = ({ tree }: FoundTree) => tree.map(({ pid }) => pid);
const treeWith = (found: readonly FoundTree[], pid: number) => found.find((one) => pidsOf(one).includes(pid));
/** The tree of a process, once it is found: the kernel may close the streams of its client a moment later. */
async function soon(pid: number): Promise<FoundTree | undefined> {
  for (let looks = 0; looks < 100; looks += 1) {
    const found = treeWith(await look(), pid);
    if (found !== undefined) return found;
  }
  return undefined;
}
/** Which of these processes a look finds that finds the server of a client that was killed after theirs. */
async function foundOf(...pids: readonly (number | undefined)[]) {
  const control = await clients.client([NODE, clients.server('control-mcp.mjs')]);
  await clients.kill(control.child.pid);
  expect(await soon(control.started)).toBeDefined();
  const found = await look();
  return pids.filter((pid = 0) => treeWith(found, pid) !== undefined);
}

/** A server over pipes in place of socket pairs: what writes to it and what reads from it are the client. */
async function pipedServer() {
  const start = `exec 3<&0; ${NODE} ${clients.server()} <&3 & echo $! >> PIDS; wait`;
  const { child, pids } = await clients.shell(`sleep 1000 | { ${start}; } | sleep 1001 & wait`, 1);
  const [server = 0] = pids;
  const running = () => treeOf(child.pid!).map((pid) => readProc(pid, 'cmdline'));
  const count = (name: string) => running().filter((line) => line.startsWith(name)).length;
  await eventually(() => count('sleep') === 2 && count(NODE) === 1);
  return { child, server };
}

describe('a server whose client is gone', onlyOn('linux', 'the ends of streams are read from /proc'), () => {
  it('is found with its age, its name and its wrappers', async () => {
    const { child, started } = await wrappedServer();
    expect(await foundOf(started)).toEqual([]);
    await clients.kill(child.pid);
    const found = await soon(started);
    expect(found).toMatchObject({ isCertain: true, listens: false, name: 'left-mcp-server.mjs' });
    expect(found && pidsOf(found)).toEqual(treeOf(started));
  });

  it('is found behind its dead wrapper', async () => {
    const { child, server, started } = await wrappedServer();
    await clients.kill(child.pid);
    await clients.kill(started);
    expect(await soon(server)).toBeDefined();
  });

  it('is found by its pipes', async () => {
    const { child, server } = await pipedServer();
    const others = treeOf(child.pid!).filter((pid) => pid !== server);
    for (const pid of others) if (isAlive(pid)) await clients.kill(pid);
    expect(await soon(server)).toMatchObject({ isCertain: true });
  });

  it('is known by the entry that it was started by, with its variables, and told with the client', async () => {
    const server = clients.server('plain.mjs');
    const words = [NODE, server, '--here'];
    const entry = { program: 'codex', words };
    servers = [
      { ...entry, name: 'test', env: { STAGE: 'test', TOKEN: '${env:TOKEN}' } },
      { ...entry, name: 'live', env: { STAGE: 'live' } },
      { ...entry, name: 'other', words: [NODE, server, '--there'] },
    ];
    const { child, started } = await clients.client(words, { STAGE: 'live' });
    await clients.kill(child.pid);
    expect(await soon(started)).toMatchObject({ client: 'codex', server: 'live' });
    servers = [];
    expect(await foundOf(started)).toEqual([]);
  });

  it('is told with the client that its variables name', async () => {
    const { child, started } = await clients.client(undefined, { GEMINI_CLI: '1' });
    await clients.kill(child.pid);
    expect(await soon(started)).toMatchObject({ client: 'gemini-cli' });
  });

  it('is told with its port, if it listens', async () => {
    const place = join(clients.folder, 'port');
    const { child, started } = await clients.client([NODE, clients.server(), 'listen', place]);
    await eventually(() => existsSync(place));
    await clients.kill(child.pid);
    expect(await soon(started)).toMatchObject({ listens: true });
  });

  it('ends with all its processes, and a client that lives keeps its own', { timeout: 60_000 }, async () => {
    const [gone, living] = [await wrappedServer(), await wrappedServer()];
    await clients.kill(gone.child.pid);
    const left = treeOf(gone.started);
    const kept = treeOf(living.child.pid!);
    let skippedMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };
    const table = new LinuxProcessTable();
    const behind = new LeftBehind({
      ...{ table, scan: look, isOn: () => true, onFound: () => undefined, onProblem: () => undefined },
      clock: { now: clock.now, setTimeout: (task, ms) => systemClock.setTimeout(task, ms) },
      signaller: signallerForPlatform('linux'),
    });
    const id = processKey(table.identifySync(gone.started)!);
    await soon(gone.started);
    expect((await behind.find()).flatMap(pidsOf)).not.toContain(gone.started);
    skippedMs = 30_000;
    expect((await behind.find()).flatMap(pidsOf)).toEqual(expect.arrayContaining(left));
    const livingId = processKey(table.identifySync(living.started)!);
    expect(await behind.end([id, livingId])).toEqual({
      ended: [id],
      spared: [],
      refused: [{ id: livingId, reason: expect.stringContaining('in use') as string }],
    });
    expect(left.filter(isAlive)).toEqual([]);
    expect(kept.every(isAlive)).toBe(true);
    behind.dispose();
  });
});

describe('never found', onlyOn('linux', 'the ends of streams are read from /proc'), () => {
  it('is the server of a client that lives, also while it is stopped, or its launcher or wrapper is gone', async () => {
    const { child, server, started } = await wrappedServer();
    expect(await foundOf(server)).toEqual([]);
    process.kill(child.pid!, 'SIGSTOP');
    expect(await foundOf(server)).toEqual([]);
    await clients.kill(started);
    expect(await foundOf(server)).toEqual([]);
    process.kill(child.pid!, 'SIGCONT');
    expect(await foundOf(server)).toEqual([]);
  });

  it('is the server of a client whose launcher is gone', async () => {
    const { pids } = await clients.shell(
      `sh -c '${NODE} ${clients.server('lasting-mcp.mjs')} & echo $! >> PIDS; exec sleep 1000' & echo $! >> PIDS; sleep 1000`,
      2,
    );
    expect(await foundOf(...pids)).toEqual([]);
  });

  it('is a server that has lost one stream to its client, or shares one with another process', async () => {
    const { server, ...one } = await wrappedServer();
    await clients.kill(one.started);
    await one.tell('close-input');
    expect(await foundOf(server)).toEqual([]);
    await one.tell('share-output');
    await clients.kill(one.child.pid);
    expect(await foundOf(server)).toEqual([]);
  });

  it('is a server over pipes whose client lives, though its wrapper does not', async () => {
    const { child, server } = await pipedServer();
    const wrapper = Number(statOf(server)[1]);
    await clients.kill(wrapper);
    expect(await foundOf(server)).toEqual([]);
    await clients.kill(child.pid);
    expect(await foundOf(server)).toEqual([]);
  });

  it('is what was started to outlive its terminal: input from nowhere, output to a file or to a logger', async () => {
    const server = clients.server('nohup-mcp.mjs');
    const { child, pids } = await clients.shell(
      [
        `nohup ${NODE} ${server} < /dev/null > ${clients.folder}/a & echo $! >> PIDS`,
        `echo | nohup ${NODE} ${server} > ${clients.folder}/b & echo $! >> PIDS`,
        `true | { exec 3<&0; ${NODE} ${server} <&3 & echo $! >> PIDS; } | sleep 1000 & echo $! >> PIDS`,
        'wait',
      ].join('\n'),
      4,
    );
    await clients.kill(child.pid);
    expect(await foundOf(...pids)).toEqual([]);
  });

  it('is a server that serves somebody over a port or a named socket', async () => {
    const place = join(clients.folder, 'port');
    const name = join(clients.folder, 'socket');
    const tcp = await clients.client([NODE, clients.server(), 'listen', place]);
    const named = await clients.client([NODE, clients.server(), 'listen-at', name]);
    await eventually(() => existsSync(place) && existsSync(name));
    const connections = [connect(Number(readFileSync(place, 'utf8')), '127.0.0.1'), connect(name)];
    await eventually(() => connections.every(({ readyState }) => readyState === 'open'));
    await clients.kill(tcp.child.pid);
    await clients.kill(named.child.pid);
    expect(await foundOf(tcp.started, named.started)).toEqual([]);
    for (const connection of connections) connection.destroy();
  });

  it('is a process of a panel, a program that only stands in a folder of that name, or a client', async () => {
    const all = [
      await clients.client(undefined, { MCP_CONTROL_PANEL_RUN: 'a' }),
      await clients.client([NODE, clients.server('mcp-notes/language-server.mjs'), 'mcp-server']),
      await clients.client([NODE, clients.server('node_modules/@google/gemini-cli/mcp.mjs')]),
      await clients.client([NODE, clients.server('node_modules/cline/mcp-server.mjs')], { GEMINI_CLI: '1' }),
    ];
    for (const { child } of all) await clients.kill(child.pid);
    expect(await foundOf(...all.map(({ started }) => started))).toEqual([]);
  });

  it('is what a service manager started, in a session of its own', async () => {
    const { child, started } = await clients.client(['setsid', NODE, clients.server()]);
    await clients.kill(child.pid);
    expect(await foundOf(started)).toEqual([]);
  });

  it('is a process of another account', skipWhen(!isRoot, 'only root starts one'), async () => {
    const server = clients.server();
    const words = ['setpriv', '--reuid=65534', '--clear-groups', NODE, server];
    const { child, started } = await clients.client(words);
    await clients.kill(child.pid);
    expect(await foundOf(started)).toEqual([]);
  });
});
