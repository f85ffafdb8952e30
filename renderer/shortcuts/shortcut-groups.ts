import { isMac, shortcutLabels, type KeyCommand } from '../keyboard.ts';

export interface Shortcut {
  readonly words: string;
  readonly keys: string;
}

export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** Place of each command of the keyboard; the compiler asks for one when a command is added. */
const places: Readonly<Record<KeyCommand, readonly [title: string, words: string]>> = {
  servers: ['Go to', 'Servers'],
  usage: ['Go to', 'Usage'],
  activity: ['Go to', 'Activity'],
  clients: ['Go to', 'Clients'],
  'all-logs': ['Go to', 'Logs of all servers'],
  settings: ['Go to', 'Settings'],
  commands: ['Go to', 'Any command by its name'],
  shortcuts: ['Go to', 'This list'],
  back: ['Go to', 'Back, or close what is open'],

  search: ['List of servers', 'Search'],
  filter: ['List of servers', 'Filter'],
  group: ['List of servers', 'Group'],
  add: ['List of servers', 'Add a server'],
  import: ['List of servers', 'Import from other clients'],

  start: ['Server in view, or in the row with the focus', 'Start'],
  stop: ['Server in view, or in the row with the focus', 'Stop'],
  restart: ['Server in view, or in the row with the focus', 'Restart'],
  edit: ['Server in view, or in the row with the focus', 'Edit'],
  duplicate: ['Server in view, or in the row with the focus', 'Duplicate'],
  toggle: ['Server in view, or in the row with the focus', 'Enable or disable'],
  remove: ['Server in view, or in the row with the focus', 'Remove'],

  overview: ['Page of a server', 'Overview'],
  processes: ['Page of a server', 'Processes'],
  tools: ['Page of a server', 'Tools'],
  sessions: ['Page of a server', 'Sessions'],
  logs: ['Page of a server', 'Logs, and back'],
  configuration: ['Page of a server', 'Configuration'],
  restarts: ['Page of a server', 'Restarts, and why'],

  scheme: ['Window', 'Light, dark, as the system'],
};

/** Keys that the main process takes before the page sees them. */
const ofTheApp: readonly Shortcut[] = [
  { words: 'Enlarge', keys: isMac ? '⌘+' : 'Ctrl++' },
  { words: 'Shrink', keys: isMac ? '⌘−' : 'Ctrl+−' },
  { words: 'Actual size', keys: isMac ? '⌘0' : 'Ctrl+0' },
  { words: 'Close the window', keys: isMac ? '⌘W' : 'Ctrl+W' },
  { words: 'Quit', keys: isMac ? '⌘Q' : 'Ctrl+Q' },
];

/** All shortcuts, by where they work. */
export function shortcutGroups(): readonly ShortcutGroup[] {
  const commands = Object.keys(places) as KeyCommand[];
  const titles = [...new Set(commands.map((command) => places[command][0]))];
  return titles.map((title) => {
    const own = commands
      .filter((command) => places[command][0] === title)
      .map((command) => ({ words: places[command][1], keys: shortcutLabels[command] }));
    return { title, shortcuts: title === 'Window' ? [...own, ...ofTheApp] : own };
  });
}
