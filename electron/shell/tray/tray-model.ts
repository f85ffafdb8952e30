import type { ServerView } from '../../../shared/domain.ts';
import {
  commandsFor,
  commandWords,
  serverCommands,
  severityOrder,
  shownState,
  stateWords,
  type ServerCommand,
} from '../../../shared/server-states.ts';
import type { BadgeKind } from '../icons/badge.ts';
import { bestFirst, serverLabel } from './tray-words.ts';

/** A longer menu does not fit on a screen; the window shows the rest. */
const MAX_SERVERS_IN_MENU = 30;

export type TrayCommand =
  | { readonly kind: ServerCommand | 'open'; readonly server: string }
  | { readonly kind: 'show-window' | 'quit' };

export type TrayItem =
  | { readonly label: string; readonly submenu: readonly TrayItem[] }
  | { readonly label: string; readonly command: TrayCommand; readonly isEnabled: boolean }
  | 'separator';

/** All that the tray shows, as plain data: two equal models look the same. */
export interface TrayModel {
  readonly tooltip: string;
  /** The worst state, when it is one that wants to be seen. */
  readonly badge: BadgeKind | undefined;
  readonly items: readonly TrayItem[];
}

export type TrayServer = Pick<ServerView, 'name' | 'state' | 'restartAttempt'>;

export function trayModel(servers: readonly TrayServer[]): TrayModel {
  return {
    tooltip: tooltipOf(servers),
    badge: badgeOf(servers),
    items: [...serverItems(servers), ...fixedItems],
  };
}

/** "5 running · 1 restarting · 1 failed" */
export function tooltipOf(servers: readonly TrayServer[]): string {
  const counts = bestFirst
    .map((kind) => ({ kind, count: servers.filter((server) => shownState(server) === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${stateWords[kind].toLowerCase()}`);
  return counts.length === 0 ? 'No servers' : counts.join(' · ');
}

/** The mark for the worst state. What runs, or was stopped on purpose, has none. */
export function badgeOf(servers: readonly TrayServer[]): BadgeKind | undefined {
  const worst = severityOrder.find((kind) => servers.some((server) => shownState(server) === kind));
  return worst === undefined || worst === 'running' || worst === 'stopped' || worst === 'stopping'
    ? undefined
    : worst;
}

function serverItems(servers: readonly TrayServer[]): TrayItem[] {
  if (servers.length === 0) return [];
  const badness = (server: TrayServer) => severityOrder.indexOf(shownState(server));
  // Sorting is stable: servers in the same state keep the order of the file.
  const sorted = [...servers].sort((a, b) => badness(a) - badness(b));
  const items: TrayItem[] = sorted.slice(0, MAX_SERVERS_IN_MENU).map(serverItem);
  const left = sorted.length - items.length;
  if (left > 0) items.push({ label: `${left} more…`, command: { kind: 'show-window' }, isEnabled: true });
  return [...items, 'separator'];
}

function serverItem(server: TrayServer): TrayItem {
  const { name } = server;
  const commands = commandsFor(server);
  return {
    label: serverLabel(name, shownState(server)),
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

const fixedItems: readonly TrayItem[] = [
  { label: 'Show window', command: { kind: 'show-window' }, isEnabled: true },
  { label: 'Quit', command: { kind: 'quit' }, isEnabled: true },
];
