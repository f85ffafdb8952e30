import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allPids, isAlive, readProc, statOf } from '../../support/proc.ts';
import { eventually } from '../support/eventually.ts';

/** A server that ends neither by the end of its input nor by a signal that can be ignored. */
const STUBBORN = `
for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => {});
process.stdin.on('error', () => {}).resume();
process.stdout.on('error', () => {});
setInterval(() => {}, 1000);
const [mode, place] = process.argv.slice(2);
const { createServer, connect } = await import('node:net');
const { writeFileSync } = await import('node:fs');
if (mode === 'listen') {
  const server = createServer(() => {}).listen(0, '127.0.0.1', () => writeFileSync(place, String(server.address().port)));
}
if (mode === 'listen-at') createServer(() => {}).listen(place);
`;

/** A client over socket pairs, as those on Node.js are. It takes commands as lines: what it is to do next. */
const CLIENT = `
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const { words, env } = JSON.parse(process.argv[2]);
const server = spawn(words[0], words.slice(1), { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
console.log(server.pid);
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'close-input') server.stdin.end();
  if (line === 'share-output') spawn('sleep', ['1000'], { stdio: ['ignore', server.stdout, 'ignore'] });
  console.log('done');
});
`;

export interface RealClient {
  readonly child: ChildProcess;
  /** Pid of the process that it started, a wrapper or the server. */
  readonly started: number;
  /** Tells the client to do something, and waits until it has. */
  tell(line: string): Promise<void>;
}

/** Folder with a stubborn server, real clients in sessions of their own, and the end of all of them. Linux only. */
export class RealClients {
  readonly folder = mkdtempSync(join(tmpdir(), 'left-behind-'));
  readonly #pids = new Set<number>();

  /** Path of the server under a name of its own. */
  server(name = 'left-mcp-server.mjs'): string {
    const path = join(this.folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, STUBBORN);
    return path;
  }

  /** Starts a client with one server. */
  async client(
    words: readonly string[] = [process.execPath, this.server()],
    env: Readonly<Record<string, string>> = {},
  ): Promise<RealClient> {
    const script = join(this.folder, 'client.mjs');
    writeFileSync(script, CLIENT);
    const child = this.start([process.execPath, script, JSON.stringify({ words, env })]);
    const lines: string[] = [];
    child.stdout?.on('data', (data: Buffer) => lines.push(...data.toString().trim().split('\n')));
    await eventually(() => lines.length > 0);
    const started = Number(lines[0]);
    this.#pids.add(started);
    return {
      child,
      started,
      tell: async (line) => {
        const before = lines.length;
        child.stdin?.write(`${line}\n`);
        await eventually(() => lines.length > before);
      },
    };
  }

  /** Starts a command line in a session of its own. */
  start(words: readonly string[]): ChildProcess {
    const [command = '', ...args] = words;
    const child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    if (child.pid !== undefined) this.#pids.add(child.pid);
    return child;
  }

  /** Starts a shell command line that writes pids into a file, and returns these. */
  async shell(text: string, count: number) {
    const list = join(this.folder, `pids-${this.#pids.size}`);
    writeFileSync(list, '', { mode: 0o666 });
    const child = this.start(['sh', '-c', text.replaceAll('PIDS', list)]);
    const pids = () => readFileSync(list, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
    await eventually(() => pids().length >= count);
    for (const pid of pids()) this.#pids.add(pid);
    return { child, pids: pids() };
  }

  /** Kills a process and waits until it is gone. */
  async kill(pid: number | undefined): Promise<void> {
    if (pid === undefined) return;
    process.kill(pid, 'SIGKILL');
    await eventually(() => !isAlive(pid));
  }

  /** Ends all that was started, and what that has started. */
  dispose(): void {
    // What has lost its parent is told by its session, or by the folder that it runs in.
    const isOurs = (pid: number) =>
      this.#pids.has(Number(statOf(pid)[3])) || readProc(pid, 'cmdline').includes(this.folder);
    for (const pid of allPids().filter(isOurs))
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
