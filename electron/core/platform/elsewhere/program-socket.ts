import type { Readable } from 'node:stream';
import type { Signaller } from '../signals.ts';
import type { SpawnedChild } from '../spawner.ts';
import { HttpSocket } from './http-socket.ts';

const MAX_WORDS = 1000;

/**
 * The standard streams of a program as a connection: what `ssh … docker system dial-stdio` is. Its end, or that of the
 * program, ends both; the error has the program's last words. Emits `spoke` when the program writes first.
 */
export class ProgramSocket extends HttpSocket {
  readonly #start: () => Promise<SpawnedChild>;
  readonly #signaller: Signaller;
  #child: SpawnedChild | undefined;
  #hasExited = false;
  #words = '';

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
    const { stdin, stdout, stderr } = child;
    // Paused until somebody reads the connection.
    stdout.on('data', (part: Buffer) => void (this.push(part) || stdout.pause())).pause();
    stdout.once('data', () => this.emit('spoke'));
    stderr.on('data', (part: Buffer) => (this.#words = (this.#words + String(part)).slice(-MAX_WORDS)));
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
    void child.exited.then(() => (this.#hasExited = true));
    // What it has written comes first, and its last words tell why it ended.
    void Promise.all([child.exited, endOf(stdout), endOf(stderr)]).then(([{ exitCode, signal }]) => {
      const how = this.#words.trim().split('\n').at(-1) || `it ended with ${String(exitCode ?? signal)}`;
      if (exitCode === 0) this.push(null);
      else this.destroy(new Error(`ssh: ${how}`));
    });
  }

  override _read(): void {
    this.#child?.stdout.resume();
  }
  override _write(part: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    // The end of the program tells what went wrong.
    this.#child?.stdin.write(part, () => done());
  }
  override _final(done: () => void): void {
    this.#child?.stdin.end();
    done();
  }
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const child = this.#child;
    if (child) {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      // It would wait for the other side. Its pid is not another's before it has ended.
      if (!this.#hasExited) void this.#signaller.signalGroup(child.pid, 'SIGKILL');
    }
    done(error);
  }
}

/** Settles when a stream has ended or was closed. */
export const endOf = (stream: Readable): Promise<void> =>
  new Promise((resolve) => void stream.once('end', resolve).once('close', resolve));
