import { useState, type ClipboardEvent } from 'react';
import { toReport } from '../control-panel.ts';
import { looksLikeSnippet } from './command-line.ts';
import { editField, takeOverFile } from './editor-state.ts';
import { looksLikeName, readsAsServer, withPasted, wordsOnTaken, type OpenField } from './pasted-field.ts';
import type { ManageStore } from '../store/manage-store.ts';
import type { ServerEditor } from './use-server-editor.ts';

interface PastedSnippet {
  readonly onPaste: (event: ClipboardEvent) => void;
  /** Paste handlers of the fields into which users also paste a command line, an address or a package. */
  readonly onPasteName: (event: ClipboardEvent<HTMLElement>) => void;
  readonly onPasteCommand: (event: ClipboardEvent<HTMLElement>) => void;
  /** Message on the last paste; undefined without one. */
  readonly words: string | undefined;
}

/** Fills the form from a pasted configuration. If it has several servers, the user chooses among them. */
export function usePastedSnippet(
  manage: ManageStore,
  { edit, isEdited, state }: ServerEditor,
): PastedSnippet {
  const [words, setWords] = useState<string>();

  /** Takes over the server in the text. `refused` is called if the text contains none. */
  const take = async (text: string, refused?: () => void) => {
    const { entries, problems } = await manage.api.parseSnippet(text);
    const [first, ...others] = entries;
    if (first === undefined) {
      refused?.();
      if (refused !== undefined && looksLikeName(text)) return;
      return setWords(`Nothing was taken over: ${problems[0]?.message ?? 'it names no server.'}`);
    }
    // Several servers need a choice, in a separate dialog.
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
