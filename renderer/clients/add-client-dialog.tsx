import { useState } from 'react';
import type { NewClient } from '../../shared/ipc/topics/gateway.ts';
import { formatPlural } from '../format/figures.ts';
import { usePanel, useServices, useTask } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { Form } from '../ui/form.tsx';
import {
  chosenServers,
  type ClientDraft,
  ClientFields,
  newClientDraft,
  wantedClient,
} from './client-fields.tsx';
import { ClientSetup } from './client-setup.tsx';

/** Dialog that asks for the name and permissions of a new client, then shows its token once, with the snippet for its program. */
export function AddClientDialog() {
  const { manage } = useServices();
  const names = usePanel((state) => state.names);
  const [draft, setDraft] = useState<ClientDraft>(newClientDraft);
  const chosen = chosenServers(draft, names);
  const wanted = wantedClient(draft, names);
  const { status, create } = useNewToken(wanted);
  const close = () => manage.close();

  if (status?.phase === 'done')
    return (
      <ClientSetup
        name={draft.name.trim()}
        scopes={[draft.purpose]}
        servers={chosen}
        token={status.value.token}
        onClose={close}
      />
    );
  return (
    <Dialog
      title="Add a client"
      onClose={close}
      foot={<p role="status">{chosen !== undefined && `${formatPlural(chosen.length, 'server')} chosen.`}</p>}
      main={{
        words: 'Create token',
        isDisabled: !wanted,
        isBusy: status?.phase === 'pending',
        run: create,
      }}
    >
      <Form className="flex flex-col gap-12" onSubmit={create}>
        <ClientFields
          value={draft}
          names={names}
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
        />
      </Form>
      <FailedNote status={status} server={draft.name} lead="Not created" />
    </Dialog>
  );
}

/** Registers the client once its data is complete. The token is shown only this time. */
function useNewToken(wanted: NewClient | undefined) {
  const { api, clients } = useServices();
  const { status, run } = useTask<{ readonly token: string }>();
  const create = () => {
    if (!wanted || status?.phase === 'pending') return;
    void run(async () => {
      const { token } = await api.createClient(wanted);
      await clients.refresh();
      return { token };
    });
  };
  return { status, create };
}
