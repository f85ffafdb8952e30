import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import { containerBench, until, watchServer } from '../support/container-scenarios.ts';
import { engineOf, makeImage } from './engine-image.ts';

/** File with the pid of a docker engine that may be killed, and the command line of a shell that brings it back. */
const pidFile = process.env['MCP_CONTROL_PANEL_DOCKERD'] ?? '';
const bringBack = process.env['MCP_CONTROL_PANEL_DOCKERD_START'] ?? '';
const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
const STEPS = 60_000;
const AWAY_MS = 9000;

describe.skipIf(pidFile === '' || bringBack === '')('a docker engine that is killed and comes back', () => {
  beforeAll(() => makeImage('docker'), 2 * STEPS);

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s has its servers again, here and elsewhere, and no container more',
    { timeout: 10 * STEPS },
    async (signal) => {
      const { listed, openPanel } = containerBench(engineOf('docker', STEPS));
      const before = await listed();
      const ours = async () => (await listed()).filter((id) => !before.includes(id));
      const restart = {};
      const { panel } = await openPanel({
        near: { panel: { restart } },
        far: { panel: { restart, runOn: { engine: 'docker', host } } },
      });
      const names = ['near', 'far'];
      const states = () => panel.getSnapshot().servers.map(({ state }) => state.kind);
      const callAll = async (text: string) => {
        for (const name of names)
          expect(JSON.stringify(await watchServer(panel, name, STEPS).call('echo', { text }))).toContain(
            text,
          );
      };
      const { events: happened, shows, view: near } = watchServer(panel, 'near', STEPS);
      await Promise.all(names.map((name) => panel.servers.start(name)));
      await callAll('before');

      process.kill(Number(readFileSync(pidFile, 'utf8')), signal);
      const waits = () => near().state.reason?.includes('waiting for the engine') === true;
      await shows(() => waits() && happened('engine-lost').length === 2);
      // Longer than all attempts of a server whose engine is not known to be away.
      await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      expect(waits()).toBe(true);
      expect(happened('crashed').filter(({ server }) => server === 'near')).toEqual([]);
      await runCommand('/bin/sh', ['-c', bringBack], { env: process.env, timeoutMs: STEPS });
      const at = performance.now();
      await shows(
        () => happened('engine-reached').length === 2 && states().every((kind) => kind === 'running'),
      );
      // That a container ended with its engine is found only when the engine is asked for it.
      const areAnswered = () =>
        callAll('after').then(
          () => true,
          () => false,
        );
      await until(areAnswered, STEPS);
      process.stdout.write(
        `docker: servers answer ${Math.round(performance.now() - at)} ms after the engine is back\n`,
      );
      expect((await ours()).length).toBe(names.length);
      await Promise.all(names.map((name) => panel.servers.stop(name)));
      expect(await ours()).toEqual([]);
    },
  );
});
