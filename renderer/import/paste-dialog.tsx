import { Textarea } from '@mantine/core';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Snippet } from '../../shared/manage.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toReport } from '../control-panel.ts';
import { formatPlural } from '../format/figures.ts';
import { usePanel, useServices } from '../services.ts';
import { ChoiceList } from './choice-list.tsx';
import { jsonInput } from '../editor/json-pane.tsx';
import { DiscardQuestion } from '../editor/server-dialog.tsx';
import { choicesOfSnippet, type Choice } from './choices.ts';
import { tellAdded } from '../commands/server-commands.ts';
import { waitingWords } from './ticks.ts';
import { useTakingOver } from './use-taking-over.ts';

interface PasteDialogProps {
  readonly text: string;
  /** Where the text comes from, such as a file name; undefined if the user pasted it. */
  readonly from?: string;
}

/** Dialog that reads a pasted configuration of any client, and adds the selected servers. */
export function PasteDialog({ text: first, from }: PasteDialogProps) {
  const { manage } = useServices();
  const [text, setText] = useState(first);
  const [read, setRead] = useState<{ readonly text: string; readonly snippet: Snippet }>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    if (text.trim() !== '')
      manage.api.parseSnippet(text).then(
        (snippet) => isCurrent && (setRead({ text, snippet }), setFailure(undefined)),
        (reason: unknown) => isCurrent && setFailure(toReport(reason).message),
      );
    return () => {
      isCurrent = false;
    };
  }, [manage, text]);
  // While a changed text is being parsed, the servers of the previous text stay visible, unless the text is empty.
  const snippet = text.trim() === '' ? undefined : read?.snippet;
  const names = usePanel((state) => state.names);
  const choices = useMemo(
    () => (snippet === undefined ? [] : choicesOfSnippet(snippet, names)),
    [snippet, names],
  );
  return (
    <Reading choices={choices} hasText={text.trim() !== ''} from={from}>
      {from !== undefined && (
        <p>From {from}. Add only servers that you trust: they run programs on this machine.</p>
      )}
      <Textarea
        aria-label="Configuration to read"
        rows={choices.length > 0 ? 6 : 12}
        spellCheck={false}
        placeholder={
          'From a README or the file of another client, such as\n{ "mcpServers": { "github": { "command": "npx", "args": ["-y", "…"] } } }'
        }
        classNames={{ input: jsonInput }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {[
        failure,
        ...(snippet?.problems ?? []).map(({ message, line }) =>
          line === undefined ? message : `Line ${line}: ${message}`,
        ),
      ].map(
        (words) =>
          words !== undefined && (
            <p key={words} className="pt-2 pb-6 wrap-anywhere text-failed">
              {words}
            </p>
          ),
      )}
    </Reading>
  );
}

interface ReadingProps {
  readonly choices: readonly Choice[];
  readonly hasText: boolean;
  readonly from: string | undefined;
  readonly children: ReactNode;
}

function Reading({ choices, hasText, from, children }: ReadingProps) {
  const services = useServices();
  const { manage } = services;
  const asksQuestions = usePanel((state) => state.asksQuestions);
  const [isLeaving, setIsLeaving] = useState(false);
  const stay = () => setIsLeaving(false);
  const leave = () => (asksQuestions && hasText ? setIsLeaving(true) : manage.close());
  const taking = useTakingOver(manage.api, choices, from === undefined);
  const count = taking.ticked.size;
  const run = () =>
    void taking.takeOver().then((names) => {
      if (names.length < count) return;
      manage.close();
      void tellAdded(services, names, `Added ${names.join(', ')}.`);
    });
  const add = {
    words: count === 0 ? 'Add' : `Add ${formatPlural(count, 'server')}`,
    isDisabled: count === 0,
    isBusy: taking.isBusy,
    run,
  };
  return (
    <Dialog
      title={from === undefined ? 'Paste servers' : 'Add these servers?'}
      onClose={isLeaving ? stay : leave}
      foot={
        isLeaving ? (
          <DiscardQuestion onStay={stay} onDiscard={() => manage.close()} />
        ) : (
          <p role="status">
            {choices.length > 0 && `Recognised ${formatPlural(choices.length, 'server')}.`}{' '}
            {waitingWords(choices, taking)}
          </p>
        )
      }
      main={isLeaving ? undefined : add}
    >
      <div className="flex flex-col gap-8">
        {children}
        {choices.length > 0 && <ChoiceList choices={choices} taking={taking} />}
      </div>
    </Dialog>
  );
}
