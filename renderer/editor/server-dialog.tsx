import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { callsInFlightWords } from '../format/call-figures.ts';
import type { EditTarget } from '../format/remedies.ts';
import { shortcutOf } from '../commands/shortcuts.ts';
import { usePanel, useServices } from '../services.ts';
import { focusServer } from '../commands/focus-server.ts';
import { JsonPane } from './json-pane.tsx';
import { answerAsk, closeJson, editedEntry, type EditorState, openAsks, openJson } from './editor-state.ts';
import { AskFields } from '../entry/ask-fields.tsx';
import { nameProblem } from '../entry/raw-entry.ts';
import type { SaveEffect } from './save-effect.ts';
import { ServerForm } from './server-form.tsx';
import { TestResult, useConnectionTest } from './test-result.tsx';
import { usePastedSnippet } from './use-pasted-snippet.ts';
import { type EditorStart, type ServerEditor, useServerEditor } from './use-server-editor.ts';

const panes = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

const paneOf = ({ json }: EditorState) => (json === undefined ? 'form' : 'json');

interface ServerDialogProps {
  readonly title: string;
  readonly start: EditorStart;
  /** Field that gets the focus first; if absent, the name. */
  readonly focus?: EditTarget | undefined;
}

/** Dialog that adds or edits one server, as a form or as text. */
export function ServerDialog({ title, start, focus }: ServerDialogProps) {
  const { manage } = useServices();
  const asksQuestions = usePanel((state) => state.asksQuestions);
  const editor = useServerEditor(manage.api, start);
  const test = useConnectionTest(manage.api);
  const paste = usePastedSnippet(manage, editor);
  const [isLeaving, setIsLeaving] = useState(false);
  const { state, edit } = editor;
  const leave = () => (asksQuestions && editor.isEdited && !isLeaving ? setIsLeaving(true) : manage.close());
  const isIdle =
    editor.effect.kind === 'nothing' || state.json?.problem !== undefined || editor.conflict !== undefined;
  const save = async () => {
    const name = await editor.save();
    if (name === undefined) return focusFirstProblem();
    manage.close();
    focusServer(name);
  };
  const runTest = () => {
    if (!editor.checkForTest()) return focusFirstProblem();
    // An invalid name must not prevent a test of the other fields.
    const isNamed = nameProblem(state.draft.name, []) === undefined;
    test.run({ ...editedEntry(state), name: isNamed ? state.draft.name : 'new-server' });
  };
  const main = {
    words: start.original === undefined ? 'Add' : saveWords[editor.effect.kind],
    tip: shortcutOf('start'),
    isDisabled: isIdle,
    isBusy: editor.isSaving,
    run: () => void save(),
  };
  return (
    <Dialog
      title={title}
      onClose={isLeaving ? () => setIsLeaving(false) : leave}
      aside={
        <Segments
          name="Edit as"
          value={paneOf(state)}
          choices={panes}
          onChange={(next) => edit((now) => (next === 'json' ? openJson(now) : closeJson(now)))}
        />
      }
      foot={
        isLeaving ? (
          <DiscardQuestion onStay={() => setIsLeaving(false)} onDiscard={() => manage.close()} />
        ) : (
          <Foot
            editor={editor}
            isTesting={test.status?.phase === 'pending'}
            onTest={runTest}
            isIdle={isIdle}
          />
        )
      }
      main={isLeaving ? undefined : main}
    >
      <Pane {...{ editor, paste, test, focus }} isNew={start.original === undefined} />
    </Dialog>
  );
}

interface PaneProps extends Pick<ServerDialogProps, 'focus'> {
  readonly editor: ServerEditor;
  readonly paste: ReturnType<typeof usePastedSnippet>;
  readonly test: ReturnType<typeof useConnectionTest>;
  readonly isNew: boolean;
}

/** Shows the entry as a form or as text, together with its messages. */
function Pane({ editor, paste, test, focus, isNew }: PaneProps) {
  const { manage } = useServices();
  const { state } = editor;
  const pane = paneOf(state);
  return (
    <div className="flex flex-col gap-12" onPaste={paste.onPaste}>
      <DiskConflictNote editor={editor} onClose={() => manage.close()} />
      {isNew && !editor.isEdited && pane === 'form' && paste.words === undefined && (
        <p className="text-dim">
          Paste the configuration of a README or another client right here, or{' '}
          <TextButton look="link" onClick={() => manage.open({ kind: 'paste', text: '' })}>
            paste several at once
          </TextButton>
          .
        </p>
      )}
      {paste.words !== undefined && (
        <p className="py-6 px-8 rounded-md bg-accent-soft" role="status">
          {paste.words}
        </p>
      )}
      {pane === 'form' && <OpenAsks editor={editor} />}
      {pane === 'form' ? (
        <ServerForm
          editor={editor}
          onPasteName={paste.onPasteName}
          onPasteCommand={paste.onPasteCommand}
          focus={focus}
        />
      ) : (
        <JsonPane editor={editor} />
      )}
      <TestResult test={test.status} name={state.draft.name} entry={editedEntry(state)} />
      {editor.error !== undefined && editor.conflict === undefined && (
        <div role="alert">
          <ErrorNote error={editor.error} server={state.draft.name} lead="Could not save" />
        </div>
      )}
    </div>
  );
}

interface DiskConflictNoteProps {
  readonly editor: ServerEditor;
  /** Closes the editor; called if the user accepts that the entry no longer exists on disk. */
  readonly onClose: () => void;
}

// The note stays visible while the form is scrolled, because saving is blocked until the user answers it.
const noteLook =
  'sticky -top-4 z-2 flex flex-wrap items-center gap-x-8 gap-y-6 py-6 pr-6 pl-8 border-l-2 border-suspect rounded-r-md';

/** Note that the entry was changed on disk during the edit. The user must choose one of the two versions before saving. */
function DiskConflictNote({ editor, onClose }: DiskConflictNoteProps) {
  const { conflict, keepMine, loadFromDisk } = editor;
  if (conflict === undefined) return null;
  const isGone = conflict.onDisk === undefined;
  return (
    <div
      className={`${noteLook} bg-[color-mix(in_srgb,var(--state-suspect)_12%,var(--ground))]`}
      role="alert"
    >
      <span className="flex flex-none text-suspect">
        <Icon name="warning" />
      </span>
      <p className="flex-[1_1_260px] wrap-anywhere">
        {isGone
          ? 'This server was removed from servers.json while you edited it.'
          : `This server was changed on disk while you edited it: ${conflict.changed.join(', ')}.`}
      </p>
      <TextButton onClick={isGone ? onClose : loadFromDisk}>
        {isGone ? 'Discard mine' : 'Load the version on disk'}
      </TextButton>
      <TextButton onClick={keepMine}>Keep mine</TextButton>
    </div>
  );
}

/** Fields for the values that a pasted entry does not contain. */
function OpenAsks({ editor: { state, edit, problems } }: { readonly editor: ServerEditor }) {
  const asks = openAsks(state);
  if (asks.length === 0) return null;
  return (
    <section className="p-12 card">
      <h3 className="mb-8 text-13 font-semibold">
        {asks.length === 1 ? 'It asks for a value' : `It asks for ${asks.length} values`}
      </h3>
      <AskFields
        name="Values it asks for"
        asks={asks}
        answers={state.answers}
        problems={problems}
        onAnswer={(ask, value) => edit((now) => answerAsk(now, ask, value))}
      />
    </section>
  );
}

interface FootProps {
  readonly editor: ServerEditor;
  readonly isTesting: boolean;
  readonly onTest: () => void;
  /** True if saving is impossible because nothing has changed, the text does not parse, or a conflict is unresolved. */
  readonly isIdle: boolean;
}

function Foot({ editor, isTesting, onTest, isIdle }: FootProps) {
  const { effect, state } = editor;
  const calls = usePanel(({ servers }) => servers.get(state.draft.name)?.busy?.calls ?? 0);
  const interrupts = (effect.kind === 'restart' || effect.kind === 'rename') && calls > 0;
  return (
    <>
      <p aria-live="polite">
        {!isIdle && `${effect.words}.`}
        {interrupts && ` ${callsInFlightWords(calls)}.`}
      </p>
      <TextButton isBusy={isTesting} onClick={onTest}>
        {isTesting ? 'Testing…' : 'Test connection'}
      </TextButton>
    </>
  );
}

const saveWords: Readonly<Record<SaveEffect['kind'], string>> = {
  nothing: 'Save',
  add: 'Save',
  rename: 'Save',
  start: 'Save and start',
  restart: 'Save and restart',
  switch: 'Save',
  live: 'Save',
};

/** Moves the focus to the first field with a problem, once the problems are rendered. */
function focusFirstProblem(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('dialog[open] [aria-invalid="true"]')?.focus(),
  );
}

interface DiscardQuestionProps {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Asks whether to discard the edits. Replaces the buttons at the bottom of a dialog, because the user is looking there. */
export function DiscardQuestion({ onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <div role="alertdialog" aria-label="Discard the changes?" className="flex items-center gap-8 flex-1">
      <p className="flex-1 font-semibold">Discard what you have changed?</p>
      <TextButton autoFocus onClick={onStay}>
        Keep editing
      </TextButton>
      <TextButton look="danger" onClick={onDiscard}>
        Discard changes
      </TextButton>
    </div>
  );
}
