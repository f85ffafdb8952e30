import { beforeAll, describe, expect, it } from 'vitest';
import { containerBench, STUBBORN, testContainers, watchServer } from '../support/container-scenarios.ts';
import { clientOf, engineOf, engines, makeImage } from './engine-image.ts';

const LIMIT_MS = 60_000;

describe.each(engines)('a container of %s', (name) => {
  const command = clientOf(name);
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
      names.map((box) => watchServer(panel, box, LIMIT_MS).call('echo', { text: `hello ${box}` })),
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
