import { useEffect } from 'react';
import { useTheme } from '../settings/use-theme.ts';
import { useServices, type Services } from '../services.ts';
import { commandsById, serverCommandsById, type CommandContext } from './command-table.ts';
import { pressedCommand } from './shortcuts.ts';

/** Listens for keyboard shortcuts on the whole document, regardless of the focus. */
export function useKeyCommands(): void {
  const services = useServices();
  const [scheme, choose] = useTheme();

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const id = pressedCommand(event, isTyping(event.target));
      if (id === undefined || event.defaultPrevented) return;
      // An open dialog or popover handles its own keys, and nothing behind it may react to them.
      if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
      event.preventDefault();
      run(id, { ...services, theme: [scheme, choose] });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [services, scheme, choose]);
}

function run(id: string, context: CommandContext): void {
  const command = commandsById.get(id);
  if (command?.when?.(context) !== false) command?.run(context);
  const ofServer = serverCommandsById.get(id);
  const name = ofServer && serverInFocus(context);
  if (name === undefined) return;
  const server = context.panel.getState().servers.get(name);
  const isMeant = ofServer?.when === undefined || (server !== undefined && ofServer.when(server));
  if (isMeant) (ofServer?.onKeys ?? ofServer?.run)?.(context, name);
}

/** Name of the server whose page is open, or else of the server whose row has the focus; undefined if neither is the case. */
function serverInFocus({ route }: Services): string | undefined {
  const current = route.getState().route;
  if (current.view === 'server') return current.name;
  return document.activeElement?.closest<HTMLElement>('[data-server]')?.dataset['server'];
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
