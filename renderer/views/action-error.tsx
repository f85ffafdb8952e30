import type { ServerCommand, StateKind } from '../../shared/server-states.ts';
import { useAction, usePanel, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';

/** What was not done, before the reason. */
export const actionLeads: Readonly<Record<ServerCommand, string>> = {
  start: 'Could not start',
  stop: 'Could not stop',
  restart: 'Could not restart',
};

interface ActionErrorProps {
  readonly server: string;
  readonly className?: string;
  /** Whether to show the server's output about it, too. */
  readonly hasLines?: boolean;
  /** Message that is told in full elsewhere in view. */
  readonly told?: string | undefined;
}

/** Error of the last command given here; gone when dismissed, or once the server runs after all. */
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
