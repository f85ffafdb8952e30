import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { callsInFlightWords } from '../format/call-figures.ts';
import { usePanel, useServices } from '../services.ts';
import type { Interruption } from '../store/manage-store.ts';
import { Question } from '../ui/question.tsx';
import { focusServer, moveOnFrom } from './focus-server.ts';
import { callsInFlight, interrupt, isIdle, serversWords } from './server-commands.ts';

interface ServersProps {
  readonly servers: readonly string[];
}

interface LossQuestionProps extends ServersProps {
  /** Verb of the command in the title and on the confirming button: "Stop", "Remove". */
  readonly verb: string;
  /** Label of the confirming button while the command runs; undefined before that. */
  readonly busyWords?: string | undefined;
  /** Text that is shown instead of the lost calls while no call is in flight. */
  readonly quietWords: string;
  /** Text about what happens if the user confirms. */
  readonly outcome: string;
  readonly onYes: () => void;
}

/** Asks one question for all servers whose calls would be lost, and says how many calls that are. */
function LossQuestion({ servers, verb, busyWords, quietWords, outcome, onYes }: LossQuestionProps) {
  const { manage } = useServices();
  const calls = callsInFlight(useViews(servers));
  const words = `${verb} ${serversWords(servers)}`;
  const loss = calls > 0 ? `${callsInFlightWords(calls)}, and will be lost.` : quietWords;
  return (
    <Question
      title={`${words}?`}
      no={servers.length === 1 ? 'Keep it' : 'Keep them'}
      yes={busyWords ?? words}
      isBusy={busyWords !== undefined}
      onNo={() => manage.close()}
      onYes={onYes}
    >
      <p>{`${loss} ${outcome}`.trimStart()}</p>
    </Question>
  );
}

const useViews = (names: readonly string[]) =>
  usePanel(useShallow(({ servers }) => names.flatMap((name) => servers.get(name) ?? [])));

const words: Readonly<
  Record<Interruption, { readonly verb: string; readonly one: string; readonly many: string }>
> = {
  stop: {
    verb: 'Stop',
    one: 'It stays stopped until it is started again.',
    many: 'They stay stopped until they are started again.',
  },
  restart: {
    verb: 'Restart',
    one: 'It is started again immediately.',
    many: 'They are started again immediately.',
  },
  disable: {
    verb: 'Disable',
    one: 'It is stopped, and does not start again until it is enabled.',
    many: 'They are stopped, and do not start again until they are enabled.',
  },
};

export function InterruptDialog({ servers, command }: ServersProps & { readonly command: Interruption }) {
  const services = useServices();
  const { verb, one, many } = words[command];
  const [first] = servers;
  return (
    <LossQuestion
      {...{ servers, verb, outcome: servers.length === 1 ? one : many }}
      quietWords="No call is in flight now."
      onYes={() => {
        services.manage.close();
        interrupt(services, command, servers);
        // The focus moves to the server, because it would be lost when the pressed button is disabled.
        if (servers.length === 1 && first !== undefined) focusServer(first);
      }}
    />
  );
}

/** Asks the user before entries are removed: the entry of a running server, or several entries. */
export function RemoveDialog({ servers }: ServersProps) {
  const { manage } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const views = useViews(servers);
  const [first] = servers;
  const isOne = servers.length === 1 && first !== undefined;
  const remove = () => {
    setIsBusy(true);
    const moveOn = isOne ? moveOnFrom(first) : undefined;
    void manage.remove(servers).then(() => {
      manage.close();
      moveOn?.();
    });
  };
  const ofOne = {
    busyWords: 'Stopping it…',
    quietWords: views.every(isIdle) ? '' : 'It is running, and is stopped first.',
    outcome: 'Its entry is removed from servers.json; logs and history stay.',
  };
  const ofMany = {
    busyWords: 'Stopping and removing…',
    quietWords: '',
    outcome:
      'Running servers are stopped first. The entries are removed from servers.json; logs and history stay.',
  };
  const { busyWords, ...rest } = isOne ? ofOne : ofMany;
  return (
    <LossQuestion
      {...{ servers, verb: 'Remove', ...rest }}
      busyWords={isBusy ? busyWords : undefined}
      onYes={remove}
    />
  );
}
