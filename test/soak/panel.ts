import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { appEnvironment } from '../e2e/support/app-environment.ts';
import { electronCommand } from '../e2e/support/electron-command.ts';
import { TEST_RUN_NAME } from '../e2e/support/processes.ts';
import { freePort } from '../fixtures/gateways/free-port.ts';
import { inspect, INSPECTABLE } from '../fixtures/gateways/inspected.ts';
import type { StateLine } from './record.ts';

const ENTRY = fileURLToPath(new URL('../../electron/core/headless.ts', import.meta.url));
const STATE_LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\S+) ([a-z]+)(?: .+)?$/;
const INSPECTOR_LINE = /Debugger listening on ws:\S+/;
const END_MS = 30_000;
const INSPECT_MS = 20_000;
const NOTICES_KEPT = 200;

export interface SoakPanelOptions {
  readonly home: string;
  /** Mark in the environment of everything that is started. */
  readonly run: string;
  readonly hasWindow: boolean;
  readonly displayEnv: Readonly<Record<string, string>>;
  readonly onLine: (line: StateLine) => void;
}

/** What only the process itself can tell. */
export interface InnerFigures {
  readonly heapBytes: number;
  readonly timers: number;
}

/** The panel, without a window or with one, as often as it is started. */
export class SoakPanel {
  readonly #options: SoakPanelOptions;
  readonly #port: number;
  readonly notices: string[] = [];
  #child: ChildProcess | undefined;
  #inspectorLine = '';

  private constructor(options: SoakPanelOptions, port: number) {
    this.#options = options;
    this.#port = port;
  }

  static async create(options: SoakPanelOptions): Promise<SoakPanel> {
    const port = await freePort();
    writeFileSync(join(options.home, 'settings.json'), JSON.stringify({ version: 1, gateway: { port } }));
    return new SoakPanel(options, port);
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  readonly urlOf = (server: string) => `http://127.0.0.1:${this.#port}/servers/${server}/mcp`;

  async start(): Promise<void> {
    const { executablePath, args } = this.#options.hasWindow
      ? await electronCommand()
      : { executablePath: process.execPath, args: [ENTRY, '--home', this.#options.home] };
    const { home, run, displayEnv } = this.#options;
    const own = { [TEST_RUN_NAME]: run, SHELL: '/bin/sh' };
    const child = spawn(executablePath, [INSPECTABLE, ...args], {
      env: appEnvironment(home, displayEnv, own),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    createInterface({ input: child.stderr }).on('line', (line) => this.#takeNotice(line));
    await once(child, 'spawn');
  }

  /** As a crash does: nothing of it is told before. */
  async kill(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(name);
  }

  /** Asks it to end. Returns how it ended, undefined where it did not in time and was killed. */
  async end(): Promise<number | string | undefined> {
    const child = this.#child;
    if (child === undefined) return undefined;
    if (child.exitCode !== null || child.signalCode !== null)
      return child.exitCode ?? child.signalCode ?? undefined;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const ended = await Promise.race([exited, systemClockWait(END_MS)]);
    if (ended !== undefined) return child.exitCode ?? child.signalCode ?? undefined;
    child.kill('SIGKILL');
    await exited;
    return undefined;
  }

  /** Undefined where the process does not answer now. */
  async innerFigures(): Promise<InnerFigures | undefined> {
    const line = this.#inspectorLine;
    if (line === '') return undefined;
    return Promise.race([this.#ask(line).catch(() => undefined), systemClockWait(INSPECT_MS)]);
  }

  async #ask(line: string): Promise<InnerFigures> {
    const inspected = await inspect({ output: () => line });
    try {
      const heapBytes = await inspected.liveHeapBytes();
      const active = await inspected.evaluate('process.getActiveResourcesInfo().join()');
      return { heapBytes, timers: String(active).split('Timeout').length - 1 };
    } finally {
      inspected.close();
    }
  }

  #take(line: string): void {
    const [, at, server, state] = STATE_LINE.exec(line) ?? [];
    if (at !== undefined) this.#options.onLine({ at: Date.parse(at), server: server!, state: state! });
  }

  #takeNotice(line: string): void {
    if (INSPECTOR_LINE.test(line)) this.#inspectorLine = line;
    else if (line !== '' && !line.includes('ebugger')) this.notices.push(line);
    if (this.notices.length > NOTICES_KEPT) this.notices.shift();
  }
}

const systemClockWait = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
