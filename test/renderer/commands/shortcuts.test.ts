import { describe, expect, it } from 'vitest';
import {
  commandsById,
  serverCommandsById,
  shortcutGroups,
} from '../../../renderer/commands/command-table.ts';
import { pressedCommand, shortcutsIn, shownKeys } from '../../../renderer/commands/shortcuts.ts';
import { keysText, type KeyPress } from '../../../shared/keys.ts';

describe('the command of a key press', () => {
  const press = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    altKey: false,
    ...modifiers,
  });

  it.each([
    [press('f', { ctrlKey: true }), 'search'],
    [press('f', { metaKey: true }), 'search'],
    [press('F', { ctrlKey: true, shiftKey: true }), 'filter'],
    [press('G', { metaKey: true, shiftKey: true }), 'group'],
    [press('N', { ctrlKey: true, shiftKey: true }), undefined],
    [press('/'), 'search'],
    [press('?', { shiftKey: true }), 'shortcuts'],
    [press('/', { ctrlKey: true }), 'shortcuts'],
    [press('/', { metaKey: true, shiftKey: true }), 'shortcuts'],
    [press('1', { ctrlKey: true }), 'servers'],
    [press('2', { metaKey: true }), 'usage'],
    [press('3', { metaKey: true }), 'activity'],
    [press('4', { ctrlKey: true }), 'clients'],
    [press('5', { ctrlKey: true }), 'all-logs'],
    [press('u', { ctrlKey: true }), undefined],
    [press('l', { ctrlKey: true }), 'logs'],
    [press('Enter', { ctrlKey: true }), 'start'],
    [press('Enter', { ctrlKey: true, shiftKey: true }), 'restart'],
    [press('.', { metaKey: true }), 'stop'],
    [press('L', { ctrlKey: true, shiftKey: true }), 'scheme'],
    [press('d', { ctrlKey: true }), 'duplicate'],
    [press('D', { ctrlKey: true, shiftKey: true }), 'toggle'],
    [press('Backspace', { metaKey: true }), 'remove'],
    [press('Escape'), 'back'],
    [press('f'), undefined],
    [press('Enter'), undefined],
    [press('f', { ctrlKey: true, altKey: true }), undefined],
    [press('¡', { code: 'Digit1', altKey: true }), 'overview'],
    [press('2', { code: 'Digit2', altKey: true }), 'calls'],
    [press('3', { code: 'Digit3', altKey: true }), 'tools'],
    [press('4', { code: 'Digit4', altKey: true }), 'sessions'],
    [press('5', { code: 'Digit5', altKey: true }), 'logs'],
    [press('6', { code: 'Digit6', altKey: true }), 'restarts'],
    [press('7', { code: 'Digit7', altKey: true }), 'configuration'],
    [press('8', { code: 'Digit8', altKey: true }), undefined],
    [press('2', { code: 'Digit2', altKey: true, ctrlKey: true }), undefined],
  ])('%j', (keyPress, command) => expect(pressedCommand(keyPress, false)).toBe(command));

  it('leaves alone what edits a text where letters are text', () => {
    expect(pressedCommand(press('/'), true)).toBeUndefined();
    expect(pressedCommand(press('?'), true)).toBeUndefined();
    expect(pressedCommand(press('/', { ctrlKey: true }), true)).toBe('shortcuts');
    expect(pressedCommand(press('Escape'), true)).toBe('back');
    expect(pressedCommand(press('Backspace', { ctrlKey: true }), true)).toBeUndefined();
    expect(pressedCommand(press('¡', { code: 'Digit1', altKey: true }), true)).toBeUndefined();
  });
});

describe('the sheet of shortcuts', () => {
  const all = shortcutGroups.flatMap((group) => shortcutsIn(group));
  const keys = all.map((shortcut) => shortcut.keys);

  it('holds every command that has keys, once', () => {
    for (const [id, command] of [...commandsById, ...serverCommandsById])
      expect(
        keys.filter((one) => one === shownKeys(command)),
        id,
      ).toHaveLength(command.keys === undefined ? 0 : 1);
  });

  it('holds those of the window, which the page never sees', () => {
    expect(shortcutsIn('Window').map(({ words }) => words)).toEqual([
      'Light, dark, or same as the system',
      'Enlarge',
      'Shrink',
      'Actual size',
      'Close the window',
      'Quit',
    ]);
  });

  it('gives no key two meanings', () => {
    expect(new Set(keys).size).toBe(all.length);
  });

  it.each([
    ['Mod+Shift+F', 'Ctrl+Shift+F', '⇧⌘F'],
    ['Mod+Backspace', 'Ctrl+Backspace', '⌘⌫'],
    ['Mod+Shift+Enter', 'Ctrl+Shift+Enter', '⇧⌘↩'],
    ['Mod++', 'Ctrl++', '⌘+'],
    ['Alt+Digit1', 'Alt+1', '⌥1'],
    ['Escape', 'Esc', 'Esc'],
  ])('shows %s as %s, and on macOS as %s', (written, elsewhere, onMac) => {
    expect(keysText(written, false)).toBe(elsewhere);
    expect(keysText(written, true)).toBe(onMac);
  });
});
