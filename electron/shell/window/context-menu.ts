import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';

export type MenuPoint = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'editFlags'>;

/** Returns the context menu: editing commands in a field, Copy for selected text, otherwise nothing. */
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

interface RowToCopy {
  readonly text: string;
  readonly hasSelection: boolean;
}

/** Returns the menu of a row or a value: Copy for selected text, and a command that copies the whole row. */
export const rowMenuItems = (
  { text, hasSelection }: RowToCopy,
  copy: (text: string) => void,
): readonly MenuItemConstructorOptions[] => [
  ...(hasSelection ? [{ role: 'copy' } as const] : []),
  { label: text.includes('\t') ? 'Copy row' : 'Copy text', click: () => copy(text) },
];
