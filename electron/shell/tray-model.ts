import type { ServerView, StateKind } from '../../shared/domain.ts';
import type { BadgeKind } from './icons/badge.ts';
import { bestFirst, stateWords, worstFirst } from './tray-words.ts';

/** A longer menu does not fit on a screen; the window shows the rest. */
const MAX_SERVERS_IN_MENU = 30;

export type TrayCommand =
  | { readonly kind: 'start' | 'stop' | 'restart' | 'open'; readonly server: string }
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

export type TrayServer = Pick<ServerView, 'name' | 'state'>;

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
    .map((kind) => ({ kind, count: servers.filter(({ state }) => state.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${stateWords[kind].word.toLowerCase()}`);
  return counts.length === 0 ? 'No servers' : counts.join(' · ');
}

/** The mark for the worst state. What runs, or was stopped on purpose, has none. */
export function badgeOf(servers: readonly TrayServer[]): BadgeKind | undefined {
  const worst = worstFirst.find((kind) => servers.some(({ state }) => state.kind === kind));
  return worst === undefined || worst === 'running' || worst === 'stopped' || worst === 'stopping'
    ? undefined
    : worst;
}

function serverItems(servers: readonly TrayServer[]): TrayItem[] {
  if (servers.length === 0) return [];
  const badness = ({ state }: TrayServer) => worstFirst.indexOf(state.kind);
  // Sorting is stable: servers in the same state keep the order of the file.
  const sorted = [...servers].sort((a, b) => badness(a) - badness(b));
  const items: TrayItem[] = sorted.slice(0, MAX_SERVERS_IN_MENU).map(serverItem);
  const left = sorted.length - items.length;
  if (left > 0) items.push({ label: `${left} more…`, command: { kind: 'show-window' }, isEnabled: true });
  return [...items, 'separator'];
}

function serverItem({ name, state }: TrayServer): TrayItem {
  const { glyph, word } = stateWords[state.kind];
  const item = (
    label: string,
    kind: 'start' | 'stop' | 'restart' | 'open',
    isEnabled: boolean,
  ): TrayItem => ({
    label,
    command: { kind, server: name },
    isEnabled,
  });
  return {
    label: `${glyph} ${name}: ${word}`,
    submenu: [
      item('Start', 'start', canStart(state.kind)),
      item('Stop', 'stop', canStop(state.kind)),
      item('Restart', 'restart', state.kind !== 'stopping'),
      'separator',
      item('Open', 'open', true),
    ],
  };
}

const canStart = (kind: StateKind) => kind === 'stopped' || kind === 'failed' || kind === 'backoff';
const canStop = (kind: StateKind) => kind !== 'stopped' && kind !== 'stopping' && kind !== 'failed';

const fixedItems: readonly TrayItem[] = [
  { label: 'Show window', command: { kind: 'show-window' }, isEnabled: true },
  { label: 'Quit', command: { kind: 'quit' }, isEnabled: true },
];
