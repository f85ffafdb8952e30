import type { ClipboardEvent } from 'react';
import { Segments } from '../ui/segments.tsx';
import { TextField } from '../ui/text-field.tsx';
import { AddressFields } from './address-fields.tsx';
import { CommandFields } from './command-fields.tsx';
import { CheckField } from '../ui/check-field.tsx';
import type { EditTarget } from '../format/remedies.ts';
import { editField } from './editor-state.ts';
import type { ServerDraft } from './server-draft.ts';
import { SupervisionFields } from './supervision-fields.tsx';
import type { ServerEditor } from './use-server-editor.ts';
import styles from './server-form.module.css';

const reaches = [
  { value: 'command', label: 'Runs a command' },
  { value: 'address', label: 'Reached at an address' },
] as const;

interface ServerFormProps {
  readonly editor: ServerEditor;
  readonly onPasteName: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onPasteCommand: (event: ClipboardEvent<HTMLElement>) => void;
  /** Field that gets the focus first. */
  readonly focus?: EditTarget | undefined;
}

/** Form of a server. */
export function ServerForm({ editor, onPasteName, onPasteCommand, focus }: ServerFormProps) {
  const { state, edit, problems } = editor;
  const { draft } = state;
  const set = (path: string, changes: Partial<ServerDraft>) => edit((now) => editField(now, path, changes));
  return (
    <div className={styles.form}>
      <TextField
        label="Name"
        value={draft.name}
        error={problems['name']}
        onChange={(name) => set('name', { name })}
        onPaste={onPasteName}
      />
      <div className={styles.row}>
        <span className={styles.label}>Kind</span>
        <Segments
          name="Kind of server"
          value={draft.reach}
          choices={reaches}
          onChange={(reach) => set('reach', { reach })}
        />
      </div>
      {draft.reach === 'command' ? (
        <CommandFields editor={editor} set={set} onPasteCommand={onPasteCommand} focus={focus} />
      ) : (
        <AddressFields editor={editor} set={set} focus={focus} />
      )}
      <div className={styles.row}>
        <span className={styles.label}>Start</span>
        <div className={styles.checks}>
          <CheckField
            label="With the panel"
            isChecked={draft.panel['autoStart'] !== 'false'}
            onChange={(isOn) =>
              set('panel.autoStart', { panel: { ...draft.panel, autoStart: isOn ? '' : 'false' } })
            }
          />
          <CheckField
            label="Enabled"
            isChecked={draft.isEnabled}
            onChange={(isEnabled) => set('disabled', { isEnabled })}
          />
        </div>
      </div>
      <SupervisionFields editor={editor} hasFocus={focus === 'limits'} />
    </div>
  );
}
