import { processCommand } from '../format/process-tree.ts';
import type { ProcessId, ProcessView } from '../../shared/processes.ts';
import type { Services } from '../services.ts';

type Needs<Key extends keyof Services> = Pick<Services, Key>;

/** Key of the request to end a process. */
export const endKey = (server: string, { pid, startTime }: ProcessId): string =>
  `end process ${server} ${pid} ${startTime}`;

/** Asks whether to end a process, or ends it at once with questions off. */
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
export function endNow({ api, asks }: Needs<'api' | 'asks'>, server: string, id: ProcessId): void {
  const { pid, startTime } = id;
  void asks.run(endKey(server, id), () => api.endProcess(server, { pid, startTime }));
}
