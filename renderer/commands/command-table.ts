import type { MantineColorScheme } from '@mantine/core';
import type { ServerView } from '../../shared/domain.ts';
import { appCommands } from '../../shared/app-commands.ts';
import type { Keyed } from '../../shared/keys.ts';
import { commandsFor, commandWords, type ServerCommand } from '../../shared/server-states.ts';
import {
  columnSwitches,
  listDensities,
  serverFilters,
  serverGroupings,
  sortColumns,
  type ListChoice,
} from '../format/list-choice.ts';
import { filterNames, rowText, sortNames } from '../format/server-list.ts';
import { nextScheme, systemScheme } from '../settings/use-theme.ts';
import { serverTabs, type Route, type ServerTab } from '../store/route-store.ts';
import type { Services } from '../services.ts';
import { copyText } from '../ui/copy-button.tsx';
import {
  askToRemove,
  canSleep,
  failed,
  letSleep,
  restartFailed,
  runAction,
  stopAll,
  stoppable,
  toggleEnabled,
} from './server-commands.ts';
import { containerCommand, moveCommand } from './container-commands.ts';
import { focusListField, focusSearch, goBack, show, toggleLogs } from './navigate.ts';

export interface CommandContext extends Services {
  /** Current colour scheme, and the function that sets another one. */
  readonly theme: readonly [MantineColorScheme, (scheme: MantineColorScheme) => void];
}

/** Groups of commands on the shortcut sheet (the dialog that lists all shortcuts), in display order. */
export const shortcutGroups = [
  'Go to',
  'List of servers',
  'Server in view, or in the row with the focus',
  'Page of a server',
  'Window',
] as const;
const [GO_TO, LIST, SERVER, PAGE, WINDOW] = shortcutGroups;

export type ShortcutGroup = (typeof shortcutGroups)[number];

interface OnSheet extends Keyed {
  readonly group?: ShortcutGroup;
  /** Text on the shortcut sheet; a command without it is not on the sheet. */
  readonly title?: string;
}

interface Command extends OnSheet {
  /** Text in the palette; a command without it is not in the palette. */
  readonly name?: string | ((services: Services) => string);
  /** True if the command can be used now; always usable if undefined. */
  readonly when?: (services: Services) => boolean;
  /** True if the command removes or stops something. Such a command is listed last and is never among the recent ones. */
  readonly isHarmful?: true;
  readonly run: (context: CommandContext) => void;
}

/** Text, or a function that returns it. The command is left out if the function returns undefined. */
type TextOfServer = string | ((server: ServerView, services: Services) => string | undefined);

/** Command for one server: that of the row menu, or, by its keys, the server whose page is open, else the focused row. */
interface CommandOfServer extends OnSheet {
  /** `name` comes before the server's name in the palette; `menu` is the text in the menu of a row. */
  readonly name?: TextOfServer;
  readonly menu?: TextOfServer;
  readonly when?: (server: ServerView) => boolean;
  /** True if the command removes or stops something, as in `Command`. */
  readonly isHarmful?: true;
  readonly run: (services: Services, server: string) => void;
  /** What the keys of the command do, if that differs from `run`. */
  readonly onKeys?: (services: Services, server: string) => void;
}

const toView = (route: Route, title: string) => ({ group: GO_TO, title, run: () => show(route) });

const toTab = (tab: ServerTab, title: string) => ({
  group: PAGE,
  title,
  name: `Open ${tab} of`,
  keys: `Alt+Digit${serverTabs.indexOf(tab) + 1}`,
  run: (_: Services, name: string) => show({ view: 'server', name, tab }),
});

const toSupervisor = (command: ServerCommand) => ({
  group: SERVER,
  title: commandWords[command],
  name: commandWords[command],
  menu: commandWords[command],
  when: (server: ServerView) => commandsFor(server)[command],
  run: (services: Services, name: string) => void runAction(services, command, name),
});

const toDialog = (kind: 'edit' | 'duplicate', title: string, keys: string) => ({
  ...{ group: SERVER, title, name: title, menu: `${title}…`, keys },
  run: ({ manage }: Services, server: string) => manage.open({ kind, server }),
});

const enableWords = ({ disabled }: ServerView) => (disabled === true ? 'Enable' : 'Disable');

const toList = (
  name: NonNullable<Command['name']>,
  choose: (services: Services) => Partial<ListChoice>,
): Command => ({
  name,
  run: (context) => {
    context.view.setState(choose(context));
    show({ view: 'servers' });
  },
});

const named = {
  search: { group: LIST, title: 'Search', keys: 'Mod+F', alsoKeys: ['/'], run: focusSearch },
  filter: { group: LIST, title: 'Filter', keys: 'Mod+Shift+F', run: (to) => focusListField(to, 'filter') },
  group: { group: LIST, title: 'Group', keys: 'Mod+Shift+G', run: (to) => focusListField(to, 'group') },
  add: {
    group: LIST,
    title: 'Add a server',
    name: 'Add a server',
    keys: 'Mod+N',
    run: ({ manage }) => manage.open({ kind: 'add' }),
  },
  import: {
    group: LIST,
    title: 'Import from other clients',
    name: 'Import servers from other clients',
    keys: 'Mod+I',
    run: ({ manage }) => manage.open({ kind: 'import' }),
  },
  'add-client': { name: 'Add a client', run: ({ manage }) => manage.open({ kind: 'add-client' }) },
  paste: { name: 'Paste servers', run: ({ manage }) => manage.open({ kind: 'paste', text: '' }) },
  servers: { ...toView({ view: 'servers' }, 'Servers'), name: 'Show servers', keys: 'Mod+1' },
  usage: { ...toView({ view: 'usage' }, 'Usage'), name: 'Show usage', keys: 'Mod+2' },
  compare: { name: 'Compare servers', run: () => show({ view: 'compare', servers: [] }) },
  activity: { ...toView({ view: 'activity' }, 'Activity'), name: 'Show activity', keys: 'Mod+3' },
  clients: { ...toView({ view: 'clients' }, 'Clients'), name: 'Show clients', keys: 'Mod+4' },
  'all-logs': {
    ...toView({ view: 'logs', query: {} }, 'Logs of all servers'),
    name: 'Show the logs of all servers',
    keys: 'Mod+5',
  },
  settings: {
    ...toView({ view: 'settings', page: 'general' }, 'Settings'),
    name: 'Show settings',
    keys: 'Mod+,',
    when: ({ settings }) => settings.state.getState().settings !== undefined,
  },
  sleep: { name: 'Let servers sleep', run: ({ manage }) => manage.open({ kind: 'sleep' }) },
  diagnostics: {
    name: 'Copy or save diagnostics',
    run: ({ manage }) => manage.open({ kind: 'diagnostics' }),
  },
  commands: {
    group: GO_TO,
    title: 'Any command by its name',
    keys: 'Mod+K',
    run: ({ manage }) => manage.open({ kind: 'palette' }),
  },
  shortcuts: {
    group: GO_TO,
    title: 'This list',
    name: 'Keyboard shortcuts',
    keys: 'Mod+/',
    // Some keyboards need Shift for the slash.
    alsoKeys: ['Mod+Shift+/', '?'],
    run: ({ manage }) => manage.open({ kind: 'shortcuts' }),
  },
  back: { group: GO_TO, title: 'Back, or close what is open', keys: 'Escape', run: goBack },
  scheme: {
    group: WINDOW,
    title: 'Light, dark, or same as the system',
    keys: 'Mod+Shift+L',
    run: ({ theme: [scheme, choose] }) => choose(nextScheme(scheme, systemScheme())),
  },
} satisfies Readonly<Record<string, Command>>;

const namedOfServer = {
  overview: { ...toTab('overview', 'Overview'), name: 'Open' },
  start: { ...toSupervisor('start'), keys: 'Mod+Enter' },
  stop: { ...toSupervisor('stop'), keys: 'Mod+.' },
  restart: { ...toSupervisor('restart'), keys: 'Mod+Shift+Enter' },
  sleep: { name: 'Let sleep', menu: 'Let it sleep', when: canSleep, run: letSleep },
  calls: toTab('calls', 'Calls'),
  processes: {
    name: 'Open processes of',
    run: (_, name) => show({ view: 'server', name, tab: 'overview', showsProcesses: true }),
  },
  tools: toTab('tools', 'Tools'),
  sessions: toTab('sessions', 'Sessions'),
  logs: {
    ...toTab('logs', 'Logs, and back'),
    menu: 'Open logs',
    // Alt+5, the key of the tab, also opens the logs. Mod+L is the key that is shown, because pressing it again leads back.
    keys: 'Mod+L',
    alsoKeys: ['Alt+Digit5'],
    onKeys: toggleLogs,
  },
  restarts: toTab('restarts', 'Restarts, and why'),
  configuration: toTab('configuration', 'Configuration'),
  edit: toDialog('edit', 'Edit', 'Mod+E'),
  duplicate: toDialog('duplicate', 'Duplicate', 'Mod+D'),
  copy: {
    menu: ({ transport }) => (transport === 'stdio' ? 'Copy command' : 'Copy address'),
    run: ({ panel }, server) => void copyText(panel.getState().servers.get(server)?.target ?? ''),
  },
  'copy-row': {
    menu: 'Copy row',
    run: ({ panel }, server) => {
      const view = panel.getState().servers.get(server);
      if (view !== undefined) void copyText(rowText(view));
    },
  },
  colour: {
    name: 'Choose the colour of',
    menu: 'Colour…',
    run: ({ manage }, server) => manage.open({ kind: 'colour', server }),
  },
  'diagnose-server': {
    menu: 'Diagnostics…',
    run: ({ manage }, server) => manage.open({ kind: 'diagnostics', server }),
  },
  toggle: {
    group: SERVER,
    title: 'Enable or disable',
    name: enableWords,
    menu: enableWords,
    keys: 'Mod+Shift+D',
    run: toggleEnabled,
  },
  contain: containerCommand,
  move: moveCommand,
  remove: {
    group: SERVER,
    title: 'Remove',
    name: 'Remove',
    menu: 'Remove',
    keys: 'Mod+Backspace',
    isHarmful: true,
    run: askToRemove,
  },
} satisfies Readonly<Record<string, CommandOfServer>>;

export type CommandId = keyof typeof named | keyof typeof namedOfServer;

/** Commands by id, in the order of palette and shortcut sheet. */
export const commandsById: ReadonlyMap<string, Command> = new Map(Object.entries(named));
export const serverCommandsById: ReadonlyMap<string, CommandOfServer> = new Map(
  Object.entries(namedOfServer),
);

/** All commands for the app window and for all servers, in the order of the palette. */
export const commands: readonly Command[] = [
  ...commandsById.values(),
  ...serverFilters.map((filter) =>
    toList(`Filter servers: ${filterNames[filter].toLowerCase()}`, () => ({ filter })),
  ),
  ...serverGroupings.map((grouping) => toList(`Group servers: ${grouping}`, () => ({ grouping }))),
  ...columnSwitches.map(({ setting, words }) =>
    toList(
      ({ view: store }) => `${store.getState()[setting] ? 'Hide' : 'Show'} ${words}`,
      ({ view: store }) => ({ [setting]: !store.getState()[setting] }),
    ),
  ),
  ...listDensities.map((density) => toList(`Rows: ${density}`, () => ({ density }))),
  ...sortColumns.map((sortBy) =>
    toList(`Sort servers: ${sortNames[sortBy]}`, () => ({
      sortBy,
      isDescending: sortBy !== 'name' && sortBy !== 'state',
    })),
  ),
  { name: 'Theme: light', run: ({ theme: [, choose] }) => choose('light') },
  { name: 'Theme: dark', run: ({ theme: [, choose] }) => choose('dark') },
  { name: 'Theme: same as the system', run: ({ theme: [, choose] }) => choose('auto') },
  ...appCommands.flatMap(({ keys, zoom }): readonly Command[] =>
    zoom === undefined
      ? []
      : // The call never gets an answer if the window was reloaded or closed.
        [{ name: zoom.name, keys, run: ({ api }) => void api.zoomWindow(zoom.step).catch(() => undefined) }],
  ),
  {
    name: 'Stop all servers',
    isHarmful: true,
    when: ({ panel }) => stoppable([...panel.getState().servers.values()]).length > 0,
    run: stopAll,
  },
  {
    name: 'Restart failed servers',
    isHarmful: true,
    when: ({ panel }) => failed([...panel.getState().servers.values()]).length > 0,
    run: restartFailed,
  },
];
