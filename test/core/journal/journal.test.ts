import { beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../../electron/core/journal/journal.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder('journal-');
});

const open = (launchId: string) =>
  Journal.open({
    folder,
    clock: systemClock,
    wallClock: systemClock,
    launchId,
    onProblem: (problem) => expect.fail(problem),
  });

describe('Journal', () => {
  it('shows in the next launch what happened in this one, in order', async () => {
    const first = await open('aaaa');
    for (let count = 0; count < 600; count += 1)
      first.append('one', 'started', { stableAfterMs: 1, pid: count });
    await first.dispose();
    const second = await open('bbbb');
    second.append('one', 'stopped', {});
    expect(second.events).toHaveLength(500);
    expect(second.events.at(-2)?.detail).toEqual({ stableAfterMs: 1, pid: 599 });
    const ids = second.events.map((event) => event.id);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(500);
    await second.dispose();
  });
});
