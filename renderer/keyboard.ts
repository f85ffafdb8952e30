import type { ServerCommand } from '../shared/server-states.ts';
import { serverTabs, type ServerTab } from './store/route-store.ts';
import { ownValue } from '../shared/own-value.ts';

/** Commands of the keyboard, wherever the focus is. */
export type KeyCommand =
  | ServerCommand
  | ServerTab
  | 'search'
  | 'filter'
  | 'group'
  | 'servers'
  | 'usage'
  | 'activity'
  | 'clients'
  | 'all-logs'
  | 'settings'
  | 'commands'
  | 'shortcuts'
  | 'add'
  | 'import'
  | 'edit'
  | 'duplicate'
  | 'toggle'
  | 'remove'
  | 'scheme'
  | 'back';

export interface KeyPress {
  readonly key: string;
  /** Key by its place on the keyboard. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');

/** Shortcuts as tooltips show them. */
export const shortcutLabels: Readonly<Record<KeyCommand, string>> = {
  search: isMac ? '⌘F' : 'Ctrl+F',
  filter: isMac ? '⇧⌘F' : 'Ctrl+Shift+F',
  group: isMac ? '⇧⌘G' : 'Ctrl+Shift+G',
  servers: isMac ? '⌘1' : 'Ctrl+1',
  usage: isMac ? '⌘2' : 'Ctrl+2',
  activity: isMac ? '⌘3' : 'Ctrl+3',
  clients: isMac ? '⌘4' : 'Ctrl+4',
  'all-logs': isMac ? '⌘5' : 'Ctrl+5',
  settings: isMac ? '⌘,' : 'Ctrl+,',
  commands: isMac ? '⌘K' : 'Ctrl+K',
  shortcuts: isMac ? '⌘/' : 'Ctrl+/',
  add: isMac ? '⌘N' : 'Ctrl+N',
  import: isMac ? '⌘I' : 'Ctrl+I',
  edit: isMac ? '⌘E' : 'Ctrl+E',
  duplicate: isMac ? '⌘D' : 'Ctrl+D',
  toggle: isMac ? '⇧⌘D' : 'Ctrl+Shift+D',
  remove: isMac ? '⌘⌫' : 'Ctrl+Backspace',
  logs: isMac ? '⌘L' : 'Ctrl+L',
  overview: isMac ? '⌥1' : 'Alt+1',
  processes: isMac ? '⌥2' : 'Alt+2',
  tools: isMac ? '⌥3' : 'Alt+3',
  sessions: isMac ? '⌥4' : 'Alt+4',
  // Alt+5 opens the logs, too; their own key is shown because it also leads back.
  configuration: isMac ? '⌥6' : 'Alt+6',
  restarts: isMac ? '⌥7' : 'Alt+7',
  scheme: isMac ? '⇧⌘L' : 'Ctrl+Shift+L',
  start: isMac ? '⌘↩' : 'Ctrl+Enter',
  stop: isMac ? '⌘.' : 'Ctrl+.',
  restart: isMac ? '⇧⌘↩' : 'Ctrl+Shift+Enter',
  back: 'Esc',
};

/** Words with their shortcut: "Stop everything (Ctrl+.)" */
export const withShortcut = (words: string, command: KeyCommand): string =>
  `${words}  ${shortcutLabels[command]}`;

const withModifier: Readonly<Record<string, KeyCommand>> = {
  f: 'search',
  // In the order of the navigation.
  '1': 'servers',
  '2': 'usage',
  '3': 'activity',
  '4': 'clients',
  '5': 'all-logs',
  ',': 'settings',
  k: 'commands',
  '/': 'shortcuts',
  n: 'add',
  i: 'import',
  e: 'edit',
  d: 'duplicate',
  backspace: 'remove',
  l: 'logs',
  enter: 'start',
  '.': 'stop',
};
const withShiftModifier: Readonly<Record<string, KeyCommand>> = {
  f: 'filter',
  g: 'group',
  d: 'toggle',
  l: 'scheme',
  // Some keyboards type the slash with Shift.
  '/': 'shortcuts',
  enter: 'restart',
};

/**
 * Command of a key press, if any.
 * @param isTyping whether the focus is where letters are text
 */
export function commandOf(press: KeyPress, isTyping: boolean): KeyCommand | undefined {
  if (press.altKey) return isTyping ? undefined : tabOf(press);
  const key = press.key.toLowerCase();
  if (press.ctrlKey || press.metaKey) {
    const command = ownValue(press.shiftKey ? withShiftModifier : withModifier, key);
    // In a field this key deletes the word before the cursor.
    return command === 'remove' && isTyping ? undefined : command;
  }
  if (key === 'escape') return 'back';
  if (key === '?' && !isTyping) return 'shortcuts';
  return key === '/' && !isTyping ? 'search' : undefined;
}

/**
 * Tab of a key press by the place of the key, because some keyboards type other signs than digits with Alt.
 */
function tabOf({ code, ctrlKey, metaKey, shiftKey }: KeyPress): ServerTab | undefined {
  if (ctrlKey || metaKey || shiftKey) return undefined;
  return serverTabs.find((_, index) => code === `Digit${index + 1}`);
}
