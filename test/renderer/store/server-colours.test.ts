import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  colourNames,
  colourOf,
  coloursOf,
  withBorrowed,
  withColour,
} from '../../../renderer/format/server-colours.ts';
import { keepServerColours, readServerColours } from '../../../renderer/store/server-colours.ts';
import { createViewStore } from '../../../renderer/store/view-store.ts';
import { aStorage, noStorage } from '../a-storage.ts';
import { aReply, aServer, aSnapshot } from '../builders.ts';
import { applyPush, applySnapshot } from '../../../renderer/store/panel-store.ts';
import { servicesWith } from '../in-window.ts';

const listOf = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop', '__proto__', 'constructor'));
const servers = (names: string) => [...names].map((name) => aServer(name));

describe('the colours of servers', () => {
  it('stay with a server until it is removed, and are never those of another', () => {
    fc.assert(
      fc.property(fc.array(listOf, { minLength: 1 }), (lists) => {
        let before = coloursOf(new Map(), []);
        for (const names of lists) {
          const after = coloursOf(before, names);
          expect(new Set(after.keys())).toEqual(new Set(names));
          for (const name of names) if (before.has(name)) expect(after.get(name)).toBe(before.get(name));
          const slots = [...after.values()].filter((slot) => slot !== null);
          expect(new Set(slots).size).toBe(slots.length);
          const isFull = slots.length === colourNames.length;
          for (const name of names)
            if (!before.has(name)) expect(isFull || after.get(name) !== null).toBe(true);
          before = after;
        }
      }),
    );
  });

  it('leave the ninth server grey, also when a colour becomes free, until a person gives it one', () => {
    const nine = coloursOf(new Map(), [...'abcdefghi']);
    expect(colourOf('i', nine)).toBe('var(--no-colour)');
    const eight = coloursOf(nine, [...'bcdefghi']);
    expect(colourOf('i', eight)).toBe('var(--no-colour)');
    expect(colourOf('i', withColour(eight, 'i', 0))).toBe('var(--series-0)');
  });

  it('are taken from the server that has them, and given back as grey', () => {
    const colours = coloursOf(new Map(), ['a', 'b']);
    expect(withColour(colours, 'b', 0)).toEqual(
      new Map([
        ['a', null],
        ['b', 0],
      ]),
    );
    expect(withColour(colours, 'a', null)).toEqual(
      new Map([
        ['a', null],
        ['b', 1],
      ]),
    );
    expect(withColour(colours, 'a', 0)).toEqual(colours);
  });

  it('are lent to grey servers of a comparison, where none of the others has them', () => {
    const nine = coloursOf(new Map(), [...'abcdefghij']);
    expect(withBorrowed(nine, ['i', 'a', 'j', 'c'])).toEqual(
      new Map([
        ['i', 1],
        ['a', 0],
        ['j', 3],
        ['c', 2],
      ]),
    );
  });
});

describe('the kept colours', () => {
  it('come back at the next start, whatever the servers are called', () => {
    const storage = aStorage();
    const { view, panel } = servicesWith();
    keepServerColours(view, storage);
    const named = [aServer('__proto__'), ...servers('abcdefg')];
    panel.setState(applySnapshot(panel.getState(), aSnapshot(1, { servers: named })));
    expect(view.getState().colours.size).toBe(8);
    expect(readServerColours(storage)).toEqual({ colours: view.getState().colours });
  });

  it.each(['{', '7', 'null', '[7, null, [], [1, 2], ["a"], ["b", 8], ["c", -1], ["d", "0"]]'])(
    'make nothing of what is no colour: %s',
    (text) => {
      const storage = { ...aStorage(), getItem: () => text };
      for (const slot of readServerColours(storage).colours.values()) expect(slot).toBeNull();
    },
  );

  it('leave a colour that two servers have to the first', () => {
    const storage = { ...aStorage(), getItem: () => '[["a", 2], ["b", 2]]' };
    expect(readServerColours(storage).colours).toEqual(
      new Map([
        ['a', 2],
        ['b', null],
      ]),
    );
  });

  it('follow the servers, and outlive a servers.json that cannot be read', () => {
    const { view, panel } = servicesWith();
    view.setState({
      colours: new Map([
        ['b', 0],
        ['gone', 1],
      ]),
    });
    const take = (snapshot: Parameters<typeof aSnapshot>[1]) =>
      panel.setState(applySnapshot(panel.getState(), aSnapshot(1, snapshot)));
    take({ servers: [], config: { path: '', error: { message: 'broken' } } });
    expect(view.getState().colours.size).toBe(2);
    take({ servers: servers('ab') });
    expect(view.getState().colours).toEqual(
      new Map([
        ['b', 0],
        ['a', 1],
      ]),
    );
    panel.setState(applyPush(panel.getState(), { sequence: 2, removed: ['b'] }));
    expect(view.getState().colours).toEqual(new Map([['a', 1]]));
  });

  it('are lost without a storage, and nothing else is', () => {
    const view = createViewStore();
    keepServerColours(view, noStorage);
    view.setState({ colours: new Map([['a', 1]]) });
    expect(view.getState().colours.size).toBe(1);
    expect(readServerColours(noStorage)).toEqual({ colours: new Map() });
  });
});

it('the first colours of many servers go to those that used most memory', async () => {
  const names = [...'abcdefghij'];
  const totals = names.map((server, index) => ({ server, metric: 'memoryBytes' as const, average: index }));
  const getSeries = () => Promise.resolve({ ...aReply(), totals });
  const { panel, view } = servicesWith({ getSeries } as never, {});
  panel.setState(applySnapshot(panel.getState(), aSnapshot(1, { servers: servers('abcdefghij') })));
  await expect.poll(() => view.getState().colours.size).toBe(10);
  expect(
    [...view.getState().colours]
      .filter(([, slot]) => slot === null)
      .map(([name]) => name)
      .sort(),
  ).toEqual(['a', 'b']);
});
