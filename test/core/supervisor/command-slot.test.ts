import { describe, expect, it } from 'vitest';
import { CommandSlot, type Command } from '../../../electron/core/supervisor/command-slot.ts';

const settled = (promise: Promise<void>) =>
  promise.then(
    () => 'resolved',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

describe('CommandSlot', () => {
  it.each<[Command, Command, boolean]>([
    ['start', 'start', true],
    ['stop', 'stop', true],
    ['restart', 'restart', true],
    ['restart', 'start', true],
    ['start', 'restart', false],
    ['start', 'stop', false],
    ['restart', 'stop', false],
    ['stop', 'start', false],
    ['stop', 'restart', false],
  ])('during a %s, a %s joins it: %s', async (first, second, joins) => {
    const slot = new CommandSlot('a');
    const before = slot.submit(first);
    const after = slot.submit(second);
    expect(before.isNew).toBe(true);
    expect(after.isNew).toBe(!joins);
    expect(slot.pending).toBe(joins ? first : second);
    if (joins) expect(after.promise).toBe(before.promise);
    slot.reached(slot.pending === 'stop' ? 'stopped' : 'running');
    expect(await settled(before.promise)).toBe(joins ? 'resolved' : 'SUPERSEDED');
    expect(await settled(after.promise)).toBe('resolved');
  });

  it('names both commands and the server when one gives way', async () => {
    const slot = new CommandSlot('files');
    const { promise } = slot.submit('start');
    slot.submit('stop');
    await expect(promise).rejects.toThrow('"start" of files gave way to a later "stop"');
  });
});
