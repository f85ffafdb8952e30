import { useState, type ClipboardEvent } from 'react';
import { toReport } from '../control-panel.ts';
import { entryOfCommandLine, looksLikeSnippet } from './command-line.ts';
import { takeOver } from './editor-state.ts';
import type { ManageStore } from '../store/manage-store.ts';
import type { ServerEditor } from './use-server-editor.ts';

interface PastedSnippet {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** Paste handler of the name field, where a command line may be pasted as well. */
  readonly onPasteName: (event: ClipboardEvent) => void;
  /** Words on what became of the last paste. */
  readonly words: string | undefined;
}

/** Fills the form from a pasted configuration. Several servers are listed to choose from. */
export function usePastedSnippet(
  manage: ManageStore,
  { edit, isEdited, state }: ServerEditor,
): PastedSnippet {
  const [words, setWords] = useState<string>();

  const take = async (text: string) => {
    const { entries, problems } = await manage.api.parseSnippet(text);
    const [first, ...others] = entries;
    if (first === undefined)
      return setWords(`Nothing was taken over: ${problems[0]?.message ?? 'it names no server.'}`);
    // Several servers need a choice, in a dialog of its own.
    if (others.length > 0) return manage.open({ kind: 'paste', text });
    edit((now) => takeOver(now, first, isEdited));
    const obstacle = first.obstacle === undefined ? undefined : `It cannot work here: ${first.obstacle}.`;
    setWords(
      [`Took over ${first.name} from what was pasted.`, obstacle, first.problem].filter(Boolean).join(' '),
    );
  };

  const takeInstead = (event: ClipboardEvent, text: string) => {
    event.preventDefault();
    take(text).catch((reason: unknown) => setWords(toReport(reason).message));
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (state.json === undefined && !event.defaultPrevented && looksLikeSnippet(text))
      takeInstead(event, text);
  };
  const onPasteName = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    const { command, args, url } = state.draft;
    const isEmpty = command === '' && args === '' && url === '';
    const entry = isEmpty && !looksLikeSnippet(text) ? entryOfCommandLine(text) : undefined;
    // The entry has no name, so it is given one.
    if (entry !== undefined) takeInstead(event, JSON.stringify(entry));
  };
  return { onPaste, onPasteName, words };
}
