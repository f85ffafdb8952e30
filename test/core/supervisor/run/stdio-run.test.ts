import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CurrentTask } from '../../../../electron/core/current-task.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import type { ExitStatus } from '../../../../electron/core/platform/spawner.ts';
import type { TreeSample } from '../../../../electron/core/telemetry/tree-sample.ts';
import { StdioRun } from '../../../../electron/core/supervisor/run/stdio-run.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { panelSettingsSchema, type PanelSettings } from '../../../../shared/panel-settings.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses } from '../fake-processes.ts';
import { stdioRunDeps } from '../supervisor-deps.ts';
import { quietHooks } from './quiet-hooks.ts';

const PID = 500;
const STOPPED = new PanelError('STOPPED', 'the test is over');

const lookAt = (work: { readonly usedCpuMs: number; readonly writtenBytes: number }): TreeSample => ({
  sample: { at: 0, processCount: 1 },
  facts: { newProcesses: 0, ...work },
  readings: [],
});

/** Run of a server in memory, whose handshake the test answers. */
class Bench {
  readonly clock = createFakeClock();
  readonly currentTask = new CurrentTask(this.clock);
  settings: PanelSettings;
  readonly run: StdioRun;
  readonly #machine = new FakeProcesses();
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #stderr = new PassThrough();
  readonly #exit = createDeferred<ExitStatus>();
  readonly #initialize = createDeferred<{ id: number; params: { protocolVersion: string } }>();

  /** @param stderr what the server has written, once it is asked for */
  constructor(panel: Record<string, unknown>, stderr = '', line = ['alpha']) {
    this.settings = panelSettingsSchema.parse(panel);
    this.#stdin.once('data', (line: Buffer) =>
      this.#initialize.resolve(JSON.parse(line.toString()) as never),
    );
    // Each report takes time.
    const takeTime = () => this.clock.jump(40);
    const quiet = quietHooks(() => this.settings);
    const hooks = { ...quiet, stderrTail: () => stderr, onMalformed: takeTime, onStderr: takeTime };
    const config = {
      name: 'alpha',
      enabled: true,
      transport: 'stdio',
      command: line[0] ?? '',
      args: line.slice(1),
      env: {},
    } as const;
    this.run = new StdioRun(this.#deps(), { ...config, panel: this.settings }, hooks);
  }

  /** Waits until the server has got the request that opens the handshake. */
  async asked(): Promise<void> {
    await this.#initialize.promise;
  }

  async answer(): Promise<void> {
    const { id, params } = await this.#initialize.promise;
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: {},
      serverInfo: { name: 'alpha', version: '1' },
    };
    this.#stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    (stream === 'stdout' ? this.#stdout : this.#stderr).write(text);
  }

  async dispose(): Promise<void> {
    this.#machine.end(PID);
    this.#exit.resolve({ exitCode: 0 });
    this.#stdout.end();
    this.#stderr.end();
    const ended = this.run.kill(STOPPED);
    await this.clock.advance(60_000);
    await ended;
  }

  #deps() {
    this.#machine.add({ pid: PID, ppid: 1, groupId: PID });
    const [stdin, stdout, stderr] = [this.#stdin, this.#stdout, this.#stderr];
    const child = { pid: PID, stdin, stdout, stderr, exited: this.#exit.promise };
    const machine = { table: this.#machine, signaller: this.#machine, clock: this.clock };
    return stdioRunDeps({ ...machine, spawner: async () => child }, { currentTask: this.currentTask });
  }
}

/** Run whose server has got the request that opens the handshake; an error of its launch is what that resolves with. */
async function asked(panel: Record<string, unknown>, stderr?: string, line?: string[]) {
  const bench = new Bench(panel, stderr, line);
  onTestFinished(() => bench.dispose());
  const launched = bench.run.launch().catch((error: unknown) => error);
  await bench.asked();
  return { bench, launched };
}

afterEach(() => void vi.useRealTimers());

describe('StdioRun: what the main loop is busy with', () => {
  it.each(['read-output', 'read-stderr'] as const)(
    'marks %s, with the name of the instance',
    async (task) => {
      const { bench } = await asked({});
      bench.write(task === 'read-output' ? 'stdout' : 'stderr', 'no message\n');
      await bench.clock.advance(1000);
      expect(bench.currentTask.takeLongest()).toEqual({ task, instance: 'alpha', tookMs: 40 });
    },
  );
});

describe('StdioRun: the limits of a start', () => {
  it.each([
    ['the wake-ups of an event loop', { usedCpuMs: 10, writtenBytes: 24 }, 'startTimeoutMs'],
    ['what an install writes', { usedCpuMs: 10, writtenBytes: 20_217 }, 'startMaxMs'],
    ['what a poll uses of the CPU', { usedCpuMs: 60, writtenBytes: 0 }, 'startMaxMs'],
  ])('judges %s, looked at once a second', async (_what, work, expected) => {
    const { bench, launched } = await asked({ startTimeoutMs: 60_000, startMaxMs: 600_000 });
    let isOver = false;
    void launched.then(() => (isOver = true));
    for (let second = 0; second < 600 && !isOver; second += 1) {
      bench.run.sampled(lookAt(work));
      await bench.clock.advance(1000);
    }
    expect(await launched).toMatchObject({ code: 'START_TIMEOUT', data: { setting: expected } });
  });

  it('takes the pull of an image for progress, however silent it is', async () => {
    const limits = { startTimeoutMs: 60_000, startMaxMs: 600_000 };
    const { bench, launched } = await asked(limits, '', ['docker', 'run', '-i', 'mcp/box']);
    bench.write('stderr', "Unable to find image 'mcp/box:latest' locally\nabc: Pulling fs layer\n");
    await bench.clock.advance(0);
    for (let second = 0; second < 300; second += 1) {
      bench.run.sampled(lookAt({ usedCpuMs: 1, writtenBytes: 0 }));
      await bench.clock.advance(1000);
    }
    await bench.answer();
    expect(await launched).toBeUndefined();
  });

  it('leads with the cause where stderr holds one, and gives a way out of that', async () => {
    const stderr =
      'Error initializing Stripe MCP server:\n\n  fetch failed: getaddrinfo ENOTFOUND mcp.stripe.com\n';
    const { bench, launched } = await asked({ startTimeoutMs: 60_000 }, stderr);
    await bench.clock.advance(60_000);
    const cause = 'Error initializing Stripe MCP server: fetch failed: getaddrinfo ENOTFOUND mcp.stripe.com';
    expect(await launched).toMatchObject({
      code: 'START_TIMEOUT',
      message: `${cause} (showed no sign of progress for 1 m while starting)`,
      remedy: 'Check that this machine is online and that the address mcp.stripe.com is right.',
      data: { setting: 'startTimeoutMs', cause, stderrTail: stderr },
    });
  });

  it('has no limit to a handshake but these', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { bench, launched } = await asked({ startMaxMs: 1 });
    // Timers of the SDK follow the time of the machine, which goes on while the run's clock stands still.
    vi.advanceTimersByTime(3_600_000);
    await bench.answer();
    expect(await launched).toBeUndefined();
  });
});
