import { z } from 'zod';
import { processesViewSchema, processIdSchema } from '../../processes.ts';
import { knownNameSchema, named } from '../arguments.ts';
import { call } from '../call.ts';

/** Calls about the processes of servers. */
export const processesCalls = {
  /** Process tree of a server in the last sample, once a second. Empty for a remote server. */
  getProcesses: call({ method: 'view', args: named, result: processesViewSchema }),
  /** Ends one process of a server, gracefully first. Resolves when it is gone. */
  endProcess: call({ method: 'end', args: z.tuple([knownNameSchema, processIdSchema]) }),
};
