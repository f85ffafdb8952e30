import type { ActionKind } from './store/action-store.ts';

/** Everything that a key can ask for, wherever the focus is. */
export type KeyCommand =
  | ActionKind
  | 'search'
  | 'filter'
  | 'group'
  | 'servers'
  | 'activity'
  | 'settings'
  | 'commands'
  | 'add'
  | 'import'
  | 'edit'
  | 'logs'
  | 'scheme'
  | 'back';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');

/** Shortcuts as people read them in tooltips. */
export const shortcutLabels: Readonly<Record<KeyCommand, string>> = {
  search: isMac ? '⌘F' : 'Ctrl+F',
  filter: isMac ? '⇧⌘F' : 'Ctrl+Shift+F',
  group: isMac ? '⇧⌘G' : 'Ctrl+Shift+G',
  servers: isMac ? '⌘1' : 'Ctrl+1',
  activity: isMac ? '⌘2' : 'Ctrl+2',
  settings: isMac ? '⌘,' : 'Ctrl+,',
  commands: isMac ? '⌘K' : 'Ctrl+K',
  add: isMac ? '⌘N' : 'Ctrl+N',
  import: isMac ? '⌘I' : 'Ctrl+I',
  edit: isMac ? '⌘E' : 'Ctrl+E',
  logs: isMac ? '⌘L' : 'Ctrl+L',
  scheme: isMac ? '⇧⌘L' : 'Ctrl+Shift+L',
  start: isMac ? '⌘↩' : 'Ctrl+Enter',
  stop: isMac ? '⌘.' : 'Ctrl+.',
  restart: isMac ? '⇧⌘↩' : 'Ctrl+Shift+Enter',
  back: 'Esc',
};

/** "Stop everything (Ctrl+.)" */
export const withShortcut = (words: string, command: KeyCommand): string =>
  `${words}  ${shortcutLabels[command]}`;

const withModifier: Readonly<Record<string, KeyCommand>> = {
  f: 'search',
  '1': 'servers',
  '2': 'activity',
  ',': 'settings',
  k: 'commands',
  n: 'add',
  i: 'import',
  e: 'edit',
  l: 'logs',
  enter: 'start',
  '.': 'stop',
};
const withShiftModifier: Readonly<Record<string, KeyCommand>> = {
  f: 'filter',
  g: 'group',
  l: 'scheme',
  enter: 'restart',
};

/** The command of a key press, if any. `isTyping`: the focus is where letters are text. */
export function commandOf(press: KeyPress, isTyping: boolean): KeyCommand | undefined {
  if (press.altKey) return undefined;
  const key = press.key.toLowerCase();
  if (press.ctrlKey || press.metaKey) return (press.shiftKey ? withShiftModifier : withModifier)[key];
  if (key === 'escape') return 'back';
  return key === '/' && !isTyping ? 'search' : undefined;
}
