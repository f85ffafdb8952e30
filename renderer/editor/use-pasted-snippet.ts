import { useState, type ClipboardEvent } from 'react';
import { toReport } from '../control-panel.ts';
import { entryOfCommandLine, looksLikeSnippet } from './command-line.ts';
import { draftOf } from './server-draft.ts';
import type { ManageStore } from '../store/manage-store.ts';
import type { ServerEditor } from './use-server-editor.ts';

interface PastedSnippet {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** Of the field for the name, which a command line is pasted into by whoever has nothing else. */
  readonly onPasteName: (event: ClipboardEvent) => void;
  /** What became of the last paste. */
  readonly words: string | undefined;
}

/** A configuration pasted into the form fills it; several servers are listed to choose from. */
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
    // More than one, or typed text in the way: a choice, in its own dialog.
    if (others.length > 0) return manage.open({ kind: 'paste', text });
    edit((now) => ({
      ...now,
      base: first.entry,
      draft: draftOf(isEdited && now.draft.name !== '' ? now.draft.name : first.name, first.entry),
      refusals: {},
    }));
    setWords([`Took over ${first.name} from what was pasted.`, first.problem].filter(Boolean).join(' '));
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
    // As an entry without a name it is given one.
    if (entry !== undefined) takeInstead(event, JSON.stringify(entry));
  };
  return { onPaste, onPasteName, words };
}
