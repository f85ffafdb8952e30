import { describe, expect, it } from 'vitest';
import { FirstLook } from '../../../electron/shell/window/first-look.ts';
import { createFakeClock } from '../../core/fake-clock.ts';

function look(isExpected: boolean) {
  const clock = createFakeClock();
  const firstLook = new FirstLook(clock, isExpected);
  let isOver = false;
  void firstLook.over.then(() => (isOver = true));
  return { clock, firstLook, isOver: () => isOver };
}

describe('the first look', () => {
  it('is over a moment after the page has the snapshot, for it is still to be drawn', async () => {
    const { clock, firstLook, isOver } = look(true);
    await clock.advance(1000);
    firstLook.snapshotGiven();
    await clock.advance(200);
    expect(isOver()).toBe(false);
    await clock.advance(100);
    expect(isOver()).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('is not made longer by further snapshots', async () => {
    const { clock, firstLook, isOver } = look(true);
    firstLook.snapshotGiven();
    await clock.advance(200);
    firstLook.snapshotGiven();
    await clock.advance(100);
    expect(isOver()).toBe(true);
  });

  it('is over after three seconds when no page ever asks', async () => {
    const { clock, isOver } = look(true);
    await clock.advance(2900);
    expect(isOver()).toBe(false);
    await clock.advance(100);
    expect(isOver()).toBe(true);
  });

  it('is over at once where no window is opened', async () => {
    const { clock, isOver } = look(false);
    await clock.advance(0);
    expect(isOver()).toBe(true);
  });

  it('leaves no timer behind, and starts none once disposed of', () => {
    const { clock, firstLook } = look(true);
    firstLook.dispose();
    firstLook.snapshotGiven();
    expect(clock.pending).toBe(0);
  });
});
