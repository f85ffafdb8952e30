import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { commandWords } from '../../shared/server-states.ts';
import { callsInFlightWords } from '../format/call-figures.ts';
import { usePanel, useServices } from '../services.ts';
import { Question } from '../ui/question.tsx';
import { callsInFlight, giveMany, serversWords } from './many-commands.ts';

interface ManyProps {
  readonly servers: readonly string[];
}

/** Single question for all servers whose calls would be lost; states the number of calls. */
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
      no="Keep them"
      yes={words}
      onNo={() => services.manage.close()}
      onYes={() => {
        services.manage.close();
        giveMany(services, command, servers);
      }}
    >
      <p>{`${loss} ${outcome}`}</p>
    </Question>
  );
}

/** Question before many entries are removed. */
export function RemoveManyDialog({ servers }: ManyProps) {
  const { manage } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const calls = useCalls(servers);
  const words = `Remove ${serversWords(servers)}`;
  const loss = calls > 0 ? `${callsInFlightWords(calls)}, and will be lost. ` : '';
  return (
    <Question
      title={`${words}?`}
      no="Keep them"
      yes={isBusy ? 'Stopping and removing…' : words}
      isBusy={isBusy}
      onNo={() => manage.close()}
      onYes={() => {
        setIsBusy(true);
        void manage.removeMany(servers).then(() => manage.close());
      }}
    >
      <p>
        {`${loss}What runs is stopped first. The entries are taken out of servers.json; logs and history stay.`}
      </p>
    </Question>
  );
}

const useCalls = (names: readonly string[]): number =>
  callsInFlight(usePanel(useShallow(({ servers }) => names.flatMap((name) => servers.get(name) ?? []))));
