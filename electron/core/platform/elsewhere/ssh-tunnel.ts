import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import type { Signaller } from '../signals.ts';
import type { ExitStatus, SpawnedChild } from '../spawner.ts';
import { HttpSocket } from './http-socket.ts';

const MAX_WORDS = 1000;

/**
 * Presents the standard streams of a program as a connection, for example those of `ssh … docker system dial-stdio`. If the
 * connection or the program ends, the other one ends as well; the error contains the program's last output. Emits `spoke` when
 * the program first writes something.
 */
export class ProgramSocket extends HttpSocket {
  readonly #start: () => Promise<SpawnedChild>;
  readonly #signaller: Signaller;
  #child: SpawnedChild | undefined;
  #hasExited = false;

  constructor(start: () => Promise<SpawnedChild>, signaller: Signaller) {
    super({ allowHalfOpen: false });
    this.#start = start;
    this.#signaller = signaller;
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.#start().then(
      (child) => {
        this.#follow(child);
        done();
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }

  #follow(child: SpawnedChild): void {
    this.#child = child;
    const { stdout, stderr } = child;
    // Output is not read before `_read` is called.
    stdout.on('data', (part: Buffer) => void (this.push(part) || stdout.pause())).pause();
    stdout.once('data', () => this.emit('spoke'));
    const errorOf = listenTo(child);
    void child.exited.then(() => (this.#hasExited = true));
    // The connection ends only after all output was passed on. By then stderr is complete, and its last line says why the
    // program ended.
    void Promise.all([child.exited, endOf(stdout), endOf(stderr)]).then(([exit]) => {
      if (exit.exitCode === 0) this.push(null);
      else this.destroy(errorOf(exit));
    });
  }

  override _read(): void {
    this.#child?.stdout.resume();
  }
  override _write(part: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    // Write errors are ignored, because the end of the program reports what went wrong.
    this.#child?.stdin.write(part, () => done());
  }
  override _final(done: () => void): void {
    this.#child?.stdin.end();
    done();
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const child = this.#child;
    if (child) {
      for (const stream of streamsOf(child)) stream.destroy();
      // SIGKILL is necessary, because on a milder signal the program would wait for the other side. The pid cannot belong to
      // another process, because this one has not exited.
      if (!this.#hasExited) void this.#signaller.signalGroup(child.pid, 'SIGKILL');
    }
    done(error);
  }
}

const endOf = (stream: Readable): Promise<void> =>
  new Promise((resolve) => void stream.once('end', resolve).once('close', resolve));

const streamsOf = ({ stdin, stdout, stderr }: SpawnedChild) => [stdin, stdout, stderr];

/** Keeps a program's last stderr output. @returns a function that turns the program's exit into an error with that output */
function listenTo(child: SpawnedChild): (exit: ExitStatus) => Error {
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said = (said + String(part)).slice(-MAX_WORDS)));
  for (const stream of streamsOf(child)) stream.on('error', () => undefined);
  return ({ exitCode, signal }) =>
    new Error(`ssh: ${said.trim().split('\n').at(-1) || `it ended with ${String(exitCode ?? signal)}`}`);
}

export interface SshTunnelOptions {
  /** Starts the user's own `ssh` with these arguments. */
  readonly spawnSsh: (words: readonly string[]) => Promise<SpawnedChild>;
  readonly signaller: Signaller;
  readonly clock: Clock;
}

const USUAL_SOCKET = '/var/run/docker.sock';
const DIAL_WORDS = 2;
/** Command for the other machine. It prints which socket the docker client there uses, and then runs until its input ends. */
const STAY = ['context', 'inspect', '--format', "'{{.Endpoints.docker.Host}}'", '&&', 'cat'];
const PROBE_LIMIT_MS = 10_000;

/**
 * One `ssh` connection that carries all connections to an engine: it forwards a socket of this machine to the engine's socket.
 * Forwarded connections do not count towards the ten sessions that an SSH server allows, and need no further sign-in. Only the
 * user of the panel has access to the folder of the socket.
 */
export class SshTunnel {
  readonly #options: SshTunnelOptions;
  readonly #words: readonly string[];
  #remote = USUAL_SOCKET;
  /** True if no tunnel is possible: the other machine does not forward sockets, or its docker client does not use a socket. */
  #isRefused = false;
  #opening: Promise<string | undefined> | undefined;
  #child: SpawnedChild | undefined;
  /** Path of the socket while the tunnel is open. */
  #path: string | undefined;
  #closings = 0;

  /** @param words arguments of `ssh` that end with `docker … system dial-stdio` */
  constructor(options: SshTunnelOptions, words: readonly string[]) {
    this.#options = options;
    this.#words = words;
  }

  /**
   * Makes a connection through the tunnel, or with `byItself` if no tunnel is possible. Rejects with the last output of `ssh`.
   */
  connect(byItself: () => Duplex): Duplex | Promise<Duplex> {
    if (this.#path !== undefined) return connect({ path: this.#path });
    if (this.#isRefused) return byItself();
    return this.#open().then((path) => (path === undefined ? byItself() : connect({ path })));
  }

  /** Closes the tunnel. The next `connect` opens it again. */
  close(): void {
    if (this.#child) this.#end(this.#child);
    this.#closings += 1;
    this.#opening = undefined;
    // The tunnel may have failed only because the engine was unreachable for a while, so the next `connect` tries it again.
    this.#isRefused = false;
  }

  /** Returns the path of the socket; undefined if no tunnel is possible. @throws Error with the last output of `ssh` */
  #open(): Promise<string | undefined> {
    if (this.#opening) return this.#opening;
    const opening = this.#start();
    this.#opening = opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  async #start(): Promise<string | undefined> {
    const { spawnSsh } = this.#options;
    const closings = this.#closings;
    const folder = await mkdtemp(join(tmpdir(), 'mcp-engine-'));
    const path = join(folder, 's');
    let child: SpawnedChild | undefined;
    try {
      child = await spawnSsh([
        '-L',
        `${path}:${this.#remote}`,
        ...this.#words.slice(0, -DIAL_WORDS),
        ...STAY,
      ]);
    } finally {
      const leave = () => void rm(folder, { recursive: true, force: true }).catch(() => undefined);
      if (child === undefined) leave();
      else void child.exited.then(leave);
    }
    this.#follow(child);
    if (closings !== this.#closings) this.#end(child);
    const host = await this.#hostThere(child);
    const socket = host.startsWith('unix://') ? host.slice('unix://'.length) : undefined;
    if (socket !== undefined && socket !== this.#remote) {
      this.#end(child);
      this.#remote = socket;
      return this.#start();
    }
    if (socket === undefined || !(await this.#leadsToEngine(path))) {
      this.#end(child);
      this.#isRefused = true;
      return undefined;
    }
    if (this.#child === child) this.#path = path;
    return path;
  }

  /** Returns the engine address that the docker client on the other machine uses; empty if there is no such client. */
  async #hostThere(child: SpawnedChild): Promise<string> {
    const errorOf = listenTo(child);
    const saidAll = endOf(child.stderr);
    const line = new Promise<string>((resolve) => {
      createInterface(child.stdout).once('line', resolve);
    });
    const found = await Promise.race([line, child.exited]);
    if (typeof found === 'string') return found.trim();
    await saidAll;
    // Exit code 255 means that `ssh` itself failed; other codes come from the program on the other machine.
    if (found.exitCode === 255 || found.signal !== undefined) throw errorOf(found);
    return '';
  }

  /**
   * True if an engine answers at the forwarded socket. If the other machine does not forward sockets, it closes the connection.
   */
  #leadsToEngine(path: string): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ path });
      const timer = this.#options.clock.setTimeout(() => socket.destroy(), PROBE_LIMIT_MS);
      socket
        .once('data', (part: Buffer) => {
          resolve(part.toString('latin1').startsWith('HTTP/'));
          socket.destroy();
        })
        .once('close', () => {
          timer.dispose();
          resolve(false);
        })
        .on('error', () => undefined)
        .write('GET /_ping HTTP/1.1\r\nHost: engine\r\nConnection: close\r\n\r\n');
    });
  }

  #follow(child: SpawnedChild): void {
    this.#child = child;
    void child.exited.then(() => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#path = undefined;
      this.#opening = undefined;
    });
  }

  #end(child: SpawnedChild): void {
    // `child` has already exited, so its pid may belong to another process, which must not be killed.
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#path = undefined;
    for (const stream of streamsOf(child)) stream.destroy();
    void this.#options.signaller.signalGroup(child.pid, 'SIGKILL');
  }
}
