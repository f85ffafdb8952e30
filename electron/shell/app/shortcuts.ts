export type ShortcutAction =
  'quit' | 'close-window' | 'reload' | 'toggle-devtools' | 'zoom-in' | 'zoom-out' | 'zoom-reset';

export interface KeyPress {
  readonly type: string;
  readonly key: string;
  /** Key by its place on the keyboard. */
  readonly code: string;
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
  const zoom = zoomAction(press);
  if (zoom !== undefined) return zoom;
  const key = press.key.toLowerCase();
  if (press.shift) return key === 'i' && isDevelopment ? 'toggle-devtools' : undefined;
  if (key === 'q') return 'quit';
  if (key === 'w') return 'close-window';
  return key === 'r' && isDevelopment ? 'reload' : undefined;
}

/**
 * Zoom by the sign that the key writes, on the pad of digits too. "=" is the key of "+" where that needs Shift, and
 * the place of 0 counts where the digits need it.
 */
function zoomAction({ key, code, shift }: KeyPress): ShortcutAction | undefined {
  if (key === '0' || (code === 'Digit0' && !shift)) return 'zoom-reset';
  if (key === '+' || key === '=') return 'zoom-in';
  return key === '-' || key === '_' ? 'zoom-out' : undefined;
}
