import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock } from '../clock.ts';
import { SerialQueue } from '../serial-queue.ts';

/** A program that answers each line with a line. It runs from the first question until it is disposed. */
export interface LineHelper {
  /** Only one question may be open. @throws when the program fails or is late; the next question restarts it */
  ask(question: string): Promise<string>;
  dispose(): void;
}

interface LineHelperOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly clock: Clock;
  readonly timeoutMs: number;
}

interface Running {
  readonly child: ChildProcess;
  /** Settles the open question; undefined when none is open. */
  settle: ((answer: string | Error) => void) | undefined;
}

/** Runs the program. It exits at the end of its stdin, so it cannot outlive the panel. */
export class ProcessLineHelper implements LineHelper {
  readonly #options: LineHelperOptions;
  readonly #questions = new SerialQueue();
  #running: Running | undefined;
  #isDisposed = false;

  constructor(options: LineHelperOptions) {
    this.#options = options;
  }

  ask(question: string): Promise<string> {
    return this.#questions.run(() => this.#askNow(question));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end(new Error('the helper was closed'));
  }

  #askNow(question: string): Promise<string> {
    if (this.#isDisposed) return Promise.reject(new Error('the helper is closed'));
    const running = (this.#running ??= this.#start());
    const { clock, timeoutMs, command } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = clock.setTimeout(
        () => this.#end(new Error(`${command} gave no answer in ${timeoutMs} ms`)),
        timeoutMs,
      );
      running.settle = (answer) => {
        running.settle = undefined;
        timer.dispose();
        if (typeof answer === 'string') resolve(answer);
        else reject(answer);
      };
      running.child.stdin?.write(`${question}\n`);
    });
  }

  #start(): Running {
    const { command, args } = this.#options;
    const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    const running: Running = { child, settle: undefined };
    createInterface({ input: child.stdout }).on('line', (line) => running.settle?.(line));
    const onEnd = (cause: Error) => {
      if (this.#running === running) this.#running = undefined;
      running.settle?.(cause);
    };
    child.on('error', onEnd);
    child.on('exit', (code, signal) => onEnd(new Error(`${command} ended (${signal ?? code ?? 'unknown'})`)));
    // Ignores a failed write to a program that has just ended; 'exit' reports the end.
    child.stdin.on('error', () => undefined);
    return running;
  }

  #end(cause: Error): void {
    const running = this.#running;
    this.#running = undefined;
    running?.child.kill('SIGKILL');
    running?.settle?.(cause);
  }
}
