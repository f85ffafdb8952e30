import type { ServerCommand, StateKind } from '../../shared/server-states.ts';
import { useAction, usePanel, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';

/** Beginnings of error sentences, which name the failed command. The reason is added after a colon. */
export const actionLeads: Readonly<Record<ServerCommand, string>> = {
  start: 'Could not start',
  stop: 'Could not stop',
  restart: 'Could not restart',
};

interface ActionErrorProps {
  readonly server: string;
  readonly className?: string;
  /** Whether the server's output about the error is also shown. */
  readonly hasLines?: boolean;
  /** Error message that another part of the view already shows in full. */
  readonly told?: string | undefined;
}

/**
 * Error of the last command that this app window gave to a server. It is hidden once the user dismisses it, or once the server
 * has started running after the command.
 */
export function ActionError({ server, className, hasLines = false, told }: ActionErrorProps) {
  const { actions } = useServices();
  const status = useAction(server);
  const isOutdated = usePanel(({ servers }) => {
    const state = servers.get(server)?.state;
    return (
      status !== undefined && state?.kind === ('running' satisfies StateKind) && state.since > status.since
    );
  });
  if (status?.phase !== 'failed' || isOutdated || status.error.message === told) return null;
  return (
    <div className={className} role="alert">
      <ErrorNote
        error={status.error}
        server={server}
        lead={actionLeads[status.about]}
        hasLines={hasLines}
        onDismiss={() => actions.dismiss(server)}
      />
    </div>
  );
}
