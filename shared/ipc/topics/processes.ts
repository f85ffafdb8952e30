import { z } from 'zod';
import { processesViewSchema, processIdSchema } from '../../processes.ts';
import { knownNameSchema, named } from '../arguments.ts';
import { call } from '../call.ts';

/** The processes that servers consist of. */
export const processesCalls = {
  /** The tree of a server as it was last looked at, once a second. Empty for a remote server. */
  getProcesses: call({ method: 'view', args: named, result: processesViewSchema }),
  /** Ends one process of a server, in its own time first. Resolves when it is gone. */
  endProcess: call({ method: 'end', args: z.tuple([knownNameSchema, processIdSchema]) }),
};
