import { callsInFlightWords } from '../format/call-words.ts';
import { useServer, useServices } from '../services.ts';
import { Question } from '../ui/question.tsx';

interface ServerQuestionProps {
  readonly server: string;
  /** Verb of the command in the title and on its button: "Stop", "Remove". */
  readonly verb: string;
  /** Label of the button while the command runs. */
  readonly busyWords?: string;
  readonly isBusy?: boolean;
  /** Text if no call is in flight, or none any more. */
  readonly quietWords: string;
  /** Consequence of confirming. */
  readonly outcome: string;
  readonly onYes: () => void;
}

/** Question asked only if something would be lost; it names the loss. */
export function ServerQuestion({
  server,
  verb,
  busyWords = '',
  isBusy = false,
  quietWords,
  outcome,
  onYes,
}: ServerQuestionProps) {
  const { manage } = useServices();
  const calls = useServer(server)?.busy?.calls ?? 0;
  return (
    <Question
      title={`${verb} ${server}?`}
      no="Keep it"
      yes={isBusy ? busyWords : `${verb} ${server}`}
      isBusy={isBusy}
      onNo={() => manage.close()}
      onYes={onYes}
    >
      <p>
        {calls > 0 ? `${callsInFlightWords(calls)}, and will be lost.` : quietWords} {outcome}
      </p>
    </Question>
  );
}
