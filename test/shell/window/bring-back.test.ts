import { describe, expect, it } from 'vitest';
import { bringBack } from '../../../electron/shell/window/bring-back.ts';

/** What a window is told to do when it is asked for. */
function stepsOf({ tellsMinimised, wasMinimised }: { tellsMinimised: boolean; wasMinimised: boolean }) {
  const steps: string[] = [];
  const note = (step: string) => () => void steps.push(step);
  const window = {
    isMinimized: () => tellsMinimised,
    restore: note('restore'),
    hide: note('hide'),
    show: note('show'),
    focus: note('focus'),
  };
  bringBack(window, wasMinimised);
  return steps;
}

describe('a window that is asked for', () => {
  it('is restored where the system tells that it is minimised', () => {
    for (const wasMinimised of [true, false]) {
      expect(stepsOf({ tellsMinimised: true, wasMinimised })).toEqual(['restore', 'show', 'focus']);
    }
  });

  it('comes anew where the panel minimised it and the system, as Wayland, tells of nothing', () => {
    expect(stepsOf({ tellsMinimised: false, wasMinimised: true })).toEqual(['hide', 'show', 'focus']);
  });

  it('is not taken off the screen otherwise', () => {
    expect(stepsOf({ tellsMinimised: false, wasMinimised: false })).toEqual(['show', 'focus']);
  });
});
