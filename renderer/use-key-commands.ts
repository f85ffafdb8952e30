import { useEffect } from 'react';
import { commandsFor, type ServerCommand } from '../shared/server-states.ts';
import { searchField } from './ui/search-field.tsx';
import { listFieldIds } from './views/list-fields.ts';
import { commandOf } from './keyboard.ts';
import { askToRemove, runAction, toggleEnabled } from './commands/server-commands.ts';
import { nextScheme, systemScheme } from './settings/next-scheme.ts';
import { useTheme } from './settings/use-theme.ts';
import { hrefOf, type Route, type ServerTab } from './store/route-store.ts';
import { useServices, type Services } from './services.ts';

/** Makes the shortcuts work wherever the focus is. */
export function useKeyCommands(): void {
  const services = useServices();
  const [scheme, setScheme] = useTheme();

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOf(event, isTyping(event.target));
      if (command === undefined || event.defaultPrevented) return;
      // An open dialog or popover takes its own keys, and nothing may happen behind it.
      if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
      event.preventDefault();
      switch (command) {
        case 'search':
          return focusSearch();
        case 'filter':
        case 'group':
          return focusListField(services, listFieldIds[command]);
        case 'servers':
        case 'usage':
        case 'activity':
        case 'clients':
          return show({ view: command });
        case 'all-logs':
          return show({ view: 'logs', query: {} });
        case 'settings':
          return services.settings.state.getState().settings && show({ view: 'settings' });
        case 'commands':
          return services.manage.open({ kind: 'palette' });
        case 'shortcuts':
          return services.manage.open({ kind: 'shortcuts' });
        case 'add':
          return services.manage.open({ kind: 'add' });
        case 'import':
          return services.manage.open({ kind: 'import' });
        case 'edit':
        case 'duplicate':
        case 'toggle':
        case 'remove':
          return changeFocused(services, command);
        case 'logs':
          return toggleLogs(services);
        case 'overview':
        case 'processes':
        case 'tools':
        case 'sessions':
        case 'configuration':
        case 'restarts':
          return showTab(services, command);
        case 'scheme':
          return setScheme(nextScheme(scheme, systemScheme()));
        case 'back':
          return goBack(services);
        case 'start':
        case 'stop':
        case 'restart':
          return runOnFocused(services, command);
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [services, scheme, setScheme]);
}

function show(route: Route): void {
  window.location.hash = hrefOf(route);
}

/** Focuses the search of the view, else that of the overview. */
function focusSearch(): void {
  const field = searchField();
  if (field !== null) return field.focus();
  show({ view: 'servers' });
  // Two frames pass because the field exists only once the overview has been rendered.
  requestAnimationFrame(() => requestAnimationFrame(() => searchField()?.focus()));
}

function focusListField({ route }: Services, id: string): void {
  const field = () => document.getElementById(id);
  if (route.getState().route.view === 'servers') return field()?.focus();
  show({ view: 'servers' });
  requestAnimationFrame(() => requestAnimationFrame(() => field()?.focus()));
}

function goBack({ manage, route }: Services): void {
  // The topmost layer closes first.
  if (manage.state.getState().note?.kind === 'done') return manage.setNote(undefined);
  if (route.getState().route.view !== 'servers') show({ view: 'servers' });
}

function toggleLogs(services: Services): void {
  const current = services.route.getState().route;
  const name = serverInFocus(services);
  const isOpen = current.view === 'server' && current.tab === 'logs';
  if (name !== undefined) show({ view: 'server', name, tab: isOpen ? 'overview' : 'logs' });
}

function showTab(services: Services, tab: ServerTab): void {
  const name = serverInFocus(services);
  if (name !== undefined) show({ view: 'server', name, tab });
}

/** Server whose page is open, else the one whose row has the focus. */
function serverInFocus({ route }: Services): string | undefined {
  const current = route.getState().route;
  if (current.view === 'server') return current.name;
  return document.activeElement?.closest<HTMLElement>('[data-server]')?.dataset['server'];
}

function changeFocused(services: Services, command: 'edit' | 'duplicate' | 'toggle' | 'remove'): void {
  const server = serverInFocus(services);
  if (server === undefined) return;
  if (command === 'toggle') toggleEnabled(services, server);
  else if (command === 'remove') askToRemove(services, server);
  else services.manage.open({ kind: command, server });
}

function runOnFocused(services: Services, command: ServerCommand): void {
  const name = serverInFocus(services);
  const server = name === undefined ? undefined : services.panel.getState().servers.get(name);
  if (server !== undefined && commandsFor(server)[command]) runAction(services, command, server.name);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
