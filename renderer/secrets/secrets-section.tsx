import { useState } from 'react';
import { formatAgo } from '../format/durations.ts';
import { useNow, useServices, useTask } from '../services.ts';
import { moveToSecrets, type PlainValue } from '../store/manage-store.ts';
import { hrefOf } from '../store/route-store.ts';
import { FailedNote, FailedRow } from '../ui/error-note.tsx';
import { Form } from '../ui/form.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { fieldsLine, type SecretView, StoreField, useSecrets } from './store-field.tsx';
import { Unseen } from '../ui/page.tsx';
import { formatPlural } from '../format/figures.ts';
import { MaskedField } from '../ui/masked-field.tsx';

/** Secrets that servers refer to, and values in servers.json that should be secrets. */
export function SecretsSection() {
  const { known, refresh } = useSecrets();
  if (known === undefined) return null;
  const { store, secrets, plain } = known;
  return (
    <>
      <StoreField store={store} refresh={refresh} />
      {(store.state === 'open' || store.state === 'none') && (
        <KeptSecrets secrets={secrets} refresh={refresh} />
      )}
      {plain.length > 0 && <PlainSecrets plain={plain} refresh={refresh} />}
    </>
  );
}

interface KeptSecretsProps {
  readonly secrets: readonly SecretView[];
  readonly refresh: () => Promise<void>;
}

/** Form that is open: for the secret with this name, or for a new one. */
type OpenForm = { readonly kind: 'add' } | { readonly kind: 'replace' | 'rename'; readonly name: string };

const tableLook =
  '[&_:is(th,td)]:py-4 [&_:is(th,td)]:pr-12 [&_:is(th,td)]:pl-0 [&_:is(th,td)]:wrap-anywhere [&_td]:border-t [&_td]:border-line';

function KeptSecrets({ secrets, refresh }: KeptSecretsProps) {
  const [form, setForm] = useState<OpenForm>();
  const closed = (isChanged: boolean) => {
    setForm(undefined);
    if (isChanged) void refresh();
  };
  return (
    <>
      {secrets.length > 0 && (
        <table className={tableLook} aria-label="Secrets">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Used by</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <Unseen>Change</Unseen>
              </th>
            </tr>
          </thead>
          <tbody>
            {secrets.map((secret) =>
              form !== undefined && form.kind !== 'add' && form.name === secret.name ? (
                <tr key={secret.name}>
                  <td colSpan={4}>
                    <SecretForm kind={form.kind} name={secret.name} usedBy={secret.usedBy} onClose={closed} />
                  </td>
                </tr>
              ) : (
                <SecretRow key={secret.name} secret={secret} open={setForm} refresh={refresh} />
              ),
            )}
          </tbody>
        </table>
      )}
      {form?.kind === 'add' ? (
        <SecretForm kind="add" name="" usedBy={[]} onClose={closed} />
      ) : (
        <div className={fieldsLine} data-setting="secrets">
          <TextButton onClick={() => setForm({ kind: 'add' })}>Add a secret…</TextButton>
        </div>
      )}
    </>
  );
}

interface SecretRowProps {
  readonly secret: SecretView;
  readonly open: (form: OpenForm) => void;
  readonly refresh: () => Promise<void>;
}

function SecretRow({ secret, open, refresh }: SecretRowProps) {
  const { name, usedBy, isUsedByAlerts = false, lastUsedAt } = secret;
  const isUsed = usedBy.length > 0 || isUsedByAlerts;
  const { api } = useServices();
  const { status, run } = useTask<void>();
  const used = useNow((now) => (lastUsedAt === undefined ? 'never' : formatAgo(now - lastUsedAt)));
  const remove = () => void run(() => api.removeSecret(name).then(refresh));
  return (
    <>
      <tr aria-label={name}>
        <td>
          <code>{name}</code>
        </td>
        <td>
          <Uses secret={secret} />
        </td>
        <td>{used}</td>
        <td className="flex justify-end gap-4">
          <TextButton aria-label={`Replace ${name}`} onClick={() => open({ kind: 'replace', name })}>
            Replace
          </TextButton>
          <TextButton aria-label={`Rename ${name}`} onClick={() => open({ kind: 'rename', name })}>
            Rename
          </TextButton>
          <TextButton
            aria-label={`Delete ${name}`}
            disabled={isUsed}
            {...(isUsed && {
              'data-tip': usedBy.length > 0 ? 'A server refers to it' : 'Alerts are sent with it',
            })}
            isBusy={status?.phase === 'pending'}
            onClick={remove}
          >
            Delete
          </TextButton>
        </td>
      </tr>
      <FailedRow status={status} columns={4} server={name} lead="Not deleted" />
    </>
  );
}

/** Servers that use a secret, and the alerts if they use it, as links. */
function Uses({ secret: { usedBy, isUsedByAlerts } }: Pick<SecretRowProps, 'secret'>) {
  if (usedBy.length === 0 && isUsedByAlerts === undefined) return 'nothing';
  return (
    <>
      {usedBy.map((name) => (
        <a key={name} className="mr-8" href={hrefOf({ view: 'server', name, tab: 'configuration' })}>
          {name}
        </a>
      ))}
      {isUsedByAlerts === true && (
        <a className="mr-8" href={hrefOf({ view: 'settings', page: 'alerts' })}>
          alerts
        </a>
      )}
    </>
  );
}

interface PlainSecretsProps {
  readonly plain: readonly PlainValue[];
  readonly refresh: () => Promise<void>;
}

/** Values that look like keys and are stored in plain text in servers.json, with a way to move them to the store. */
function PlainSecrets({ plain, refresh }: PlainSecretsProps) {
  const services = useServices();
  const { status, run } = useTask<void>();
  const move = (wanted: readonly PlainValue[]) =>
    void run(() => moveToSecrets(services, wanted).finally(refresh));
  const isBusy = status?.phase === 'pending';
  return (
    <section aria-label="In plain text">
      <h3 className="mt-12 mb-4 text-13 font-semibold">
        In plain text
        <span className="ml-8 hint">
          These values look like keys, and anyone who can read servers.json can read them.
        </span>
      </h3>
      <ul>
        {plain.map((one) => (
          <li
            key={`${one.server} ${one.label}`}
            className="flex items-center justify-between gap-12 py-4 border-t border-line"
          >
            <span className="min-w-0 wrap-anywhere">
              <strong>{one.server}</strong> {one.label}
            </span>
            <TextButton
              aria-label={`Move ${one.label} of ${one.server} to secrets`}
              data-tip={`As ${one.suggestedName}`}
              isBusy={isBusy}
              onClick={() => move([one])}
            >
              Move to secrets
            </TextButton>
          </li>
        ))}
      </ul>
      <FailedNote status={status} server="" lead="Not moved" />
      {plain.length > 1 && (
        <div className={`mt-8 ${fieldsLine}`}>
          <TextButton isBusy={isBusy} onClick={() => move(plain)}>
            Move all {plain.length} to secrets
          </TextButton>
        </div>
      )}
    </section>
  );
}

interface SecretFormProps {
  readonly kind: 'add' | 'replace' | 'rename';
  /** Name of the secret; empty for a new one. */
  readonly name: string;
  readonly usedBy: readonly string[];
  /** @param isChanged whether something was saved */
  readonly onClose: (isChanged: boolean) => void;
}

const saves = { add: 'Add', replace: 'Replace', rename: 'Rename' } as const;

/** Form for a new secret, a new value or a new name. A value can be replaced, but never read. */
function SecretForm({ kind, name, usedBy, onClose }: SecretFormProps) {
  const { api } = useServices();
  const [newName, setNewName] = useState(name);
  const [value, setValue] = useState('');
  const { status, run } = useTask<void>();
  const isComplete = newName.trim() !== '' && (kind === 'rename' ? newName !== name : value !== '');
  const save = () =>
    void run(async () => {
      if (kind === 'rename') await api.renameSecret({ from: name, to: newName.trim() });
      else await api.putSecret({ name: newName.trim(), value });
      onClose(true);
    });
  return (
    <Form
      className="flex flex-col gap-8 max-w-720"
      aria-label={kind === 'add' ? 'New secret' : `${saves[kind]} ${name}`}
      onSubmit={() => isComplete && save()}
    >
      {kind === 'replace' ? (
        <code>{name}</code>
      ) : (
        <MaskedField
          label="Name"
          isSecret={false}
          value={newName}
          placeholder="GITHUB_TOKEN"
          hint={
            kind === 'rename'
              ? 'Entries that refer to it are changed accordingly.'
              : 'Entries refer to it as ${secret:NAME}.'
          }
          onChange={setNewName}
        />
      )}
      {kind !== 'rename' && <MaskedField label="Value" value={value} onChange={setValue} />}
      {kind === 'replace' && usedBy.length > 0 && (
        <p className="hint">
          {formatPlural(usedBy.length, 'server')} will restart once: {usedBy.join(', ')}.
        </p>
      )}
      <FailedNote status={status} server={newName} lead="Not saved" />
      <div className={fieldsLine}>
        <TextButton type="submit" disabled={!isComplete} isBusy={status?.phase === 'pending'}>
          {saves[kind]}
        </TextButton>
        <TextButton onClick={() => onClose(false)}>Cancel</TextButton>
      </div>
    </Form>
  );
}
