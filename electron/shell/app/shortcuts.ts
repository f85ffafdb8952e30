export type ShortcutAction = 'quit' | 'close-window' | 'reload' | 'toggle-devtools';

export interface KeyPress {
  readonly type: string;
  readonly key: string;
  readonly control: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/**
 * What a key press means where there is no menu bar (everywhere but macOS, whose menu carries these).
 * Copy, paste and undo need nothing: text fields know them.
 */
export function shortcutAction(press: KeyPress, isDevelopment: boolean): ShortcutAction | undefined {
  if (press.type !== 'keyDown' || press.meta || press.alt) return undefined;
  if (press.key === 'F12') return isDevelopment ? 'toggle-devtools' : undefined;
  if (!press.control) return undefined;
  const key = press.key.toLowerCase();
  if (press.shift) return key === 'i' && isDevelopment ? 'toggle-devtools' : undefined;
  if (key === 'q') return 'quit';
  if (key === 'w') return 'close-window';
  return key === 'r' && isDevelopment ? 'reload' : undefined;
}
