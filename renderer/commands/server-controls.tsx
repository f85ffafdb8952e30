import { memo, type MouseEvent } from 'react';
import {
  commandWords,
  serverCommands,
  type AllowedCommands,
  type ServerCommand,
} from '../../shared/server-states.ts';
import { withShortcut } from './shortcuts.ts';
import { runAction } from './server-commands.ts';
import { usePendingAction, useServices } from '../services.ts';
import { IconButton } from '../ui/icon-button.tsx';

interface ServerControlsProps {
  readonly server: string;
  readonly allowed: AllowedCommands;
  /** True if the buttons have labels next to their icons. */
  readonly isLabelled?: boolean;
}

/** Buttons Start, Stop and Restart of a server. Those that do not apply are disabled, not hidden, so the others do not move. */
export const ServerControls = memo(function ServerControls({
  server,
  allowed,
  isLabelled = false,
}: ServerControlsProps) {
  const services = useServices();
  const pending = usePendingAction(server);

  const click = (action: ServerCommand) => (event: MouseEvent<HTMLElement>) => {
    const isGiven = runAction(services, action, server);
    // After a key press the focus moves to the server, because it would be lost when the button is disabled.
    if (isGiven && event.detail === 0)
      event.currentTarget.closest('[data-server]')?.querySelector<HTMLElement>('[data-home]')?.focus();
  };

  return (
    <div className={`flex flex-none ${isLabelled ? 'gap-6' : 'gap-2'}`}>
      {serverCommands.map((action) => (
        <IconButton
          key={action}
          icon={action}
          name={`${commandWords[action]} ${server}`}
          tip={withShortcut(`${commandWords[action]} ${server}`, action)}
          {...(isLabelled && { label: commandWords[action] })}
          isBusy={pending === action}
          disabled={!allowed[action]}
          data-control={action}
          onClick={pending === action ? undefined : click(action)}
        />
      ))}
    </div>
  );
});
