import { useState, type ClipboardEvent } from 'react';
import { toReport } from '../control-panel.ts';
import { looksLikeSnippet, mayBeServer, type ServerDraft } from './server-draft.ts';
import { editField, takeOverFile } from './editor-state.ts';
import type { ManageStore } from '../store/manage-store.ts';
import type { ServerEditor } from './use-server-editor.ts';
import type { Snippet } from '../../shared/manage.ts';
import { looksLikeCommandLine } from '../../shared/command-line.ts';
import { serverNamePattern } from '../../shared/server-names.ts';
import { labelOf, unanswered } from '../entry/answers.ts';

interface PastedSnippet {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** Paste handlers of the fields into which users also paste a command line, an address or a package. */
  readonly onPasteName: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onPasteCommand: (event: ClipboardEvent<HTMLElement>) => void;
  /** Message about the last paste; undefined if there is none. */
  readonly words: string | undefined;
}

/** Fills the form from a pasted configuration. If it has several servers, the user chooses among them. */
export function usePastedSnippet(
  manage: ManageStore,
  { edit, isEdited, state }: ServerEditor,
): PastedSnippet {
  const [words, setWords] = useState<string>();

  /** Fills the form from the server in the text. `refused` is called if the text contains none. */
  const take = async (text: string, refused?: () => void) => {
    const { entries, problems } = await manage.api.parseSnippet(text);
    const [first, ...others] = entries;
    if (first === undefined) {
      refused?.();
      if (refused !== undefined && looksLikeName(text)) return;
      return setWords(`Nothing was filled in: ${problems[0]?.message ?? 'it names no server.'}`);
    }
    // If there are several servers, the user chooses one in a separate dialog.
    if (others.length > 0) return manage.open({ kind: 'paste', text });
    edit((now) => takeOverFile(now, first, isEdited));
    setWords(wordsOnTaken(first));
  };

  const takeInstead = (event: ClipboardEvent, text: string, refused?: () => void) => {
    event.preventDefault();
    take(text, refused).catch((reason: unknown) => {
      refused?.();
      setWords(toReport(reason).message);
    });
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (state.json === undefined && !event.defaultPrevented && looksLikeSnippet(text))
      takeInstead(event, text);
  };
  const onPasteInto = (field: OpenField) => (event: ClipboardEvent<HTMLElement>) => {
    const text = event.clipboardData.getData('text');
    const { target } = event;
    if (!readsAsServer(field, state.draft, text) || !(target instanceof HTMLInputElement)) return;
    const { value, selectionStart, selectionEnd } = target;
    const selection = [selectionStart ?? value.length, selectionEnd ?? value.length] as const;
    // A text without a server ends up in the field, as after any other paste.
    const refused = () =>
      edit((now) => editField(now, field, { [field]: withPasted(value, selection, text) }));
    takeInstead(event, text, refused);
  };
  return { onPaste, onPasteName: onPasteInto('name'), onPasteCommand: onPasteInto('command'), words };
}

/** Fields into which users paste a whole server: a command line, an address, a package. */
type OpenField = 'name' | 'command';

/** Maximum characters of a text without a server that is put into a one-line field. */
const LONGEST_LINE = 1000;

/** Whether a text pasted into a field is read as a server, which then fills the form. */
export const readsAsServer = (field: OpenField, draft: ServerDraft, text: string): boolean =>
  isWithoutReach(draft) && mayBeServer(text) && !isPlainValue(field, text);

/** Whether the form has no value yet that a whole server would replace. */
const isWithoutReach = ({ command, args, url, cwd, env, headers }: ServerDraft): boolean =>
  [command, args, url, cwd].every((text) => text === '') && env.length + headers.length === 0;

/** Whether a text is a plain value of its field, even if it looks like a server. */
const isPlainValue = (field: OpenField, text: string): boolean =>
  field === 'name'
    ? serverNamePattern.test(text.trim())
    : !looksLikeSnippet(text) && /^\s*(?:[A-Za-z]:)?[\\/]/.test(text) && !looksLikeCommandLine(text);

/** Whether the text may be just a pasted name, which needs no message. */
const looksLikeName = (text: string): boolean => /^[\p{L}\p{N}' ._-]{1,64}$/u.test(text.trim());

/** Value of a one-line field after a paste; unchanged if the text is too long. */
export function withPasted(
  value: string,
  selection: readonly [from: number, to: number],
  text: string,
): string {
  if (text.length > LONGEST_LINE) return value;
  const line = text
    .split('\n')
    .map((part) => part.trim())
    .join(' ')
    .trim();
  return value.slice(0, selection[0]) + line + value.slice(selection[1]);
}

/** Message that a server was taken over from the paste, and what the user still has to do. */
export function wordsOnTaken({ name, problem, obstacle, asks = [] }: Snippet['entries'][number]): string {
  const labels = [...new Set(unanswered(asks, {}).map(labelOf))];
  const cannot = obstacle === undefined ? undefined : `It cannot work here: ${obstacle}.`;
  const missing = labels.length > 0 ? `Missing: ${labels.join(', ')}.` : undefined;
  return [`Filled in ${name} from what was pasted.`, cannot, missing, problem].filter(Boolean).join(' ');
}
