import { useEffect, useState } from 'react';
import type { MissingValue } from '../../shared/ipc/topics/secrets.ts';
import { useServices, useTask } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { MaskedField } from '../ui/masked-field.tsx';

interface Answer {
  readonly value: string;
  readonly asSecret: boolean;
}

/** Dialog that asks for the values that the definition of a server leaves open. It is shown before the server is started. */
export function MissingDialog({ server }: { readonly server: string }) {
  const { api, manage } = useServices();
  const [asks, setAsks] = useState<readonly MissingValue[]>();
  const [answers, setAnswers] = useState<ReadonlyMap<MissingValue, Answer>>(new Map());
  const { status, run } = useTask<void>();
  useEffect(() => {
    api.listMissing().then(
      (all) => setAsks(all.find((one) => one.server === server)?.asks ?? []),
      () => setAsks([]),
    );
  }, [api, server]);
  const close = () => manage.close();
  const answerTo = (ask: MissingValue): Answer => answers.get(ask) ?? { value: '', asSecret: ask.isSecret };
  const put = (ask: MissingValue, change: Partial<Answer>) =>
    setAnswers(new Map(answers).set(ask, { ...answerTo(ask), ...change }));
  const isComplete = asks !== undefined && asks.length > 0 && asks.every((ask) => answerTo(ask).value !== '');
  const save = () =>
    void run(async () => {
      const given = (asks ?? []).map((ask) => ({ place: ask.place, ask: ask.name, ...answerTo(ask) }));
      await api.answerMissing({ server, answers: given });
      close();
    });
  return (
    <Dialog
      title={`Values for ${server}`}
      size="small"
      onClose={close}
      main={{
        no: 'Not now',
        words: 'Save and start',
        isDisabled: !isComplete,
        isBusy: status?.phase === 'pending',
        run: save,
      }}
    >
      {asks?.length === 0 ? <p>Nothing is missing now.</p> : <p>It needs these before it can start.</p>}
      {asks?.map((ask) => (
        <AskFor
          key={`${ask.kind} ${ask.name} ${ask.place.join(' ')}`}
          ask={ask}
          answer={answerTo(ask)}
          onAnswer={(change) => put(ask, change)}
        />
      ))}
      <FailedNote status={status} server={server} lead="Not saved" />
    </Dialog>
  );
}

interface AskForProps {
  readonly ask: MissingValue;
  readonly answer: Answer;
  readonly onAnswer: (change: Partial<Answer>) => void;
}

/** Hint for a missing value that the author of the definition did not describe. */
function hintOf({ kind, name }: MissingValue): string | undefined {
  if (kind === 'placeholder') return `In place of ${name}. Enter the same text to keep it unchanged.`;
  return kind === 'variable' ? `${name} is not set in your environment.` : undefined;
}

function AskFor({ ask, answer, onAnswer }: AskForProps) {
  const { label, kind, hint = hintOf(ask) } = ask;
  return (
    <div className="flex flex-col gap-6 mt-12 [&>label]:ml-167">
      <MaskedField
        label={label}
        value={answer.value}
        isSecret={answer.asSecret}
        hint={hint}
        onChange={(value) => onAnswer({ value })}
      />
      {kind !== 'secret' && (
        <CheckField
          label="Keep it as a secret"
          name={`Keep ${label} as a secret`}
          isChecked={answer.asSecret}
          onChange={(asSecret) => onAnswer({ asSecret })}
        />
      )}
    </div>
  );
}
