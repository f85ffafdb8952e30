import type { ClipboardEvent } from 'react';
import { Segments } from '../ui/segments.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CommandFields, type ReachFieldsProps } from './command-fields.tsx';
import { CheckField } from '../ui/check-field.tsx';
import type { EditTarget } from '../format/remedies.ts';
import { editField } from './editor-state.ts';
import type { ServerDraft } from './server-draft.ts';
import { SupervisionFields } from './supervision-fields.tsx';
import type { ServerEditor } from './use-server-editor.ts';
import styles from './server-form.module.css';
import { PairTable } from './pair-table.tsx';

const reaches = [
  { value: 'command', label: 'Local command' },
  { value: 'address', label: 'Remote URL' },
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

const protocols = [
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP+SSE' },
] as const;

/** Fields for the address of a server and the headers sent to it. */
function AddressFields({ editor, set, focus }: ReachFieldsProps) {
  const { state, problems } = editor;
  const { draft } = state;
  return (
    <>
      <TextField
        label="URL"
        isCode
        hasFocus={focus === 'url'}
        value={draft.url}
        error={problems['url']}
        placeholder="https://mcp.example.com/mcp"
        onChange={(url) => set('url', { url })}
      />
      <div className={styles.row}>
        <span className={styles.label}>Transport</span>
        <Segments
          name="Transport"
          value={draft.protocol}
          choices={protocols}
          onChange={(protocol) => set('type', { protocol })}
        />
      </div>
      <PairTable
        label="Headers"
        hasFocus={focus === 'headers'}
        noun="header"
        pairs={draft.headers}
        error={problems['headers']}
        onChange={(headers) => set('headers', { headers })}
      />
      <CertificateFields editor={editor} set={set} />
    </>
  );
}

/** Fields that set how the TLS certificate of an address is checked. */
function CertificateFields({ editor: { state, problems }, set }: ReachFieldsProps) {
  const { verifiesTls, caFile } = state.draft;
  return (
    <fieldset className={styles.group} aria-label="Certificates">
      <div className={styles.row}>
        <span className={styles.label}>Certificates</span>
        <div className={styles.checks}>
          <CheckField
            label="Check the server’s certificate"
            isChecked={verifiesTls}
            onChange={(isOn) => set('tls', { verifiesTls: isOn })}
            {...(!verifiesTls && {
              hint: 'Anyone on the network path can impersonate this server, read what is sent to it, headers included, and answer.',
            })}
          />
        </div>
      </div>
      <TextField
        label="CA file"
        isCode
        value={caFile}
        error={problems['tls']}
        placeholder="PEM file, trusted beside the public authorities"
        isReadOnly={!verifiesTls}
        onChange={(path) => set('tls', { caFile: path })}
      />
    </fieldset>
  );
}
