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
  /** Paste handlers for the fields name and command, into which users also paste a whole command line, address or package. */
  readonly onPasteName: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onPasteCommand: (event: ClipboardEvent<HTMLElement>) => void;
  /** Message about the last paste; undefined if there is nothing to report. */
  readonly words: string | undefined;
}

/** Fills the form from a pasted configuration. If the text has several servers, the user chooses one of them. */
export function usePastedSnippet(
  manage: ManageStore,
  { edit, isEdited, state }: ServerEditor,
): PastedSnippet {
  const [words, setWords] = useState<string>();

  /** Fills the form from the server in the text. Calls `refused` if the text contains no server. */
  const take = async (text: string, refused?: () => void) => {
    const { entries, problems } = await manage.api.parseSnippet(text);
    const [first, ...others] = entries;
    if (first === undefined) {
      refused?.();
      if (refused !== undefined && looksLikeName(text)) return;
      return setWords(`Nothing was filled in: ${problems[0]?.message ?? 'it names no server.'}`);
    }
    // The user chooses one of several servers in another dialog.
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
    // If the text contains no server, it is inserted into the field like any other pasted text.
    const refused = () =>
      edit((now) => editField(now, field, { [field]: withPasted(value, selection, text) }));
    takeInstead(event, text, refused);
  };
  return { onPaste, onPasteName: onPasteInto('name'), onPasteCommand: onPasteInto('command'), words };
}

/** Fields into which users paste the description of a whole server: a command line, an address, a package. */
type OpenField = 'name' | 'command';

/** Maximum characters of a pasted text that is inserted into a one-line field because it contains no server. */
const LONGEST_LINE = 1000;

/** True if a text that is pasted into a field is read as a whole server, which then fills the form. */
export const readsAsServer = (field: OpenField, draft: ServerDraft, text: string): boolean =>
  isWithoutReach(draft) && mayBeServer(text) && !isPlainValue(field, text);

/** True if the form has no value yet that a pasted server would overwrite. */
const isWithoutReach = ({ command, args, url, cwd, env, headers }: ServerDraft): boolean =>
  [command, args, url, cwd].every((text) => text === '') && env.length + headers.length === 0;

/** True if a text is an ordinary value of its field, even if it looks like a server. */
const isPlainValue = (field: OpenField, text: string): boolean =>
  field === 'name'
    ? serverNamePattern.test(text.trim())
    : !looksLikeSnippet(text) && /^\s*(?:[A-Za-z]:)?[\\/]/.test(text) && !looksLikeCommandLine(text);

/** True if the pasted text may be just a name. Then no message says that nothing was filled in. */
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

/** Message that the form was filled in from the pasted text, and what the user still has to do. */
export function wordsOnTaken({ name, problem, obstacle, asks = [] }: Snippet['entries'][number]): string {
  const labels = [...new Set(unanswered(asks, {}).map(labelOf))];
  const cannot = obstacle === undefined ? undefined : `It cannot work here: ${obstacle}.`;
  const missing = labels.length > 0 ? `Missing: ${labels.join(', ')}.` : undefined;
  return [`Filled in ${name} from the pasted text.`, cannot, missing, problem].filter(Boolean).join(' ');
}
