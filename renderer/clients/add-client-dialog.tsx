import { useState } from 'react';
import { formatPlural } from '../format/figures.ts';
import { usePanel, useServices } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useTask } from '../use-task.ts';
import { ClientSetup } from './client-setup.tsx';
import styles from './client-dialog.module.css';

const scopes = [
  { value: 'all', label: 'All servers' },
  { value: 'chosen', label: 'Chosen servers' },
] as const;
type Scope = (typeof scopes)[number]['value'];

/** Names a client and what it may use, then shows its token once with what its program is to be given. */
export function AddClientDialog() {
  const { api, clients, manage } = useServices();
  const names = usePanel((state) => state.names);
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('all');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const { status, run } = useTask<{ readonly token: string }>();
  const isBusy = status?.phase === 'pending';
  const chosen = scope === 'all' ? undefined : names.filter((server) => ticked.includes(server));
  const isReady = name.trim() !== '' && chosen?.length !== 0;
  const close = () => manage.close();
  const create = () => {
    if (!isReady || isBusy) return;
    const wanted = { name: name.trim(), ...(chosen && { servers: chosen }) };
    void run(async () => {
      const { token } = await api.createClient(wanted);
      await clients.refresh();
      return { token };
    });
  };

  if (status?.phase === 'done')
    return <ClientSetup name={name.trim()} servers={chosen} token={status.value.token} onClose={close} />;
  return (
    <Dialog
      title="Add a client"
      onClose={close}
      onSubmit={create}
      foot={
        <>
          <p className={styles.gap} role="status">
            {chosen !== undefined && `${formatPlural(chosen.length, 'server')} chosen.`}
          </p>
          <TextButton onClick={close}>Cancel</TextButton>
          <TextButton look="main" disabled={!isReady} isBusy={isBusy} onClick={create}>
            Create its token
          </TextButton>
        </>
      }
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <TextField
          label="Name"
          value={name}
          placeholder="cursor"
          hint="One client for each program, so that you see who calls what and can revoke one alone."
          hasFocus
          onChange={setName}
        />
        <div className={styles.field}>
          <span className={styles.label}>May use</span>
          <div className={styles.scope}>
            <Segments name="May use" value={scope} choices={scopes} onChange={setScope} />
            {scope === 'all' ? (
              <p className={styles.hint}>Those that are added later as well.</p>
            ) : (
              <ServerChoice names={names} ticked={ticked} onChange={setTicked} />
            )}
          </div>
        </div>
      </form>
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={name} lead="Not created" />}
    </Dialog>
  );
}

interface ServerChoiceProps {
  readonly names: readonly string[];
  readonly ticked: readonly string[];
  readonly onChange: (ticked: readonly string[]) => void;
}

function ServerChoice({ names, ticked, onChange }: ServerChoiceProps) {
  if (names.length === 0) return <p className={styles.hint}>There is no server yet.</p>;
  return (
    <ul className={styles.servers} aria-label="Servers it may use">
      {names.map((server) => (
        <li key={server}>
          <CheckField
            label={server}
            isChecked={ticked.includes(server)}
            onChange={(isTicked) =>
              onChange(isTicked ? [...ticked, server] : ticked.filter((other) => other !== server))
            }
          />
        </li>
      ))}
    </ul>
  );
}
