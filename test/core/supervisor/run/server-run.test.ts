import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import type { ExitStatus } from '../../../../electron/core/platform/spawner.ts';
import { ServerRun } from '../../../../electron/core/supervisor/run/server-run.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { panelSettingsSchema, type PanelSettings } from '../../../../shared/panel-settings.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses } from '../fake-processes.ts';
import { quietHooks } from './quiet-hooks.ts';

const PID = 500;
const STOPPED = new PanelError('STOPPED', 'the test is over');

/** A run of a server in memory, whose handshake the test answers. */
class Bench {
  readonly clock = createFakeClock();
  settings: PanelSettings;
  readonly run: ServerRun;
  readonly #machine = new FakeProcesses();
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #exit = createDeferred<ExitStatus>();
  readonly #initialize = createDeferred<{ id: number; params: { protocolVersion: string } }>();

  constructor(panel: Record<string, unknown>) {
    this.settings = panelSettingsSchema.parse(panel);
    this.#stdin.once('data', (line: Buffer) =>
      this.#initialize.resolve(JSON.parse(line.toString()) as never),
    );
    const hooks = quietHooks(() => this.settings);
    const config = {
      name: 'alpha',
      enabled: true,
      transport: 'stdio',
      command: 'alpha',
      args: [],
      env: {},
    } as const;
    this.run = new ServerRun(this.#deps(), { ...config, args: [], panel: this.settings }, hooks);
  }

  /** The server has got the request that opens the handshake. */
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

  async dispose(): Promise<void> {
    this.#machine.end(PID);
    this.#exit.resolve({ exitCode: 0 });
    this.#stdout.end();
    const ended = this.run.kill(STOPPED);
    await this.clock.advance(60_000);
    await ended;
  }

  #deps() {
    this.#machine.add({ pid: PID, ppid: 1, groupId: PID });
    const stderr = new PassThrough();
    stderr.end();
    return {
      table: this.#machine,
      signaller: this.#machine,
      clock: this.clock,
      spawner: () =>
        Promise.resolve({
          pid: PID,
          stdin: this.#stdin,
          stdout: this.#stdout,
          stderr,
          exited: this.#exit.promise,
        }),
      clientVersion: '0.0.0',
      surroundings: () => ({ parent: {}, home: '/' }),
      createMarker: () => 'marker',
    };
  }
}

afterEach(() => void vi.useRealTimers());

describe('ServerRun: the limits of a start', () => {
  it('heeds limits that are raised during the handshake', async () => {
    const bench = new Bench({ startTimeoutMs: 1000, startMaxMs: 2000 });
    const launched = bench.run.launch();
    await bench.asked();
    bench.settings = { ...bench.settings, startTimeoutMs: 50_000, startMaxMs: 60_000 };
    await bench.clock.advance(49_000);
    await bench.answer();
    await launched;
    expect(bench.run.connection?.serverInfo).toEqual({ name: 'alpha', version: '1' });
    await bench.dispose();
  });

  it('ends a handshake by the limits of now', async () => {
    const bench = new Bench({ startTimeoutMs: 60_000, startMaxMs: 600_000 });
    const launched = bench.run.launch().catch((error: unknown) => error);
    await bench.asked();
    bench.settings = { ...bench.settings, startTimeoutMs: 5000 };
    await bench.clock.advance(5000);
    expect(await launched).toMatchObject({ code: 'START_TIMEOUT' });
    await bench.dispose();
  });

  it('has no limit to a handshake but these', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const bench = new Bench({ startMaxMs: 1 });
    const launched = bench.run.launch();
    await bench.asked();
    // A timer of the SDK's own runs on the time of the machine, which goes on while the run's clock stands still.
    vi.advanceTimersByTime(3_600_000);
    await bench.answer();
    await launched;
    await bench.dispose();
  });
});
