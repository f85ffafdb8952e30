import { useState } from 'react';
import { serverAddress, ALL_SERVERS } from '../../shared/gateway-use.ts';
import type { ServerSet } from '../../shared/gateway.ts';
import { serverNamePattern } from '../../shared/server-names.ts';
import { listWords } from '../format/word-lists.ts';
import { usePanel, useServices } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useTask } from '../use-task.ts';
import { useSets } from './use-sets.ts';
import styles from './clients.module.css';

/** Sets of servers with an address of their own, for clients that want one entry. @param url base address of the endpoint */
export function SetsSection({ url }: { readonly url: string }) {
  const [changes, setChanges] = useState(0);
  const [edited, setEdited] = useState<ServerSet>();
  const sets = useSets(changes);
  const close = () => {
    setEdited(undefined);
    setChanges((before) => before + 1);
  };
  return (
    <section className={styles.machine} aria-label="Sets">
      <div className={styles.line}>
        <h2 className={styles.heading}>Sets</h2>
        <TextButton onClick={() => setEdited({ name: '', servers: [], tools: [] })}>New set…</TextButton>
      </div>
      <p className={styles.dim}>
        All servers at one address: <code>{serverAddress(url, ALL_SERVERS)}</code>. A set is a group of
        servers with an address of its own.
      </p>
      <ul aria-label="Sets of servers">
        {sets.map((set) => (
          <li key={set.name} className={styles.row}>
            <strong>{set.name}</strong>
            <span className={styles.path}>{serverAddress(url, ALL_SERVERS + set.name)}</span>
            <CopyButton
              name={`Copy the address of ${set.name}`}
              text={serverAddress(url, ALL_SERVERS + set.name)}
            />
            <span className={styles.dim}>{listWords(set.servers)}</span>
            <TextButton aria-label={`Change ${set.name}`} onClick={() => setEdited(set)}>
              Change…
            </TextButton>
          </li>
        ))}
      </ul>
      {edited && <SetDialog set={edited} onClose={close} />}
    </section>
  );
}

function SetDialog({ set, onClose }: { readonly set: ServerSet; readonly onClose: () => void }) {
  const { api } = useServices();
  const names = usePanel((state) => state.names);
  const [name, setName] = useState(set.name);
  const [chosen, setChosen] = useState<readonly string[]>(set.servers);
  const { status, run } = useTask();
  const isNew = set.name === '';
  const isUsable = serverNamePattern.test(name) && chosen.length > 0;
  const put = async (servers: readonly string[]) => {
    const tools = Object.fromEntries(set.tools.map((one) => [one.server, one.tools]));
    const settled = await run(() => api.putSet({ name, servers: [...servers], tools }));
    if (settled?.phase === 'done') onClose();
  };
  return (
    <Dialog
      title={isNew ? 'New set' : `Set ${set.name}`}
      size="small"
      onClose={onClose}
      foot={
        <>
          {!isNew && <TextButton onClick={() => void put([])}>Remove the set</TextButton>}
          <TextButton onClick={onClose}>Cancel</TextButton>
          <TextButton
            look="main"
            disabled={!isUsable}
            isBusy={status?.phase === 'pending'}
            onClick={() => void put(chosen)}
          >
            Save
          </TextButton>
        </>
      }
    >
      {isNew && (
        <TextField
          label="Name"
          hint="Letters, digits, “.”, “-” and “_”: it is a part of the address."
          value={name}
          onChange={setName}
        />
      )}
      <fieldset className={styles.choice}>
        <legend>Servers</legend>
        {names.map((server) => (
          <CheckField
            key={server}
            label={server}
            isChecked={chosen.includes(server)}
            onChange={(isChosen) =>
              setChosen(isChosen ? [...chosen, server] : chosen.filter((one) => one !== server))
            }
          />
        ))}
      </fieldset>
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={name} lead="Not saved" />}
    </Dialog>
  );
}
