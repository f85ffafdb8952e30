import { describe, expect, it } from 'vitest';
import {
  everyServer,
  serverFilters,
  serverGroupings,
  type ListChoice,
} from '../../../renderer/format/list-choice.ts';
import { keepListChoice, readListChoice } from '../../../renderer/store/kept-view.ts';
import { aStorage, noStorage } from '../a-storage.ts';
import { createViewStore } from '../../../renderer/store/view-store.ts';

describe('the choice of what is listed', () => {
  it('comes back at the next launch', () => {
    const storage = aStorage();
    const view = createViewStore();
    keepListChoice(view, storage);
    for (const filter of serverFilters)
      for (const grouping of serverGroupings)
        for (const showsCalls of [true, false]) {
          view.setState({ filter, grouping, showsCalls });
          expect(readListChoice(storage)).toEqual({ ...everyServer, filter, grouping, showsCalls });
        }
  });

  it('keeps the sorting, the height of the rows and every column', () => {
    const storage = aStorage();
    const view = createViewStore();
    keepListChoice(view, storage);
    const choice: ListChoice = {
      ...everyServer,
      sortBy: 'memory',
      isDescending: true,
      density: 'compact',
      showsProcesses: false,
      showsRestarts: false,
      showsUptime: false,
    };
    view.setState(choice);
    expect(readListChoice(storage)).toEqual(choice);
    const wrong = JSON.stringify({ sortBy: 'colour', isDescending: 1, density: 'tiny', showsUptime: 'no' });
    expect(readListChoice({ getItem: () => wrong })).toEqual(everyServer);
  });

  it('is written when it changes, and only then', () => {
    const storage = aStorage();
    const view = createViewStore();
    const stop = keepListChoice(view, storage);
    view.setState({ search: 'x' });
    expect(storage.texts.size).toBe(0);
    stop();
    view.setState({ filter: 'stopped' });
    expect(storage.texts.size).toBe(0);
  });

  it('keeps a column on its own, and has none where an earlier launch kept no word of it', () => {
    const storage = aStorage();
    const view = createViewStore();
    keepListChoice(view, storage);
    view.setState({ showsCalls: true });
    expect(readListChoice(storage)).toEqual({ ...everyServer, showsCalls: true });
    const older = JSON.stringify({ filter: 'running', grouping: 'state' });
    expect(readListChoice({ getItem: () => older })).toEqual({
      ...everyServer,
      filter: 'running',
      grouping: 'state',
    });
  });

  it.each(['', 'null', '7', '{"filter":"gone","grouping":3}', 'no JSON'])(
    'is every server when %j is kept',
    (text) => {
      expect(readListChoice({ getItem: () => text })).toEqual(everyServer);
    },
  );

  it('does without a storage that refuses', () => {
    const view = createViewStore();
    keepListChoice(view, noStorage);
    view.setState({ filter: 'running' });
    expect(view.getState().filter).toBe('running');
    expect(readListChoice(noStorage)).toEqual(everyServer);
  });
});
