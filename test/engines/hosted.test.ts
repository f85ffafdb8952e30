import { execFileSync } from 'node:child_process';
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
import { engineOf, makeImage } from './engine-image.ts';

const engines = (process.env['MCP_CONTROL_PANEL_ENGINES'] ?? '').split(' ').filter((name) => name !== '');
const MIB = 1024 * 1024;
const STEPS = 60_000;

/** Figures by the API alone, as where the engine runs in a virtual machine. */
const byApi = apiFigures(systemClock);

describe.each(engines)('a server in a container of %s', (name) => {
  const command = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  beforeAll(() => makeImage(command), 120_000);
  const { ask, holdAnothers, listed, openPanel } = containerBench(engineOf(command, STEPS));

  async function open(entry: ContainerEntry, openFigures: OpenFigures = figuresOpener(systemClock)) {
    const anothers = await holdAnothers();
    const { panel } = await openPanel({ box: entry }, { openFigures });
    const { view: box, events: eventsOf, ...watched } = watchServer(panel, 'box', STEPS);
    const events = (kind: string) =>
      eventsOf(kind).map(({ detail }) => detail as Readonly<Record<string, unknown>>);
    return { ...watched, anothers, panel, box, events };
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
      const { panel, box, shows, call } = await open({ options, flags: ['--spin-cpu'] }, openFigures);
      await panel.servers.start('box');
      await shows(() => box().sample?.cpuPercent !== undefined);
      expect(box().host).toEqual({
        kind: 'container',
        engine: name,
        id: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        memoryLimitBytes: 512 * MIB,
      });
      await call('echo', { text: 'hello' });
      let told = { memoryBytes: 0, cpu: '' };
      // Both are of some second, and the server uses more and less from one to the next.
      await until(async () => {
        told = await statsOf(box().host?.id ?? '');
        return Math.abs((box().sample?.memoryBytes ?? 0) / told.memoryBytes - 1) < 0.02;
      }, STEPS);
      const { memoryBytes = 0, cpuPercent = 0, openFiles, processCount } = box().sample!;
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
    const { panel: opened, box, call, events } = await open({ panel, options });
    await opened.servers.start('box');
    await call('echo', { text: 'hello' });
    await call('spin', { ms: 15_000 });
    expect(events('stalled')).toEqual([]);
    expect(box().generation).toBe(1);
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
      const { panel, anothers, box, events, shows } = await open(entry, openFigures);
      await panel.servers.start('box');
      await shows(() => box().sample?.memoryBytes !== undefined);
      const at = performance.now();
      await ask('pause', box().host?.id ?? '');
      await shows(() => events('stalled').length === 1);
      process.stdout.write(`${name}: paused, found after ${Math.round(performance.now() - at)} ms\n`);
      expect(events('stalled')[0]).toMatchObject({ row: 2 });
      expect(String(events('stalled')[0]?.['words'])).toContain('paused by the engine');
      await shows(() => box().state.kind === 'running' && box().generation === 2);
      expect((await listed()).length).toBe(anothers.length + 1);
      await panel.servers.stop('box');
      expect(await listed()).toEqual(anothers);
    },
  );

  it('says that it ran out of memory, and how much it had', { timeout: 10 * STEPS }, async () => {
    const flags = ['--timers-from-ready', '--leak-memory-mib-per-s=100'];
    const options = ['--memory', '96m', '--memory-swap', '96m'];
    const { anothers, events, panel, shows } = await open({ options, flags });
    await panel.servers.start('box').catch(() => undefined);
    await shows(() => [...events('crashed'), ...events('start-failed')].length > 0);
    const [end] = [...events('crashed'), ...events('start-failed')];
    expect(end?.['message']).toContain('ran out of memory: its container may use 96 MiB');
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('is ended by a limit of the panel on its own memory', { timeout: 10 * STEPS }, async () => {
    const limits = { maxMemoryMiB: 100, sustainedSamples: 2, onBreach: 'stop' };
    const { anothers, box, events, panel, shows } = await open({
      flags: ['--leak-memory-mib-per-s=20', ...STUBBORN],
      panel: { limits },
    });
    await panel.servers.start('box');
    await shows(() => box().state.kind === 'failed' || box().state.kind === 'stopped');
    expect(events('limit-breached')[0]?.['value']).toBeGreaterThan(100 * MIB);
    expect(await listed()).toEqual(anothers);
  });
});
