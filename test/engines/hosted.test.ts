import { beforeAll, describe, expect, it } from 'vitest';
import {
  apiFigures,
  figuresOpener,
  type OpenFigures,
} from '../../electron/core/platform/containers/open-figures.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import {
  containerBench,
  STUBBORN,
  until,
  watchServer,
  type ContainerEntry,
} from '../support/container-scenarios.ts';
import { clientOf, engineOf, engines, makeImage, testMemory } from './engine-image.ts';

const MIB = 1024 * 1024;
const STEPS = 60_000;

/** Figures by the API alone, as where the engine runs in a virtual machine. */
const byApi = apiFigures(systemClock);

describe.each(engines)('a server in a container of %s', (name) => {
  const command = clientOf(name);
  beforeAll(() => makeImage(command), 120_000);
  const { ask, holdAnothers, listed, openPanel } = containerBench(engineOf(command, STEPS));

  async function open(entry: ContainerEntry, openFigures: OpenFigures = figuresOpener(systemClock)) {
    const anothers = await holdAnothers();
    const { panel } = await openPanel({ box: entry }, { openFigures });
    return { ...watchServer(panel, 'box', STEPS), anothers, panel };
  }

  const openers = [
    ['the kernel', figuresOpener(systemClock)],
    ...(name === 'docker' ? [['the API', byApi] as const] : []),
  ] as const;

  it.each(openers)(
    'has figures as its engine shows them, by %s',
    { timeout: 10 * STEPS },
    async (_, openFigures) => {
      const options = ['--memory', '512m'];
      const { panel, view, shows, call } = await open({ options, flags: ['--spin-cpu'] }, openFigures);
      await panel.servers.start('box');
      await shows(() => view().sample?.cpuPercent !== undefined);
      expect(view().host).toEqual({
        kind: 'container',
        engine: name,
        id: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        memoryLimitBytes: 512 * MIB,
      });
      await call('echo', { text: 'hello' });
      let told = { memoryBytes: 0, cpu: '' };
      // Both are of some second, and the server uses more and less from one to the next.
      await until(async () => {
        told = await statsOf(view().host?.id ?? '');
        return Math.abs((view().sample?.memoryBytes ?? 0) / told.memoryBytes - 1) < 0.02;
      }, STEPS);
      const { memoryBytes = 0, cpuPercent = 0, openFiles, processCount } = view().sample!;
      process.stdout.write(
        `${name}: ${memoryBytes / MIB} MiB, ${cpuPercent} % beside ${JSON.stringify(told)}\n`,
      );
      expect(cpuPercent).toBeGreaterThan(20);
      expect({ openFiles, processCount }).toEqual({ openFiles: undefined, processCount: 1 });
    },
  );

  async function statsOf(id: string): Promise<{ readonly memoryBytes: number; readonly cpu: string }> {
    const line = await ask('stats', '--no-stream', '--format', '{{.MemUsage}}|{{.CPUPerc}}', id);
    const [, amount, unit = ''] = /^([\d.]+)([kMG]i?)B/.exec(line) ?? [];
    const factor = { k: 1000, Ki: 1024, M: 1e6, Mi: MIB, G: 1e9, Gi: 1024 * MIB }[unit] ?? 0;
    return { memoryBytes: Number(amount) * factor, cpu: line.split('|')[1]?.trim() ?? '' };
  }

  it.each([
    ['', []],
    [' by a twelfth of a core', ['--cpus', '0.08']],
  ])('that computes for long%s is left alone', { timeout: 10 * STEPS }, async (_, options) => {
    const panel = { health: { stallThresholdMs: 1000, probeIntervalMs: 500 } };
    const { panel: opened, view, call, events } = await open({ panel, options });
    await opened.servers.start('box');
    await call('echo', { text: 'hello' });
    await call('spin', { ms: 15_000 });
    expect(events('stalled')).toEqual([]);
    expect(view().generation).toBe(1);
  });

  it.each(openers)(
    'is restarted when its engine pauses it, seen by %s, also under a name of its own',
    { timeout: 10 * STEPS },
    async (_, openFigures) => {
      const entry = {
        options: ['--name', `mcp-panel-test-${process.pid}`],
        flags: STUBBORN,
        panel: { health: { stallThresholdMs: 4000, probeIntervalMs: 1000 } },
      };
      const { panel, anothers, view, events, shows } = await open(entry, openFigures);
      await panel.servers.start('box');
      await shows(() => view().sample?.memoryBytes !== undefined);
      const at = performance.now();
      await ask('pause', view().host?.id ?? '');
      await shows(() => events('stalled').length === 1);
      process.stdout.write(`${name}: paused, found after ${Math.round(performance.now() - at)} ms\n`);
      expect(events('stalled')[0]?.detail).toMatchObject({
        ...{ row: 2, words: expect.stringContaining('paused by the engine') as unknown },
      });
      await shows(() => view().state.kind === 'running' && view().generation === 2);
      expect((await listed()).length).toBe(anothers.length + 1);
      await panel.servers.stop('box');
      expect(await listed()).toEqual(anothers);
    },
  );

  testMemory(open, listed, { timeout: 10 * STEPS }, ['--memory-swap', '96m']);
});
