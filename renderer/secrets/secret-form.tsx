import { useState } from 'react';
import { formatPlural } from '../format/figures.ts';
import { useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useTask } from '../use-task.ts';
import { MaskedField } from '../ui/masked-field.tsx';
import styles from './secrets.module.css';

interface SecretFormProps {
  readonly kind: 'add' | 'replace' | 'rename';
  /** Name of the secret; empty for a new one. */
  readonly name: string;
  readonly usedBy: readonly string[];
  /** @param isChanged whether something was saved */
  readonly onClose: (isChanged: boolean) => void;
}

const saves = { add: 'Add', replace: 'Replace', rename: 'Rename' } as const;

/** Form for a new secret, another value or another name. A value can be replaced, but never read. */
export function SecretForm({ kind, name, usedBy, onClose }: SecretFormProps) {
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
    <form
      className={styles.form}
      aria-label={kind === 'add' ? 'New secret' : `${saves[kind]} ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) save();
      }}
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
              ? 'Entries that refer to it are changed with it.'
              : 'Entries refer to it as ${secret:NAME}.'
          }
          onChange={setNewName}
        />
      )}
      {kind !== 'rename' && <MaskedField label="Value" value={value} onChange={setValue} />}
      {kind === 'replace' && usedBy.length > 0 && (
        <p className={styles.hint}>
          {formatPlural(usedBy.length, 'server')} will restart once: {usedBy.join(', ')}.
        </p>
      )}
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={newName} lead="Not saved" />}
      <div className={styles.line}>
        <TextButton type="submit" disabled={!isComplete} isBusy={status?.phase === 'pending'}>
          {saves[kind]}
        </TextButton>
        <TextButton onClick={() => onClose(false)}>Cancel</TextButton>
      </div>
    </form>
  );
}
