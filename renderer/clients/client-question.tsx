import { useEffect, useState } from 'react';
import type { ClientView } from '../../shared/gateway.ts';
import { type Services, useAsk, useClients, usePanel, useServices, useTask } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { Question } from '../ui/question.tsx';
import { ClientSetup } from './client-setup.tsx';
import { lossWords, usedNowWords } from '../format/client-words.ts';
import { chosenServers, draftOf, ReachFields } from './client-fields.tsx';

interface ClientQuestionProps {
  /** Id of the client. */
  readonly client: string;
}

/** Returns the client with its current state. The dialog closes if the client no longer exists. */
function useClientInQuestion(id: string): ClientView | undefined {
  const { manage } = useServices();
  const clients = useClients((state) => state.clients);
  const client = clients?.find((one) => one.id === id);
  const isGone = clients !== undefined && client === undefined;
  useEffect(() => {
    if (isGone) manage.close();
  }, [isGone, manage]);
  return client;
}

/** Confirmation dialog before a token is revoked. It says which sessions and calls in flight end with the token. */
export function RevokeClientDialog({ client: id }: ClientQuestionProps) {
  const services = useServices();
  const client = useClientInQuestion(id);
  const status = useAsk(revokeKey(id));
  if (client === undefined) return null;
  const close = () => services.manage.close();
  const revoke = () => void revokeClient(services, id).then((isRevoked) => isRevoked && close());
  return (
    <Question
      title={`Revoke ${client.name}?`}
      no="Keep it"
      yes={`Revoke access of ${client.name}`}
      isBusy={status?.phase === 'pending'}
      onNo={close}
      onYes={revoke}
    >
      <p>
        {lossWords(client)} Its token is refused from then on; to give it access again, create a new client.
      </p>
      <FailedNote status={status} server={client.name} lead="Not revoked" />
    </Question>
  );
}

/** Confirmation dialog before a token is replaced. Afterwards it shows the new token. */
export function RenewClientDialog({ client: id }: ClientQuestionProps) {
  const { api, clients, manage } = useServices();
  const client = useClientInQuestion(id);
  const asksQuestions = usePanel((state) => state.asksQuestions);
  const { status, run } = useTask<{ readonly token: string }>();
  const renew = () =>
    void run(async () => {
      const { token } = await api.renewClient(id);
      await clients.refresh();
      return { token };
    });
  useEffect(() => {
    // If confirmation questions are turned off, the renewal starts immediately.
    if (!asksQuestions) void run(() => api.renewClient(id));
  }, [asksQuestions, api, id, run]);
  if (client === undefined) return null;
  const close = () => manage.close();
  if (status?.phase === 'done') return <ClientSetup {...client} token={status.value.token} onClose={close} />;
  return (
    <Question
      title={`Renew the token of ${client.name}?`}
      no="Keep the old one"
      yes="Renew the token"
      look="main"
      isBusy={status?.phase === 'pending'}
      onNo={close}
      onYes={renew}
    >
      <p>
        {usedNowWords(client)} The old token stops working: programs that use it are refused until they have
        the new one. The configuration for the program is shown next.
      </p>
      <FailedNote status={status} server={client.name} lead="Not renewed" />
    </Question>
  );
}

/** Dialog that changes what a client may use. The token stays the same. */
export function ChangeClientDialog({ client: id }: ClientQuestionProps) {
  const client = useClientInQuestion(id);
  return client && <Reach key={id} client={client} />;
}

function Reach({ client }: { readonly client: ClientView }) {
  const { api, clients, manage } = useServices();
  const names = usePanel((state) => state.names);
  const [draft, setDraft] = useState(() => draftOf(client));
  const { status, run } = useTask<void>();
  const { id, name } = client;
  const servers = chosenServers(draft, names);
  const change = () =>
    void run(async () => {
      await api.changeClient({ id, ...(servers && { servers: [...servers] }) });
      await clients.refresh();
      manage.close();
    });
  return (
    <Dialog
      title={`What ${name} may use`}
      size="small"
      onClose={() => manage.close()}
      main={{
        words: 'Change it',
        isDisabled: servers?.length === 0,
        isBusy: status?.phase === 'pending',
        run: change,
      }}
    >
      <ReachFields
        value={draft}
        names={names}
        onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
      />
      <p>Its token stays. {usedNowWords(client)}</p>
      <FailedNote status={status} server={name} lead="Not changed" />
    </Dialog>
  );
}

/**
 * Opens the dialog that changes a client, or the confirmation before a renewal or a revocation. If confirmations are turned
 * off, a revocation is carried out immediately.
 */
export function askOfClient(
  services: Services,
  kind: 'renew-client' | 'revoke-client' | 'change-client',
  client: string,
): void {
  const { manage, panel } = services;
  if (kind === 'revoke-client' && !panel.getState().asksQuestions) return void revokeClient(services, client);
  manage.open({ kind, client });
}

export const revokeKey = (client: string): string => `revoke client ${client}`;

/** Revokes a client. Resolves with true if that worked. Never rejects, because `asks` keeps the error. */
async function revokeClient({ api, asks, clients }: Services, client: string): Promise<boolean> {
  const settled = await asks.run(revokeKey(client), () => api.revokeClient(client));
  await clients.refresh();
  return settled?.phase === 'done';
}
