import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { requireCommand } from '../../../../electron/core/platform/find-command.ts';
import type { ProgramSearch } from '../../../../electron/core/platform/program-search.ts';
import { markingSpawner } from '../../../../electron/core/platform/marking-spawner.ts';
import type { SpawnRequest } from '../../../../electron/core/platform/spawner.ts';
import { RunStart } from '../../../../electron/core/supervisor/run/run-start.ts';
import { spawnRequestOf } from '../../../../electron/core/supervisor/run/spawn-request.ts';
import { StdioRun } from '../../../../electron/core/supervisor/run/stdio-run.ts';
import { StartGate } from '../../../../electron/core/supervisor/start/start-gate.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses } from '../fake-processes.ts';
import { testConfig } from '../supervisor-bench.ts';
import { stdioRunDeps } from '../supervisor-deps.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { quietHooks } from './quiet-hooks.ts';

/**
 * Starts `tool`, which only `folder` holds, up to the spawn, which fails. Resolves with what was looked for
 * on the way, and spawned.
 */
function startsWith(folder: string | undefined) {
  const clock = createFakeClock();
  const looks: ProgramSearch[] = [];
  const spawned: SpawnRequest[] = [];
  const failed: string[] = [];
  const config = testConfig({}, { command: 'tool' }) as StdioServerConfig;
  const surroundings = {
    parent: { PATH: '/nix/bin' },
    home: '/',
    login: { path: '/login/bin', source: 'shell' },
    findProgram: async (search: ProgramSearch) => {
      looks.push(search);
      const isThere = folder !== undefined && search.path?.split(':').includes(folder);
      return isThere ? { file: `${folder}/tool` } : ({ code: 'ENOENT' } as const);
    },
  } as const;
  const spawn = (request: SpawnRequest) => {
    spawned.push(request);
    return Promise.reject(new PanelError('START_FAILED', 'not here'));
  };
  const machine = new FakeProcesses();
  const spawner = markingSpawner(spawn, () => Promise.resolve('/bin/prlimit'));
  const deps = stdioRunDeps(
    { clock, table: machine, signaller: machine, spawner },
    { surroundings: () => surroundings, createMarker: () => 'marker-of-the-run' },
  );
  const startGate = new StartGate({ clock, startConcurrency: 1 });
  const begin = async () => {
    const start = new RunStart(config, {
      startGate,
      purpose: 'automatic',
      cleared: Promise.resolve(),
      prepareSpawn: async () => {
        const request = await spawnRequestOf(config, surroundings, '');
        await requireCommand(request);
        return request;
      },
      createRun: (resolved, request) => new StdioRun(deps, resolved as StdioServerConfig, hooks, request),
      onReason: () => undefined,
      onRun: () => undefined,
      onUp: () => undefined,
      onFailed: ({ code }) => failed.push(code),
    });
    await start.begin();
  };
  const hooks = quietHooks(() => config.panel);
  return { startGate, looks, spawned, failed, begin };
}

describe('a start', skipOn('win32', 'Windows has no login shell'), () => {
  it('looks for its program once, and spawns with the marker of the run what it found', async () => {
    const { looks, spawned, failed, begin } = startsWith('/login/bin');
    await begin();
    expect(failed).toEqual(['START_FAILED']);
    expect(looks.map(({ path }) => path)).toEqual(['/login/bin']);
    expect(spawned).toMatchObject([
      {
        command: '/bin/prlimit',
        args: [expect.any(String), '--', 'tool'],
        env: { PATH: '/login/bin', MCP_CONTROL_PANEL_RUN: 'marker-of-the-run' },
      },
    ]);
  });

  it('looks on our PATH too where that of the login shell does not lead to it, and at no place twice', async () => {
    const { looks, spawned, begin } = startsWith('/nix/bin');
    await begin();
    expect(looks.map(({ path }) => path)).toEqual(['/login/bin', '/login/bin:/nix/bin']);
    expect(spawned[0]?.env['PATH']).toBe('/login/bin:/nix/bin');
  });

  it('of a command that is nowhere spawns nothing', async () => {
    const { looks, spawned, failed, begin } = startsWith(undefined);
    await begin();
    expect(failed).toEqual(['COMMAND_NOT_FOUND']);
    expect(looks).toHaveLength(2);
    expect(spawned).toEqual([]);
  });

  it('looks again once it has waited for others, since they may install for long', async () => {
    const { startGate, looks, spawned, begin } = startsWith('/login/bin');
    const { signal } = new AbortController();
    const other = startGate.join(testConfig(), { purpose: 'automatic', signal });
    await other.admitted;
    const begun = begin();
    await expect.poll(() => looks.length).toBe(1);
    other.release();
    await begun;
    expect(looks).toHaveLength(2);
    expect(spawned).toHaveLength(1);
  });
});
