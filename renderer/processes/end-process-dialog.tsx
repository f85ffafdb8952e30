import type { ProcessId, ProcessView } from '../../shared/processes.ts';
import { type Services, useServices } from '../services.ts';
import { Question } from '../ui/question.tsx';
import { processCommand } from '../format/process-tree.ts';

interface EndProcessDialogProps {
  readonly server: string;
  readonly process: ProcessId;
  readonly command: string;
  /** Whether the process is the root process that the panel started. Ending it also ends the server. */
  readonly isFirst: boolean;
}

/** Dialog that asks for confirmation before a process is ended, because its current work is lost. */
export function EndProcessDialog({ server, process, command, isFirst }: EndProcessDialogProps) {
  const services = useServices();
  const { manage } = services;
  const end = () => {
    manage.close();
    endNow(services, server, process);
  };
  return (
    <Question
      title={`End process ${process.pid}?`}
      no="Keep it"
      yes={`End process ${process.pid}`}
      onNo={() => manage.close()}
      onYes={end}
    >
      <code className="block max-h-96 mb-12 px-12 py-8 overflow-auto rounded-md bg-sunken wrap-anywhere text-12/16">
        {command}
      </code>
      <p>
        {isFirst
          ? `${server} ends with it, and is then restarted, or not, as after any crash.`
          : `It is a part of ${server}, which may fail without it. Processes that it started keep running.`}{' '}
        It is asked to end, and ended by force if it does not.
      </p>
    </Question>
  );
}

type Needs<Key extends keyof Services> = Pick<Services, Key>;

/** Key under which the request to end a process is stored in the task table `asks`. */
export const endKey = (server: string, { pid, startTime }: ProcessId): string =>
  `end process ${server} ${pid} ${startTime}`;

/** Asks whether to end a process, or ends it immediately if confirmations are off. */
export function askToEnd(
  services: Needs<'api' | 'asks' | 'manage' | 'panel'>,
  server: string,
  process: ProcessView,
  isFirst: boolean,
): void {
  if (!services.panel.getState().asksQuestions) return endNow(services, server, process);
  const { pid, startTime } = process;
  const command = processCommand(process);
  services.manage.open({ kind: 'end-process', server, process: { pid, startTime }, command, isFirst });
}

/** Ends a process; the result is shown in the list of processes. */
function endNow({ api, asks }: Needs<'api' | 'asks'>, server: string, id: ProcessId): void {
  const { pid, startTime } = id;
  void asks.run(endKey(server, id), () => api.endProcess(server, { pid, startTime }));
}
