import { describe, expect, it } from 'vitest';
import { shortcutAction } from '../../../electron/shell/app/shortcuts.ts';

const press = (
  key: string,
  held: { shift?: boolean; alt?: boolean; meta?: boolean; control?: boolean } = {},
) => ({
  type: 'keyDown',
  key,
  control: true,
  meta: false,
  alt: false,
  shift: false,
  ...held,
});

describe('shortcutAction', () => {
  it('knows the keys of a window without a menu bar', () => {
    expect(shortcutAction(press('q'), false)).toBe('quit');
    expect(shortcutAction(press('W'), false)).toBe('close-window');
  });

  it('reloads and inspects in development only', () => {
    for (const keys of [press('r'), press('I', { shift: true }), press('F12', { control: false })]) {
      expect(shortcutAction(keys, false)).toBeUndefined();
      expect(shortcutAction(keys, true)).toBeDefined();
    }
  });

  it('leaves every other key to the page', () => {
    expect(shortcutAction(press('c'), true)).toBeUndefined();
    expect(shortcutAction(press('q', { control: false }), true)).toBeUndefined();
    expect(shortcutAction(press('q', { alt: true }), true)).toBeUndefined();
    expect(shortcutAction(press('q', { shift: true }), true)).toBeUndefined();
    expect(shortcutAction({ ...press('q'), type: 'keyUp' }, true)).toBeUndefined();
  });
});
