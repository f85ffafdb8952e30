import { useCallback, useEffect, useState } from 'react';
import type { SecretStoreView } from '../../shared/secret-store.ts';
import { storeWords } from '../format/secret-words.ts';
import { usePanel, useServices, useTask } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { Form } from '../ui/form.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { MaskedField } from '../ui/masked-field.tsx';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { PlainValue } from '../store/manage-store.ts';

export const fieldsLine = 'flex flex-wrap items-end gap-x-12 gap-y-8 empty:hidden';

interface StoreFieldProps {
  readonly store: SecretStoreView;
  readonly refresh: () => Promise<void>;
}

/** State of the store of secrets, and the actions available for it. */
export function StoreField({ store, refresh }: StoreFieldProps) {
  const { api } = useServices();
  const { status, run } = useTask<void>();
  const act = (work: () => Promise<void>) => void run(() => work().then(refresh));
  const isBusy = status?.phase === 'pending';
  const { state, keyKind } = store;
  return (
    <div className="flex flex-col gap-8 max-w-720" data-setting="secrets.key">
      <p role="status">{storeWords(store)}</p>
      <FailedNote status={status} server="" lead="Not done" />
      <div className={fieldsLine}>
        {state === 'locked' && keyKind === 'passphrase' && (
          <Passphrase
            label="Passphrase"
            action="Unlock"
            isBusy={isBusy}
            onEnter={(passphrase) => act(() => api.unlockSecrets({ passphrase }))}
          />
        )}
        {['locked', 'no-keyring', 'key-missing'].includes(state) && keyKind !== 'passphrase' && (
          <TextButton look="main" isBusy={isBusy} onClick={() => act(() => api.unlockSecrets({}))}>
            {isBusy ? 'Waiting for the keyring…' : state === 'locked' ? 'Unlock' : 'Ask again'}
          </TextButton>
        )}
        {(state === 'key-missing' || state === 'damaged') && (
          <TextButton
            data-tip="Renames secrets.json and creates an empty one. Nothing is deleted"
            onClick={() => act(() => api.startSecretsAnew())}
          >
            Start over
          </TextButton>
        )}
      </div>
      {['none', 'open', 'no-keyring'].includes(state) && (
        <KeyChoice store={store} act={act} isBusy={isBusy} />
      )}
    </div>
  );
}

interface KeyChoiceProps {
  readonly store: SecretStoreView;
  readonly act: (work: () => Promise<void>) => void;
  readonly isBusy: boolean;
}

/** Buttons that move the key of the secret store to another location. The panel never moves it automatically. */
function KeyChoice({ store: { state, keyKind }, act, isBusy }: KeyChoiceProps) {
  const { api } = useServices();
  const [asksPassphrase, setAsks] = useState(false);
  if (asksPassphrase)
    return (
      <div className={fieldsLine}>
        <Passphrase
          label="New passphrase"
          action="Use it"
          isBusy={isBusy}
          onEnter={(passphrase) => {
            act(() => api.setSecretKey({ kind: 'passphrase', passphrase }));
            setAsks(false);
          }}
        />
        <TextButton onClick={() => setAsks(false)}>Cancel</TextButton>
      </div>
    );
  const current = state === 'open' ? keyKind : undefined;
  return (
    <div className={fieldsLine}>
      {current !== 'keyring' && state !== 'none' && state !== 'no-keyring' && (
        <TextButton
          look="link"
          isBusy={isBusy}
          onClick={() => act(() => api.setSecretKey({ kind: 'keyring' }))}
        >
          Keep the key in the keyring
        </TextButton>
      )}
      <TextButton look="link" onClick={() => setAsks(true)}>
        {current === 'passphrase' ? 'Change the passphrase…' : 'Use a passphrase…'}
      </TextButton>
      {current !== 'file' && (
        <TextButton
          look="link"
          isBusy={isBusy}
          data-tip="In secrets.key next to secrets.json: anyone who can read your files can read the secrets"
          onClick={() => act(() => api.setSecretKey({ kind: 'file' }))}
        >
          Keep the key in a file
        </TextButton>
      )}
    </div>
  );
}

interface PassphraseProps {
  readonly label: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onEnter: (passphrase: string) => void;
}

function Passphrase({ label, action, isBusy, onEnter }: PassphraseProps) {
  const [value, setValue] = useState('');
  return (
    <Form className="flex items-start gap-8" onSubmit={() => value !== '' && onEnter(value)}>
      <MaskedField label={label} value={value} onChange={setValue} />
      <TextButton type="submit" disabled={value === ''} isBusy={isBusy}>
        {action}
      </TextButton>
    </Form>
  );
}

/** Dialog that shows only the secret store, for a user whom the panel has asked to unlock it. */
export function SecretStoreDialog() {
  const { manage } = useServices();
  const { known, refresh } = useSecrets();
  const close = () => manage.close();
  return (
    <Dialog
      title="Secrets"
      size="small"
      onClose={close}
      foot={<TextButton onClick={close}>{known?.store.state === 'open' ? 'Done' : 'Close'}</TextButton>}
    >
      {known !== undefined && <StoreField store={known.store} refresh={refresh} />}
    </Dialog>
  );
}

export type SecretView = Awaited<ReturnType<ControlPanelApi['listSecrets']>>[number];

interface Secrets {
  readonly store: SecretStoreView;
  readonly secrets: readonly SecretView[];
  /** Values in servers.json that look like keys. */
  readonly plain: readonly PlainValue[];
}

async function readSecrets(api: ControlPanelApi): Promise<Secrets> {
  const [store, secrets, plain] = await Promise.all([
    api.getSecretStore(),
    api.listSecrets(),
    api.listPlainSecrets(),
  ]);
  return { store, secrets, plain };
}

/** Contents of the store of secrets, without values; undefined until known. They are read again after each change. */
export function useSecrets(): { readonly known: Secrets | undefined; readonly refresh: () => Promise<void> } {
  const { api } = useServices();
  const [known, setKnown] = useState<Secrets>();
  const state = usePanel(({ config }) => config.secretStore?.state);
  const refresh = useCallback(async () => setKnown(await readSecrets(api)), [api]);
  useEffect(() => {
    readSecrets(api).then(setKnown, () => setKnown(undefined));
  }, [api, state]);
  return { known, refresh };
}
