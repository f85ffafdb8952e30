import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { containerBench, STUBBORN, testContainers } from '../support/container-scenarios.ts';
import { engineOf, makeImage } from './engine-image.ts';

/** Clients whose engines answer, by name, as scripts/test-engines.mjs has found. */
const engines = (process.env['MCP_CONTROL_PANEL_ENGINES'] ?? '').split(' ').filter((name) => name !== '');
const LIMIT_MS = 60_000;

describe.each(engines)('a container of %s', (name) => {
  // The panel looks on the PATH of a login shell, which may lead to another client.
  const command = execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  beforeAll(() => makeImage(command), 120_000);
  const engine = engineOf(command, LIMIT_MS);
  testContainers(engine);

  it('answers as one of twenty at once, of which Quit leaves none', { timeout: 12 * LIMIT_MS }, async () => {
    const { holdAnothers, listed, openPanel } = containerBench(engine);
    const names = Array.from({ length: 20 }, (_, index) => `box-${index}`);
    const anothers = await holdAnothers();
    const at = performance.now();
    const opened = await openPanel(
      Object.fromEntries(names.map((box, index) => [box, { flags: index % 2 === 0 ? STUBBORN : [] }])),
    );
    const { panel } = opened;
    await Promise.all(names.map((box) => panel.servers.start(box)));
    const answers = await Promise.all(
      names.map((box) => {
        const params = { name: 'echo', arguments: { text: `hello ${box}` } };
        return panel.sessions.call({ callId: box, name: box, method: 'tools/call', params });
      }),
    );
    for (const [index, box] of names.entries())
      expect(JSON.stringify(answers[index])).toContain(`hello ${box}"`);
    const upMs = performance.now() - at;
    expect((await listed()).length).toBe(anothers.length + names.length);
    const quitAt = performance.now();
    await opened.dispose();
    const quitMs = performance.now() - quitAt;
    process.stdout.write(
      `${name}: twenty answered after ${Math.round(upMs)} ms, quit in ${Math.round(quitMs)} ms\n`,
    );
    expect(await listed()).toEqual(anothers);
  });
});
