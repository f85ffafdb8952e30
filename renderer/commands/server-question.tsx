import { callsInFlightWords } from '../format/call-figures.ts';
import { useServer, useServices } from '../services.ts';
import { Question } from '../ui/question.tsx';
import { focusServer } from './focus-server.ts';
import type { Interruption } from '../store/manage-store.ts';
import { interrupt } from './server-commands.ts';

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

const words: Readonly<Record<Interruption, { readonly verb: string; readonly outcome: string }>> = {
  stop: { verb: 'Stop', outcome: 'It stays stopped until it is started again.' },
  restart: { verb: 'Restart', outcome: 'It is started again at once.' },
  disable: { verb: 'Disable', outcome: 'It is stopped, and starts no more until it is enabled.' },
};

interface InterruptDialogProps {
  readonly server: string;
  readonly command: Interruption;
}

export function InterruptDialog({ server, command }: InterruptDialogProps) {
  const services = useServices();
  return (
    <ServerQuestion
      server={server}
      {...words[command]}
      quietWords="No call is in flight any more."
      onYes={() => {
        services.manage.close();
        interrupt(services, command, server);
        // Focus moves on, because it would be lost when the pressed button is disabled.
        focusServer(server);
      }}
    />
  );
}
