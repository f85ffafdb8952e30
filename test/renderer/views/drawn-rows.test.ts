import { describe, expect, it } from 'vitest';
import { drawnRows } from '../../../renderer/views/near-rows.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

describe('the rows of a list that are drawn', () => {
  it('are all of them up to thirty', () => {
    expect([...drawnRows(names(30), new Set())]).toEqual(names(30));
  });

  it('are those at its head and those near what is in view where it is longer', () => {
    expect([...drawnRows(names(31), new Set())]).toEqual(names(12));
    const near = new Set(['s3', 's20', 's21', 'gone']);
    expect([...drawnRows(names(31), near)]).toEqual([...names(12), 's20', 's21']);
  });
});
