import type { ClipboardEvent } from 'react';
import { Segments } from '../ui/segments.tsx';
import { FieldLine } from '../ui/field-line.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CheckField } from '../ui/check-field.tsx';
import type { EditTarget } from '../format/remedies.ts';
import { editField, type EditorState, editSetting } from './editor-state.ts';
import { hasPlainArguments, type ServerDraft } from './server-draft.ts';
import type { ServerEditor } from './use-server-editor.ts';
import { PairTable } from './pair-table.tsx';
import { useSettingDefaults } from '../settings/use-settings.ts';
import { SettingFieldSet } from '../settings/setting-field-set.tsx';
import { settingFields } from '../entry/setting-fields.ts';
import { ownValue } from '../../shared/own-value.ts';
import { looksLikeCommandLine, splitCommandLine } from '../../shared/command-line.ts';
import { TextButton } from '../ui/text-button.tsx';

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

/** Form that edits a server. */
export function ServerForm({ editor, onPasteName, onPasteCommand, focus }: ServerFormProps) {
  const { state, edit, problems } = editor;
  const { draft } = state;
  const set = (path: string, changes: Partial<ServerDraft>) => edit((now) => editField(now, path, changes));
  return (
    <div className="flex flex-col gap-8">
      <TextField
        label="Name"
        value={draft.name}
        error={problems['name']}
        onChange={(name) => set('name', { name })}
        onPaste={onPasteName}
      />
      <FieldLine label="Kind">
        <Segments
          name="Kind of server"
          value={draft.reach}
          choices={reaches}
          onChange={(reach) => set('reach', { reach })}
        />
      </FieldLine>
      {draft.reach === 'command' ? (
        <CommandFields editor={editor} set={set} onPasteCommand={onPasteCommand} focus={focus} />
      ) : (
        <AddressFields editor={editor} set={set} focus={focus} />
      )}
      <FieldLine label="Start">
        <div className="flex flex-wrap gap-x-16 gap-y-4 py-4">
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
      </FieldLine>
      <SupervisionFields editor={editor} hasFocus={focus === 'limits'} />
    </div>
  );
}

const protocols = [
  { value: 'http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'HTTP+SSE' },
] as const;

/** Fields for a server's address and the headers that are sent to it. */
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
      <FieldLine label="Transport">
        <Segments
          name="Transport"
          value={draft.protocol}
          choices={protocols}
          onChange={(protocol) => set('type', { protocol })}
        />
      </FieldLine>
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

/** Fields that set how the TLS certificate of the server's address is verified. */
function CertificateFields({ editor: { state, problems }, set }: ReachFieldsProps) {
  const { verifiesTls, caFile } = state.draft;
  return (
    <fieldset className="flex flex-col gap-8" aria-label="Certificates">
      <FieldLine label="Certificates">
        <div className="flex flex-wrap gap-x-16 gap-y-4 py-4">
          <CheckField
            label="Check the server’s certificate"
            isChecked={verifiesTls}
            onChange={(isOn) => set('tls', { verifiesTls: isOn })}
            {...(!verifiesTls && {
              hint: 'Anyone on the network path can impersonate this server, read what is sent to it, headers included, and answer.',
            })}
          />
        </div>
      </FieldLine>
      <TextField
        label="CA file"
        isCode
        value={caFile}
        error={problems['tls']}
        placeholder="PEM file, trusted in addition to the public authorities"
        isReadOnly={!verifiesTls}
        onChange={(path) => set('tls', { caFile: path })}
      />
    </fieldset>
  );
}

interface SupervisionFieldsProps {
  readonly editor: ServerEditor;
  /** True if the fields are expanded and get the focus first. */
  readonly hasFocus?: boolean;
}

/** Fields for limits, restarts and other settings, collapsed at first. Each field shows its default. */
function SupervisionFields({ editor: { state, edit, problems }, hasFocus = false }: SupervisionFieldsProps) {
  const defaults = useSettingDefaults();
  const set = settingFields.filter(({ path }) => (ownValue(state.draft.panel, path) ?? '') !== '').length;
  const isWrong = Object.keys(problems).some((path) => path.startsWith('panel.'));
  return (
    <details className="mt-4 pt-8 border-t border-line" {...((isWrong || hasFocus) && { open: true })}>
      <summary className="py-2 font-semibold" data-autofocus={hasFocus || undefined}>
        Supervision
        <span className="ml-8 hint">{set === 0 ? 'All defaults' : `${set} changed`}</span>
      </summary>
      <SettingFieldSet
        texts={state.draft.panel}
        problems={problems}
        defaults={defaults}
        onChange={(path, text) => edit((now) => editSetting(now, path, text))}
      />
    </details>
  );
}

interface ReachFieldsProps {
  readonly editor: ServerEditor;
  readonly set: (path: string, changes: Partial<ServerDraft>) => void;
  /** Field that gets the focus first. */
  readonly focus?: EditTarget | undefined;
}

interface CommandFieldsProps extends ReachFieldsProps {
  readonly onPasteCommand: (event: ClipboardEvent<HTMLElement>) => void;
}

/** Fields for the command, its arguments and its environment. */
function CommandFields({ editor: { state, problems }, set, onPasteCommand, focus }: CommandFieldsProps) {
  const { draft } = state;
  const canSplit = draft.args === '' && looksLikeCommandLine(draft.command);
  const hasPlain = hasPlainArguments(state.base);
  return (
    <>
      <TextField
        label="Command"
        isCode
        hasFocus={focus === 'command'}
        value={draft.command}
        error={problems['command']}
        placeholder="npx"
        onChange={(command) => set('command', { command })}
        onPaste={onPasteCommand}
        {...(canSplit && { hint: <SplitHint state={state} set={set} /> })}
      />
      <TextField
        label="Arguments"
        isCode
        hasFocus={focus === 'args'}
        rows={Math.min(Math.max(draft.args.split('\n').length, 2), 6)}
        value={draft.args}
        error={problems['args']}
        placeholder="One per line, without quotes"
        isReadOnly={!hasPlain}
        onChange={(args) => set('args', { args })}
        {...(!hasPlain && { hint: 'An argument contains a line break or is not text. Edit it as JSON.' })}
      />
      <PairTable
        label="Environment"
        hasFocus={focus === 'env'}
        noun="variable"
        pairs={draft.env}
        error={problems['env']}
        onChange={(env) => set('env', { env })}
      />
      <TextField
        label="Working folder"
        isCode
        hasFocus={focus === 'cwd'}
        value={draft.cwd}
        error={problems['cwd']}
        placeholder="Your home folder"
        onChange={(cwd) => set('cwd', { cwd })}
      />
    </>
  );
}

function SplitHint({ state, set }: { readonly state: EditorState; readonly set: ReachFieldsProps['set'] }) {
  const split = () => {
    const [command = '', ...args] = splitCommandLine(state.draft.command);
    set('command', { command, args: args.join('\n') });
  };
  return (
    <>
      This is treated as one program name and not split into words.{' '}
      <TextButton look="link" onClick={split}>
        Split into command and arguments
      </TextButton>
    </>
  );
}
