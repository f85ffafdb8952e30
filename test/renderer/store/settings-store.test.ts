import { describe, expect, it } from 'vitest';
import { openQuestions } from '../open-answer.ts';
import { createSettingsStore } from '../../../renderer/store/settings-store.ts';
import { defaultSettings } from '../../../shared/settings.ts';

function setUp() {
  const { asked: writes, ask } = openQuestions<unknown, void>();
  const store = createSettingsStore({
    getSettings: async () => ({ settings: defaultSettings }),
    putSettings: (patch: unknown) => ask(patch) as never,
  });
  return { store, writes, change: (path: string) => store.changes.getState().byKey.get(path) };
}

describe('a change of a setting', () => {
  it('shows its value at once, then that it is saved, each saving anew', async () => {
    const { store, writes, change } = setUp();
    const first = store.set('notifications.stall', false);
    expect(change('notifications.stall')).toMatchObject({ phase: 'pending', about: false });
    writes[0]!.resolve();
    await first;
    const second = store.set('notifications.stall', undefined);
    writes[1]!.resolve();
    await second;
    expect(change('notifications.stall')).toMatchObject({ phase: 'done', value: 2 });
    expect(writes.map(({ question }) => question)).toEqual([
      { notifications: { stall: false } },
      { notifications: { stall: null } },
    ]);
  });

  it('is not called failed because an earlier one of the same setting is refused late', async () => {
    const { store, writes, change } = setUp();
    const first = store.set('theme', 'light');
    const second = store.set('theme', 'dark');
    writes[1]!.resolve();
    await second;
    writes[0]!.reject({ code: 'CONFIG_BROKEN', message: 'late' });
    await first;
    expect(change('theme')).toMatchObject({ phase: 'done', about: 'dark' });
  });
});
