/** Key press as the page receives it. */
export interface KeyPress {
  readonly key: string;
  /** Position of the key on the keyboard, as in `KeyboardEvent.code`. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * Keys of a command, for example "Mod+Shift+F" or "Alt+Digit1". Mod is ⌘ on macOS and Ctrl elsewhere. The last part is the
 * character that the key types, or the key's position on the keyboard.
 */
export interface Keyed {
  readonly keys?: string;
  /** Additional keys for the command, which are not displayed. */
  readonly alsoKeys?: readonly string[];
}

export function isPressed({ keys, alsoKeys = [] }: Keyed, press: KeyPress): boolean {
  const isMod = press.ctrlKey || press.metaKey;
  // Shift counts only together with another modifier, because some keyboards need it to type a character.
  const isShift = press.shiftKey && (isMod || press.altKey);
  const held = `${isMod ? 'Mod+' : ''}${press.altKey ? 'Alt+' : ''}${isShift ? 'Shift+' : ''}`;
  const pressed = [held + press.key, held + press.code].map((one) => one.toLowerCase());
  return [keys, ...alsoKeys].some((one) => one !== undefined && pressed.includes(one.toLowerCase()));
}

const macSigns = [
  ['Mod+Shift+', '⇧⌘'],
  ['Mod+', '⌘'],
  ['Alt+', '⌥'],
  ['Enter', '↩'],
  ['Backspace', '⌫'],
] as const;

/** Returns the keys as text for display: "Ctrl+Shift+F", "⇧⌘F". */
export function keysText(keys: string, isMac: boolean): string {
  const short = keys.replace('Digit', '').replace('Escape', 'Esc');
  if (!isMac) return short.replace('Mod', 'Ctrl');
  return macSigns.reduce((text, [word, sign]) => text.replace(word, sign), short);
}
