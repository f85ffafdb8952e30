import { describe, expect, it } from 'vitest';
import { shortcutLabels } from '../../../renderer/keyboard.ts';
import { shortcutGroups } from '../../../renderer/shortcuts/shortcut-groups.ts';

describe('shortcutGroups', () => {
  const all = shortcutGroups().flatMap(({ shortcuts }) => shortcuts);

  it('holds every shortcut there is, once', () => {
    const keys = all.map((shortcut) => shortcut.keys);
    for (const label of Object.values(shortcutLabels))
      expect(
        keys.filter((one) => one === label),
        label,
      ).toHaveLength(1);
  });

  it('holds those of the window, which the page never sees', () => {
    const window = shortcutGroups().find(({ title }) => title === 'Window');
    expect(window?.shortcuts.map(({ words }) => words)).toEqual(
      expect.arrayContaining(['Enlarge', 'Shrink', 'Actual size', 'Close the window', 'Quit']),
    );
  });

  it('gives no key two meanings', () => {
    expect(new Set(all.map(({ keys }) => keys)).size).toBe(all.length);
  });
});
