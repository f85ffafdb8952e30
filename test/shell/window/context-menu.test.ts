import { describe, expect, it } from 'vitest';
import {
  contextMenuItems,
  rowMenuItems,
  type MenuPoint,
} from '../../../electron/shell/window/context-menu.ts';

const place = (changes: Partial<MenuPoint> = {}): MenuPoint => ({
  isEditable: false,
  selectionText: '',
  editFlags: {
    canUndo: false,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: false,
    canDelete: false,
    canSelectAll: true,
    canEditRichly: false,
  },
  ...changes,
});
const rolesIn = (changes: Partial<MenuPoint>) =>
  contextMenuItems(place(changes)).map(({ role, enabled }) => (enabled === false ? `(${role})` : role));

describe('the context menu', () => {
  it('edits the text of a field, as far as there is something to cut, copy and paste', () => {
    expect(rolesIn({ isEditable: true })).toEqual(['cut', 'copy', '(paste)', undefined, 'selectAll']);
  });

  it('copies text that is selected, such as lines of a log', () => {
    expect(rolesIn({ selectionText: 'Error: no token' })).toEqual(['copy']);
  });

  it('is not there where nothing could be done', () => {
    expect(rolesIn({ selectionText: ' ' })).toEqual([]);
  });
});

describe('the menu of a row', () => {
  it('copies the row as text, and what is selected', () => {
    const copied: string[] = [];
    const items = rowMenuItems({ text: 'github\tRunning', hasSelection: true }, (text) => copied.push(text));
    expect(items.map(({ role, label }) => role ?? label)).toEqual(['copy', 'Copy row']);
    (items[1]?.click as (() => void) | undefined)?.();
    expect(copied).toEqual(['github\tRunning']);
    const value = rowMenuItems({ text: 'npx -y x', hasSelection: false }, () => undefined);
    expect(value.map(({ label }) => label)).toEqual(['Copy text']);
  });
});
