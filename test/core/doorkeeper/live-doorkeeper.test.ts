import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { onlyOn } from '../../support/skip-on.ts';
import { KeptHome } from './kept-home.ts';

let kept: KeptHome;
afterEach(() => kept.dispose());

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;
const SOON = { deadlineMs: 20_000 };

describe('while the panel is away', onlyOn('linux', 'its processes are found in /proc'), () => {
  it('has the port after its death, answers lists, and leaves no server', { timeout: 60_000 }, async () => {
    kept = await KeptHome.create();
    await kept.startPanel();
    await kept.greet();
    const before = await kept.ask('tools/list');
    await kept.end('SIGKILL');
    await kept.held(5000);

    expect((await kept.ask('tools/list')).body.result).toEqual(before.body.result);
    const greeted = await kept.greet();
    expect(greeted.body.result).toMatchObject({ capabilities: { tools: {} } });
    expect((await kept.ask('ping')).body.result).toEqual({});
    await waitUntil(() => kept.livingServers().length === 0, { ...SOON, describe: 'no server is left' });
    expect(kept.panels()).toEqual([]);

    // The session that the doorkeeper began goes on at the panel, which has the port from it.
    const held = kept.echo('held');
    await kept.startPanel();
    expect(textOf((await held).body.result)).toBe('held');
    expect(textOf((await kept.echo('after')).body.result)).toBe('after');
    expect(kept.calls()).toEqual(['held', 'after']);
  });

  it('starts the panel with the first call, where a user allowed that', { timeout: 60_000 }, async () => {
    kept = await KeptHome.create({ startWithClients: true });
    await kept.startPanel();
    await kept.greet();
    await kept.end('SIGKILL');
    await kept.held(5000);
    expect(textOf((await kept.echo('held')).body.result)).toBe('held');
    expect(kept.calls()).toEqual(['held']);
    expect(kept.panels()).toHaveLength(1);
  });

  it(
    'holds a greeting and lists that it does not know, and never answers an empty list',
    { timeout: 60_000 },
    async () => {
      kept = await KeptHome.create({ startWithClients: true });
      await kept.startPanel();
      await kept.greet();
      const before = await kept.ask('tools/list');
      await kept.end('SIGKILL');
      await kept.held(5000);
      rmSync(join(kept.home, 'catalogue'), { recursive: true });
      const greeted = await kept.greet();
      expect(greeted.body.result).toMatchObject({ capabilities: { tools: {} } });
      expect((await kept.ask('tools/list')).body.result).toEqual(before.body.result);
    },
  );

  it(
    'is replaced when it dies, and ends with a panel that is ended by a signal',
    { timeout: 60_000 },
    async () => {
      kept = await KeptHome.create();
      await kept.startPanel();
      await kept.greet();
      const [first] = kept.keepers();
      process.kill(first!, 'SIGKILL');
      await waitUntil(() => kept.keepers().some((pid) => pid !== first), {
        ...SOON,
        describe: 'another one',
      });
      expect(textOf((await kept.echo('on')).body.result)).toBe('on');
      await kept.end('SIGTERM');
      await waitUntil(() => kept.keepers().length === 0, { ...SOON, describe: 'nothing is left' });
      await expect(kept.ask('ping')).rejects.toThrow('fetch failed');
    },
  );
});
