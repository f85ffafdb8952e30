import { Segments } from '../components/segments.tsx';
import { TextButton } from '../components/text-button.tsx';
import { TextField } from '../components/text-field.tsx';
import { CheckField } from '../components/check-field.tsx';
import { looksLikeCommandLine, splitCommandLine } from './model/command-line.ts';
import { editField, type EditorState } from './model/editor-state.ts';
import { hasPlainArguments, type ServerDraft } from './model/server-draft.ts';
import { PairTable } from './pair-table.tsx';
import { SupervisionFields } from './supervision-fields.tsx';
import type { ServerEditor } from './use-server-editor.ts';
import styles from './server-form.module.css';

const reaches = [
  { value: 'command', label: 'Runs a command' },
  { value: 'address', label: 'Reached at an address' },
] as const;

/** A server as fields. */
export function ServerForm({ editor }: { readonly editor: ServerEditor }) {
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
        <CommandFields editor={editor} set={set} />
      ) : (
        <AddressFields editor={editor} set={set} />
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
      <SupervisionFields editor={editor} />
    </div>
  );
}

interface PartProps {
  readonly editor: ServerEditor;
  readonly set: (path: string, changes: Partial<ServerDraft>) => void;
}

function CommandFields({ editor: { state, problems }, set }: PartProps) {
  const { draft } = state;
  const canSplit = draft.args === '' && looksLikeCommandLine(draft.command);
  const hasPlain = hasPlainArguments(state.base);
  return (
    <>
      <TextField
        label="Command"
        isCode
        value={draft.command}
        error={problems['command']}
        placeholder="npx"
        onChange={(command) => set('command', { command })}
        {...(canSplit && { hint: <SplitHint state={state} set={set} /> })}
      />
      <TextField
        label="Arguments"
        isCode
        rows={Math.min(Math.max(draft.args.split('\n').length, 2), 6)}
        value={draft.args}
        error={problems['args']}
        placeholder="One per line, without quotes"
        isReadOnly={!hasPlain}
        onChange={(args) => set('args', { args })}
        {...(!hasPlain && { hint: 'An argument holds a line break, or is no text. Edit it as JSON.' })}
      />
      <PairTable
        label="Environment"
        noun="variable"
        pairs={draft.env}
        error={problems['env']}
        onChange={(env) => set('env', { env })}
      />
      <TextField
        label="Working folder"
        isCode
        value={draft.cwd}
        error={problems['cwd']}
        placeholder="The folder the panel runs in"
        onChange={(cwd) => set('cwd', { cwd })}
      />
    </>
  );
}

function SplitHint({ state, set }: { readonly state: EditorState; readonly set: PartProps['set'] }) {
  const split = () => {
    const [command = '', ...args] = splitCommandLine(state.draft.command);
    set('command', { command, args: args.join('\n') });
  };
  return (
    <>
      This is run as one program.{' '}
      <TextButton look="link" onClick={split}>
        Split into command and arguments
      </TextButton>
    </>
  );
}

const protocols = [
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP+SSE' },
] as const;

function AddressFields({ editor: { state, problems }, set }: PartProps) {
  const { draft } = state;
  return (
    <>
      <TextField
        label="URL"
        isCode
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
        noun="header"
        pairs={draft.headers}
        error={problems['headers']}
        onChange={(headers) => set('headers', { headers })}
      />
    </>
  );
}
