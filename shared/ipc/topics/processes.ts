import { processesViewSchema, processIdSchema } from '../../processes.ts';
import { call, knownNameSchema, named } from '../call.ts';

/** Calls about the processes of servers. */
export const processesCalls = {
  /** Process tree of a server in the last sample, which is taken once a second. Empty for a remote server. */
  getProcesses: call({ method: 'view', args: named, result: processesViewSchema }),
  /** Ends one process of a server: SIGTERM, then SIGKILL. Resolves when the process is gone. */
  endProcess: call({ method: 'end', args: [knownNameSchema, processIdSchema] }),
};
