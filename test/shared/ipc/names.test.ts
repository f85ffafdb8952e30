import { describe, expect, it } from 'vitest';
import type { Call } from '../../../shared/ipc/call.ts';
import { callTexts, channelOf, pushNames } from '../../../shared/ipc/names.ts';
import { calls, pushes, topics } from '../../../shared/ipc/topics.ts';

const declared = Object.values(topics).flatMap((topic) => Object.entries<Call>(topic));

describe('the names of the calls', () => {
  it('are those of the topics', () => {
    expect(declared.length).toBeGreaterThan(20);
    expect(Object.keys(callTexts).sort()).toEqual(declared.map(([name]) => name).sort());
    expect(Object.keys(pushNames)).toEqual(Object.keys(pushes));
  });

  it('are declared once each: the page knows no topics', () => {
    expect(Object.keys(calls)).toHaveLength(declared.length);
  });

  it('have a channel each', () => {
    const names = [...Object.keys(callTexts), ...Object.keys(pushNames)] as (keyof typeof callTexts)[];
    expect(new Set(names.map(channelOf)).size).toBe(names.length);
  });
});
