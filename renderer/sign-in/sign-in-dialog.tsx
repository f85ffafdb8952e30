import { useEffect, useState } from 'react';
import type { SignInView } from '../../shared/sign-in.ts';
import { formatHourMinute } from '../format/moments.ts';
import { signInWords } from '../format/remedies.ts';
import { useServer, useServices, useTask } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote, FailedNote } from '../ui/error-note.tsx';
import { MaskedField } from '../ui/masked-field.tsx';

/** Dialog in which the user signs in to a remote server. Only the dialog's button opens a browser. */
export function SignInDialog({ server }: { readonly server: string }) {
  const { api, manage } = useServices();
  const signIn = useServer(server)?.signIn;
  const { status, run } = useTask<string>();
  const [ids, setIds] = useState({ clientId: '', clientSecret: '' });
  useCloseWhenDone(server, signIn);
  const asksId = signIn?.asksClientId === true;
  const go = () =>
    void run(async () => {
      const { clientId, clientSecret } = ids;
      if (asksId) await api.setClientId({ name: server, clientId, ...(clientSecret && { clientSecret }) });
      return (await api.signIn(server)).authorizationUrl;
    });
  const isOpen = signIn?.state === 'open';
  return (
    <Dialog
      title={`Sign in to ${server}`}
      size="small"
      onClose={() => manage.close()}
      main={{
        no: isOpen ? 'Close' : 'Not now',
        words: isOpen ? 'Open the browser again' : 'Open the browser',
        focus: 'yes' as const,
        isDisabled: asksId && ids.clientId === '',
        isBusy: status?.phase === 'pending',
        run: go,
      }}
    >
      {signIn !== undefined && <Words signIn={signIn} />}
      {asksId && <ClientIdFields ids={ids} onIds={setIds} />}
      {isOpen && status?.phase === 'done' && (
        <p>
          The browser did not open?{' '}
          <CopyButton name="Copy the link" label="Copy the link" text={status.value} />
        </p>
      )}
      <FailedNote status={status} server={server} lead="Not begun" />
      {status?.phase !== 'failed' && signIn?.problem !== undefined && (
        <ErrorNote error={signIn.problem} server={server} lead="Not signed in" />
      )}
    </Dialog>
  );
}

/** Closes the dialog when no sign-in is needed any longer. After a sign-in, a note says so and names the account if known. */
function useCloseWhenDone(server: string, signIn: SignInView | undefined): void {
  const { manage } = useServices();
  const words = signIn?.state === 'signed-in' ? signInWords(signIn) : undefined;
  const isDone = signIn === undefined || words !== undefined;
  useEffect(() => {
    if (!isDone) return;
    manage.close();
    if (words !== undefined) manage.setNote({ kind: 'done', words: `${server}: ${words}.` });
  }, [isDone, manage, server, words]);
}

interface ClientIdFieldsProps {
  readonly ids: { readonly clientId: string; readonly clientSecret: string };
  readonly onIds: (ids: ClientIdFieldsProps['ids']) => void;
}

/** Fields for the client id and the client secret that a service issues if its clients have to be registered manually. */
function ClientIdFields({ ids, onIds }: ClientIdFieldsProps) {
  return (
    <>
      <MaskedField
        label="Client id"
        isSecret={false}
        hint="From the settings of the service, where its programs are registered by hand."
        value={ids.clientId}
        onChange={(clientId) => onIds({ ...ids, clientId })}
      />
      <MaskedField
        label="Client secret"
        hint="Only where the service gave one."
        value={ids.clientSecret}
        onChange={(clientSecret) => onIds({ ...ids, clientSecret })}
      />
    </>
  );
}

function Words({ signIn: { state, issuer, until } }: { readonly signIn: SignInView }) {
  const where = issuer === undefined ? 'the page of the service' : issuer;
  if (state === 'open')
    return (
      <p role="status">
        Waiting for your answer in the browser
        {until !== undefined && <>, until {formatHourMinute(until)}</>}. The server then starts automatically.
      </p>
    );
  return (
    <p>
      Your browser opens <strong>{where}</strong>. The panel keeps the tokens encrypted on this machine, and
      sends them only to this server.
    </p>
  );
}
