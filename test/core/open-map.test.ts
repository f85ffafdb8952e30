import { describe, expect, it } from 'vitest';
import { OpenMap, OpenSet } from '../../electron/core/open-map.ts';

describe('OpenMap and OpenSet', () => {
  it('keep what is there, oldest first, through any number of additions', () => {
    const map = new OpenMap<number, string>();
    map.set(-1, 'first');
    for (let key = 0; key < 1000; key += 1) {
      map.set(key, `${key}`);
      if (key < 998) expect(map.delete(key)).toBe(true);
    }
    expect([...map.entries()]).toEqual([
      [-1, 'first'],
      [998, '998'],
      [999, '999'],
    ]);
    expect([map.size, map.has(0), map.get(999), map.delete(0)]).toEqual([3, false, '999', false]);
    map.clear();
    expect(map.size).toBe(0);
  });

  it('hold a value once', () => {
    const set = new OpenSet<string>();
    set.add('one');
    set.add('one');
    expect([...set.values()]).toEqual(['one']);
  });
});
