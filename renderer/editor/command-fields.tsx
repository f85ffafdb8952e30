import { looksLikeCommandLine, splitCommandLine } from '../../shared/command-line.ts';
import type { ClipboardEvent } from 'react';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { EditTarget } from '../format/remedies.ts';
import type { EditorState } from './editor-state.ts';
import { hasPlainArguments, type ServerDraft } from './server-draft.ts';
import { PairTable } from './pair-table.tsx';
import type { ServerEditor } from './use-server-editor.ts';

export interface ReachFieldsProps {
  readonly editor: ServerEditor;
  readonly set: (path: string, changes: Partial<ServerDraft>) => void;
  /** Field that gets the focus first. */
  readonly focus?: EditTarget | undefined;
}

interface CommandFieldsProps extends ReachFieldsProps {
  readonly onPasteCommand: (event: ClipboardEvent<HTMLElement>) => void;
}

/** Fields for the command, its arguments and its environment. */
export function CommandFields({
  editor: { state, problems },
  set,
  onPasteCommand,
  focus,
}: CommandFieldsProps) {
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
      This is taken as one program name, not split into words.{' '}
      <TextButton look="link" onClick={split}>
        Split into command and arguments
      </TextButton>
    </>
  );
}
