/** Key press as the page gets it. */
export interface KeyPress {
  readonly key: string;
  /** Key by its place on the keyboard. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * Keys of a command, as in "Mod+Shift+F" or "Alt+Digit1". Mod is ⌘ on macOS and Ctrl elsewhere; the last part is the sign
 * that the key writes, or its place on the keyboard.
 */
export interface Keyed {
  readonly keys?: string;
  /** Further keys, which nothing shows. */
  readonly alsoKeys?: readonly string[];
}

export function isPressed({ keys, alsoKeys = [] }: Keyed, press: KeyPress): boolean {
  const isMod = press.ctrlKey || press.metaKey;
  // Shift counts only beside another key because some keyboards need it to write a sign.
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

/** Keys as they are shown: "Ctrl+Shift+F", "⇧⌘F" */
export function keysText(keys: string, isMac: boolean): string {
  const short = keys.replace('Digit', '').replace('Escape', 'Esc');
  if (!isMac) return short.replace('Mod', 'Ctrl');
  return macSigns.reduce((text, [word, sign]) => text.replace(word, sign), short);
}
