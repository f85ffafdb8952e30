import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { commandWords } from '../../shared/server-states.ts';
import { callsInFlightWords } from '../format/call-words.ts';
import { usePanel, useServices } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { callsInFlight, giveMany, serversWords } from './many-commands.ts';

interface ManyProps {
  readonly servers: readonly string[];
}

/** One question for all servers whose calls would be lost; it names how many there are. */
export function InterruptManyDialog({
  servers,
  command,
}: ManyProps & { readonly command: 'stop' | 'restart' }) {
  const services = useServices();
  const calls = useCalls(servers);
  const words = `${commandWords[command]} ${serversWords(servers)}`;
  const loss =
    calls > 0 ? `${callsInFlightWords(calls)}, and will be lost.` : 'No call is in flight any more.';
  const outcome =
    command === 'stop'
      ? 'They stay stopped until they are started again.'
      : 'They are started again at once.';
  return (
    <Question
      title={`${words}?`}
      yes={words}
      words={`${loss} ${outcome}`}
      onYes={() => {
        services.manage.close();
        giveMany(services, command, servers);
      }}
    />
  );
}

/** Question before many entries are taken out. */
export function RemoveManyDialog({ servers }: ManyProps) {
  const { manage } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const calls = useCalls(servers);
  const words = `Remove ${serversWords(servers)}`;
  const loss = calls > 0 ? `${callsInFlightWords(calls)}, and will be lost. ` : '';
  return (
    <Question
      title={`${words}?`}
      yes={isBusy ? 'Stopping and removing…' : words}
      isBusy={isBusy}
      words={`${loss}What runs is stopped first. The entries are taken out of servers.json; logs and history stay.`}
      onYes={() => {
        setIsBusy(true);
        void manage.removeMany(servers).then(() => manage.close());
      }}
    />
  );
}

const useCalls = (names: readonly string[]): number =>
  callsInFlight(usePanel(useShallow(({ servers }) => names.flatMap((name) => servers[name] ?? []))));

interface QuestionProps {
  readonly title: string;
  readonly yes: string;
  readonly words: string;
  readonly isBusy?: boolean;
  readonly onYes: () => void;
}

function Question({ title, yes, words, isBusy = false, onYes }: QuestionProps) {
  const { manage } = useServices();
  return (
    <Dialog
      title={title}
      size="small"
      onClose={() => manage.close()}
      foot={
        <>
          <TextButton data-autofocus onClick={() => manage.close()}>
            Keep them
          </TextButton>
          <TextButton look="danger" isBusy={isBusy} onClick={onYes}>
            {yes}
          </TextButton>
        </>
      }
    >
      <p>{words}</p>
    </Dialog>
  );
}
