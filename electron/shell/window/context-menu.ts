import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';

export type MenuPoint = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;

/** Returns the context menu: editing in a field, Copy for selected text, else nothing. */
export function contextMenuItems({
  isEditable,
  selectionText,
  editFlags,
}: MenuPoint): readonly MenuItemConstructorOptions[] {
  if (isEditable)
    return [
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ];
  return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: true }];
}
