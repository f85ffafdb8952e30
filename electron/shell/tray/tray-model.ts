import {
  commandsFor,
  commandWords,
  serverCommands,
  markOrder,
  severityOrder,
  shownMark,
  shownState,
  type ServerCommand,
} from '../../../shared/server-states.ts';
import type { BadgeKind } from '../icons/tray-picture.ts';
import { APP_NAME, headWords, reasonLine, serverLabel, tooltipWords, type TrayServer } from './tray-words.ts';

/** Maximum number of servers in the menu, because a longer menu would not fit on a screen; the app window shows all servers. */
const MAX_SERVERS_IN_MENU = 30;

export type TrayCommand =
  | { readonly kind: ServerCommand | 'open'; readonly server: string }
  | { readonly kind: 'stop-all' | 'restart-failed' | 'show-window' | 'settings' | 'about' }
  | { readonly kind: 'quit' | 'quit-and-stop-serving' };

interface CommandItem {
  readonly label: string;
  /** Command of the item; undefined for an item without an action. */
  readonly command?: TrayCommand;
  readonly isEnabled: boolean;
}

export type TrayItem =
  { readonly label: string; readonly submenu: readonly TrayItem[] } | CommandItem | 'separator';

/** Content of the tray, and of the dock or task bar, as plain data. Two equal models look the same. */
export interface TrayModel {
  readonly tooltip: string;
  /** State of the worst server, if it needs attention; otherwise undefined. */
  readonly badge: BadgeKind | undefined;
  readonly items: readonly TrayItem[];
  /** Commands for all servers, which the dock also offers. */
  readonly forAll: readonly CommandItem[];
  /** Number of failed servers, which is shown on the app's icon. */
  readonly failed: number;
}

export function trayModel(servers: readonly TrayServer[]): TrayModel {
  const forAll = commandsForAll(servers);
  return {
    tooltip: tooltipWords(servers),
    badge: badgeOf(servers),
    items: [words(headWords(servers)), 'separator', ...serverItems(servers, forAll), ...fixedItems],
    forAll,
    failed: servers.filter(({ state }) => state.kind === 'failed').length,
  };
}

/**
 * Returns the mark for the worst state. Running servers, whether stable or not, and servers that the user stopped have no mark.
 */
export function badgeOf(servers: readonly TrayServer[]): BadgeKind | undefined {
  const worst = severityOrder.find((kind) => servers.some((server) => shownState(server) === kind));
  return worst === undefined ||
    worst === 'running' ||
    worst === 'asleep' ||
    worst === 'stopped' ||
    worst === 'stopping'
    ? undefined
    : worst;
}

const words = (label: string): CommandItem => ({ label, isEnabled: false });

function serverItems(servers: readonly TrayServer[], forAll: readonly CommandItem[]): TrayItem[] {
  if (servers.length === 0) return [];
  const badness = (server: TrayServer) => markOrder.indexOf(shownMark(server));
  // Sorting is stable, so servers in the same state keep their order in servers.json.
  const sorted = [...servers].sort((a, b) => badness(a) - badness(b));
  const items: TrayItem[] = sorted.slice(0, MAX_SERVERS_IN_MENU).flatMap(serverLines);
  const left = sorted.length - MAX_SERVERS_IN_MENU;
  if (left > 0) items.push({ label: `${left} more…`, command: { kind: 'show-window' }, isEnabled: true });
  return [...items, 'separator', ...forAll, 'separator'];
}

function serverLines(server: TrayServer): TrayItem[] {
  const reason = reasonLine(server);
  // The reason is a menu item of its own. If it were the text of the submenu, each change would require a new submenu, and
  // Electron never frees the old ones.
  return [serverItem(server), ...(reason === undefined ? [] : [words(reason)])];
}

function serverItem(server: TrayServer): TrayItem {
  const { name } = server;
  const commands = commandsFor(server);
  return {
    label: serverLabel(name, shownMark(server)),
    submenu: [
      ...serverCommands.map((kind) => ({
        label: commandWords[kind],
        command: { kind, server: name },
        isEnabled: commands[kind],
      })),
      'separator',
      { label: 'Open', command: { kind: 'open', server: name }, isEnabled: true },
    ],
  };
}

function commandsForAll(servers: readonly TrayServer[]): CommandItem[] {
  const isAnyUp = servers.some((server) => commandsFor(server).stop);
  const isAnyFailed = servers.some(({ state }) => state.kind === 'failed');
  return [
    { label: 'Stop all', command: { kind: 'stop-all' }, isEnabled: isAnyUp },
    { label: 'Restart failed', command: { kind: 'restart-failed' }, isEnabled: isAnyFailed },
  ];
}

const fixedItems: readonly TrayItem[] = [
  { label: `Open ${APP_NAME}`, command: { kind: 'show-window' }, isEnabled: true },
  { label: 'Settings', command: { kind: 'settings' }, isEnabled: true },
  { label: 'About', command: { kind: 'about' }, isEnabled: true },
  { label: 'Quit', command: { kind: 'quit' }, isEnabled: true },
  { label: 'Quit and stop serving', command: { kind: 'quit-and-stop-serving' }, isEnabled: true },
];
