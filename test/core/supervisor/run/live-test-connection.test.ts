import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RUN_MARKER_NAME } from '../../../../electron/core/platform/child-environment.ts';
import { openProcessSystem, type ProcessSystem } from '../../../../electron/core/platform/process-system.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import {
  ProcessCustody,
  type RunRecord,
} from '../../../../electron/core/supervisor/custody/process-custody.ts';
import { StdioRun } from '../../../../electron/core/supervisor/run/stdio-run.ts';
import { testConnection } from '../../../../electron/core/supervisor/run/test-connection.ts';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { liveRunDeps } from '../live-bench.ts';
import {
  fixtureServer,
  fixtureWrapper,
  readPids,
  waitUntil,
  type CommandLine,
} from '../../../fixtures/fixture-server.ts';
import { isAlive } from '../../../support/proc.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let system: ProcessSystem;
beforeAll(async () => {
  system = await openProcessSystem({ clock: systemClock, platform: process.platform });
});
afterAll(() => system.table.dispose());

/** Custody that records what the ledger and the helper would record. */
class RecordedCustody extends ProcessCustody {
  readonly recorded: RunRecord[] = [];
  readonly forgotten: string[] = [];

  /** The last record of each run, because a run is recorded anew at each look at its tree. */
  get runs(): readonly RunRecord[] {
    return [...new Map(this.recorded.map((record) => [record.marker, record])).values()];
  }

  constructor() {
    super(undefined, undefined);
  }
  override record(run: RunRecord): void {
    this.recorded.push(run);
  }
  override forget({ marker }: Pick<RunRecord, 'marker' | 'groupPid'>): void {
    this.forgotten.push(marker);
  }
}

describe('testConnection', () => {
  let folder: string;
  let pidFile: string;
  let custody: RecordedCustody;
  let markers: string[];

  beforeEach(() => {
    folder = tempFolder('test-connection-');
    pidFile = join(folder, 'pids');
    custody = new RecordedCustody();
    markers = [];
  });

  afterEach(async () => {
    expect(readPids(pidFile).filter(isAlive)).toEqual([]);
    const marked = await Promise.all(
      markers.map((marker) => system.table.findByEnvironment(RUN_MARKER_NAME, marker)),
    );
    expect(marked.flat()).toEqual([]);
    expect(new Set(custody.forgotten)).toEqual(new Set(custody.recorded.map(({ marker }) => marker)));
  });

  const test = (
    program: CommandLine,
    options: { panel?: object; env?: Record<string, string>; signal?: AbortSignal } = {},
  ) => {
    const config: StdioServerConfig = {
      name: 'aside',
      enabled: true,
      transport: 'stdio',
      ...program,
      env: options.env ?? {},
      panel: panelSettingsSchema.parse({ stopGraceMs: 300, killGraceMs: 300, ...options.panel }),
    };
    const runDeps = liveRunDeps(system, () => {
      const marker = randomBytes(16).toString('hex');
      markers.push(marker);
      return marker;
    });
    const deps = {
      clock: systemClock,
      custody,
      table: system.table,
      createRun: (_: unknown, hooks: ConstructorParameters<typeof StdioRun>[2]) =>
        new StdioRun(runDeps, config, hooks),
    };
    return testConnection(config, deps, options.signal);
  };
  const withPids = (...flags: string[]) => fixtureServer(`--pid-file=${pidFile}`, ...flags);

  it('tells what a good server is and what it can do', async () => {
    const result = await test(withPids('--name=shop', '--version=1.2.3', '--stderr-text=hello'));
    expect(result).toMatchObject({
      ok: true,
      serverInfo: { name: 'shop', version: '1.2.3' },
      stderr: 'hello\n',
    });
    expect(result.tools).toContain('echo');
    expect(result.handshakeMs).toBeGreaterThan(0);
    expect(result.error).toBeUndefined();
    expect(custody.runs).toMatchObject([{ server: 'aside', generation: 0 }]);
  });

  it('takes a server without tools for good', async () => {
    expect(await test(withPids('--no-tools-list'))).toMatchObject({ ok: true, tools: [] });
  });

  it('shows what a server wrote that ended before its handshake', async () => {
    const result = await test(
      withPids('--stderr-text=no API key', '--exit-after-ms=1', '--never-initialize', '--exit-code=3'),
    );
    expect(result).toMatchObject({ ok: false, stderr: 'no API key\n', error: { code: 'START_FAILED' } });
    expect(result.error?.message).toContain('exited with code 3');
  });

  it('blacks out a secret of its configuration, also where a long cause is cut in the middle of it', async () => {
    const API_KEY = 'k3y'.repeat(40);
    const cause = `Error: ${'the store refused this credential: '.repeat(5)}`;
    const program = withPids(`--stderr-text=${cause}${API_KEY}`, '--exit-after-ms=1', '--never-initialize');
    const result = await test(program, { env: { API_KEY } });
    expect(result.error?.message).toMatch(/^Error: the store refused this credential: .*exited with code/);
    expect(result.stderr).toContain('refused');
    expect(JSON.stringify(result)).not.toContain('k3yk3y');
  });

  it('ends a server that never answers the handshake, after startTimeoutMs', async () => {
    const result = await test(withPids('--never-initialize', '--ignore-sigterm', '--ignore-eof'), {
      panel: { startTimeoutMs: 600 },
    });
    expect(result).toMatchObject({ ok: false, error: { code: 'START_TIMEOUT' } });
    expect(result.handshakeMs).toBeUndefined();
  });

  it('waits for a server that works without a word, as an installation does', async () => {
    const result = await test(withPids('--slow-initialize-ms=3500', '--spin-cpu'), {
      panel: { startTimeoutMs: 2500 },
    });
    expect(result).toMatchObject({ ok: true });
    expect(custody.recorded.length).toBeGreaterThan(1);
  });

  it('tells a handshake from a list that never comes', async () => {
    const result = await test(withPids('--ignore-tools-list'), { panel: { startTimeoutMs: 1500 } });
    expect(result).toMatchObject({ ok: false, serverInfo: {}, error: { code: 'REQUEST_TIMEOUT' } });
  });

  it('names a command that is not there', async () => {
    const result = await test({ command: 'no-such-command-here', args: [] });
    expect(result).toMatchObject({ ok: false, stderr: '', error: { code: 'COMMAND_NOT_FOUND' } });
    expect(custody.recorded).toEqual([]);
  });

  it('leaves nothing of a server behind a wrapper, with children that ignore SIGTERM and the end of input', async () => {
    const flags = ['--shell', '--grandchild', '--grandchild-ignores-sigterm', '--ignore-eof'];
    const result = await test(fixtureWrapper(`--pid-file=${pidFile}`, ...flags));
    expect(result.ok).toBe(true);
    expect(readPids(pidFile).length).toBeGreaterThan(1);
  });

  it('ends at once when it is cancelled, and starts nothing when it was cancelled before', async () => {
    const abort = new AbortController();
    const running = test(withPids('--never-initialize', '--ignore-sigterm', '--ignore-eof'), {
      signal: abort.signal,
      panel: { stopGraceMs: 60_000, killGraceMs: 60_000 },
    });
    await waitUntil(() => readPids(pidFile).length > 0, 'the server runs');
    abort.abort();
    expect(await running).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(await test(withPids(), { signal: abort.signal })).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(custody.runs).toHaveLength(1);
  });
});
