import type { MantineColorScheme } from '@mantine/core';
import type { ServerView } from '../../shared/domain.ts';
import { commandsFor, commandWords, serverCommands } from '../../shared/server-states.ts';
import { failed, restartFailed, stopAll, stoppable } from '../commands/many-commands.ts';
import { zoomSteps, type ZoomStep } from '../../shared/zoom-steps.ts';
import { formatCpu, formatMemory } from '../format/figures.ts';
import { filterNames, groupingNames, sortNames } from '../format/server-list.ts';
import { isMac, shortcutLabels, type KeyCommand } from '../keyboard.ts';
import { askToRemove, runAction, toggleEnabled } from '../commands/server-commands.ts';
import {
  columnSwitches,
  listDensities,
  serverFilters,
  serverGroupings,
  sortColumns,
  type ListChoice,
} from '../format/list-choice.ts';
import { hrefOf, serverHref, serverTabs, type Route } from '../store/route-store.ts';
import type { Services } from '../services.ts';

/** Command that can be given by name. */
export interface PanelCommand {
  readonly words: string;
  readonly shortcut?: string;
  /** Server that the command is about. */
  readonly server?: ServerView;
  /** What that server uses, as of when the palette was opened. */
  readonly figures?: string;
  /** Whether it is never among the recent ones, because it reaches all servers at once. */
  readonly isNotRecent?: true;
  readonly run: () => void;
}

export interface CommandSource {
  readonly services: Services;
  /** Servers in the order shown. */
  readonly servers: readonly ServerView[];
  /** Server whose page is open; its commands come first. */
  readonly current: string | undefined;
  readonly setTheme: (scheme: MantineColorScheme) => void;
}

/** Commands that are possible now; the others are left out because here they would only be in the way. */
export function panelCommands(source: CommandSource): readonly PanelCommand[] {
  const { servers, current } = source;
  const ordered = servers.toSorted((a, b) => Number(b.name === current) - Number(a.name === current));
  const [own, others] = [
    ordered.filter(({ name }) => name === current),
    ordered.filter(({ name }) => name !== current),
  ];
  return [
    ...own.flatMap((server) => commandsOf(source, server)),
    ...generalCommands(source),
    ...others.map((server) => openCommand(server)),
    ...others.flatMap((server) => commandsOf(source, server).slice(1)),
  ];
}

const openCommand = (server: ServerView): PanelCommand => ({
  words: `Open ${server.name}`,
  server,
  ...(server.sample && {
    figures: `${formatMemory(server.sample.memoryBytes)} · ${formatCpu(server.sample.cpuPercent)}`,
  }),
  run: () => goTo(serverHref(server.name)),
});

function commandsOf({ services, current }: CommandSource, server: ServerView): readonly PanelCommand[] {
  const { name, disabled = false } = server;
  const allowed = commandsFor(server);
  const { manage } = services;
  const command = (key: KeyCommand, words: string, run: () => void): PanelCommand => ({
    words,
    // The keys act on the server in view, so only its commands show them.
    ...(name === current && { shortcut: shortcutLabels[key] }),
    run,
  });
  const commands: readonly PanelCommand[] = [
    command('overview', `Open ${name}`, () => goTo(serverHref(name))),
    ...serverCommands
      .filter((kind) => allowed[kind])
      .map((kind) => command(kind, `${commandWords[kind]} ${name}`, () => runAction(services, kind, name))),
    ...serverTabs
      .slice(1)
      .map((tab) =>
        command(tab, `Open ${tab} of ${name}`, () => goTo(hrefOf({ view: 'server', name, tab }))),
      ),
    command('edit', `Edit ${name}`, () => manage.open({ kind: 'edit', server: name })),
    command('duplicate', `Duplicate ${name}`, () => manage.open({ kind: 'duplicate', server: name })),
    command('toggle', `${disabled ? 'Enable' : 'Disable'} ${name}`, () => toggleEnabled(services, name)),
    command('remove', `Remove ${name}`, () => askToRemove(services, name)),
  ];
  return commands.map((one) => ({ ...one, server }));
}

function generalCommands({ services, setTheme }: CommandSource): readonly PanelCommand[] {
  const { manage, settings, view: viewStore } = services;
  const list = (words: string, choice: Partial<ListChoice>): PanelCommand => ({
    words,
    run: () => {
      viewStore.setState(choice);
      goTo(hrefOf({ view: 'servers' }));
    },
  });
  const view = (words: string, to: Route, command: KeyCommand): PanelCommand => ({
    words,
    shortcut: shortcutLabels[command],
    run: () => goTo(hrefOf(to)),
  });
  return [
    { words: 'Add a server', shortcut: shortcutLabels.add, run: () => manage.open({ kind: 'add' }) },
    {
      words: 'Import servers from other clients',
      shortcut: shortcutLabels.import,
      run: () => manage.open({ kind: 'import' }),
    },
    { words: 'Add a client', run: () => manage.open({ kind: 'add-client' }) },
    { words: 'Paste servers', run: () => manage.open({ kind: 'paste', text: '' }) },
    view('Show servers', { view: 'servers' }, 'servers'),
    view('Show usage', { view: 'usage' }, 'usage'),
    { words: 'Compare servers', run: () => goTo(hrefOf({ view: 'compare', servers: [] })) },
    view('Show activity', { view: 'activity' }, 'activity'),
    view('Show clients', { view: 'clients' }, 'clients'),
    view('Show the logs of all servers', { view: 'logs', query: {} }, 'all-logs'),
    ...(settings.state.getState().settings === undefined
      ? []
      : [view('Show settings', { view: 'settings' }, 'settings')]),
    { words: 'Copy or save diagnostics', run: () => manage.open({ kind: 'diagnostics' }) },
    {
      words: 'Keyboard shortcuts',
      shortcut: shortcutLabels.shortcuts,
      run: () => manage.open({ kind: 'shortcuts' }),
    },
    ...serverFilters.map((filter) =>
      list(`Filter servers: ${filterNames[filter].toLowerCase()}`, { filter }),
    ),
    ...serverGroupings.map((grouping) => list(`Group servers: ${groupingNames[grouping]}`, { grouping })),
    ...columnSwitches.map(({ setting, words }) => {
      const isShown = viewStore.getState()[setting];
      return list(`${isShown ? 'Hide' : 'Show'} ${words}`, { [setting]: !isShown });
    }),
    ...listDensities.map((density) => list(`Rows: ${density}`, { density })),
    ...sortColumns.map((column) =>
      list(`Sort servers: ${sortNames[column]}`, {
        sortBy: column,
        isDescending: column !== 'name' && column !== 'state',
      }),
    ),
    { words: 'Theme: light', run: () => setTheme('light') },
    { words: 'Theme: dark', run: () => setTheme('dark') },
    { words: 'Theme: as the system', run: () => setTheme('auto') },
    ...zoomSteps.map((step) => ({
      ...zoomCommands[step],
      // The window was reloaded or closed where the answer does not come.
      run: () => void services.api.zoomWindow(step).catch(() => undefined),
    })),
    // Last, because whoever presses Enter before a letter is typed must not stop everything.
    ...manyCommands(services),
  ];
}

/** Words of the menu, with the keys that it has on every system. */
const zoomCommands: Readonly<Record<ZoomStep, Pick<PanelCommand, 'words' | 'shortcut'>>> = {
  in: { words: 'Zoom in', shortcut: isMac ? '⌘+' : 'Ctrl++' },
  out: { words: 'Zoom out', shortcut: isMac ? '⌘−' : 'Ctrl+−' },
  reset: { words: 'Actual size', shortcut: isMac ? '⌘0' : 'Ctrl+0' },
};

/** Commands to all servers, as long as there is one that they mean something to. */
function manyCommands(services: Services): readonly PanelCommand[] {
  const servers = [...services.panel.getState().servers.values()];
  const up = stoppable(servers).length;
  const givenUp = failed(servers).length;
  return [
    ...(up > 0
      ? [{ words: 'Stop all servers', isNotRecent: true as const, run: () => stopAll(services) }]
      : []),
    ...(givenUp > 0
      ? [{ words: 'Restart failed servers', isNotRecent: true as const, run: () => restartFailed(services) }]
      : []),
  ];
}

function goTo(href: string): void {
  window.location.hash = href;
}
