import { z } from 'zod';
import { errorReportSchema } from '../../error-report.ts';
import { askSchema } from '../../manage.ts';
import { serverNameSchema } from '../../server-config.ts';
import { call } from '../call.ts';

/** Name of a server in a program, which need not be one that the panel allows. */
const foreignNameSchema = z.string().min(1).max(1000);
const scopeSchema = z.string().min(1).max(5000);
const programIdSchema = z.string().min(1).max(100);

/** A program on this machine that uses MCP servers, from its own files. */
const foundClientSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  /** False where one of its files cannot be read; `problem` says why. */
  readable: z.boolean(),
  problem: z.string().optional(),
  /** What makes the program read its files again. */
  reload: z.string(),
  servers: z.array(
    z.object({
      name: z.string(),
      /** Whose server it is: `user`, `local:<folder>`, `project:<folder>`, `profile:<id>`. */
      scope: z.string(),
      path: z.string(),
      /** Leads to this panel. */
      moved: z.boolean(),
      /** Led to this panel, until another program wrote over it. */
      lost: z.boolean().optional(),
      /** Another server of the same name is used in its place, at least in one folder. */
      shadowed: z.boolean().optional(),
      shadowedBy: z.string().optional(),
    }),
  ),
  /** Processes that the program runs for servers of its own. */
  copies: z.array(
    z.object({ server: z.string().optional(), pids: z.array(z.number()), memoryBytes: z.number() }),
  ),
});
export type FoundClient = z.infer<typeof foundClientSchema>;

const moveSchema = z.object({
  /** Id of the program. */
  client: programIdSchema,
  servers: z
    .array(
      z.object({
        name: foreignNameSchema,
        scope: scopeSchema,
        /** Values that the entry leaves open, by id of the ask. */
        answers: z.record(z.string(), z.string()).optional(),
        /** Name in the panel, where another server has its own. */
        as: serverNameSchema.optional(),
        /** The panel's server of this name is meant, whatever the entry says. */
        use: z.literal('panel').optional(),
      }),
    )
    .min(1)
    .max(1000),
  /** The precondition that was shown. */
  commit: z.string().max(200).optional(),
  /** Servers that cannot be moved are left and named, instead of refusing all. */
  partly: z.boolean().optional(),
});
export type Move = z.infer<typeof moveSchema>;

/** A server that stays where it is, and what the user can decide so that it is moved. */
const leftSchema = z.object({
  name: z.string(),
  scope: z.string(),
  error: errorReportSchema,
  /** Values that the entry leaves open. */
  asks: z.array(askSchema).readonly().optional(),
  /** Another server of the panel has the name: a name that is free, and both definitions as JSON. */
  twin: z.object({ freeName: z.string(), here: z.string(), there: z.string() }).optional(),
});
export type LeftServer = z.infer<typeof leftSchema>;

const moveResultSchema = z.object({
  difference: z.array(
    z.object({
      server: z.string(),
      scope: z.string(),
      path: z.string(),
      /** What stands in the file. */
      before: z.string(),
      /** What will stand there, with a stand-in for the token. */
      after: z.string(),
      notes: z.array(z.string()),
    }),
  ),
  precondition: z.string(),
  /** With `partly` alone. */
  left: z.array(leftSchema).optional(),
});
export type MoveResult = z.infer<typeof moveResultSchema>;

const restoreSchema = z.object({
  /** Id of a program; all of them if undefined. */
  client: programIdSchema.optional(),
  /** Servers of the program; all of them if undefined. A name alone means every scope. */
  servers: z
    .array(
      z.object({
        name: foreignNameSchema,
        scope: scopeSchema.optional(),
        /** The precondition of the change that was shown, for an entry that is put back over what stands there now. */
        force: z.string().max(200).optional(),
      }),
    )
    .max(1000)
    .optional(),
});
export type Restore = z.infer<typeof restoreSchema>;

const restoredFields = { client: z.string(), server: z.string(), scope: z.string(), path: z.string() };

const bridgeSchema = z.object({
  command: z.string(),
  /** Arguments, to which the name of a server is added. */
  args: z.array(z.string()),
  /** Variables, to which a token is added. */
  env: z.record(z.string(), z.string()),
});
/** How a program that only starts programs starts the bridge to the panel. */
export type Bridge = z.infer<typeof bridgeSchema>;

const restoreResultSchema = z.object({
  restored: z.array(z.object(restoredFields)),
  asked: z.array(
    z.object({
      ...restoredFields,
      reason: z.string(),
      /** What putting back would change in spite of it; absent where what was kept does not fit there any more. */
      change: z.object({ now: z.string(), then: z.string(), precondition: z.string() }).optional(),
    }),
  ),
});
export type RestoreResult = z.infer<typeof restoreResultSchema>;

/** Calls about servers of other programs on this machine: moving them to the panel, and back. */
export const programsCalls = {
  /** Reads the files of all known programs. */
  findClients: call({ method: 'find', result: z.array(foundClientSchema) }),
  /**
   * Shows what a move changes, or moves when `commit` is the precondition that was shown: CONFIG_CONFLICT where a file has
   * changed since.
   */
  moveServers: call({ method: 'move', args: [moveSchema], result: moveResultSchema }),
  /**
   * Puts back what stood in place of moved entries. What was changed since is left, with the reason; with `force`,
   * CONFIG_CONFLICT where it is not what was shown.
   */
  restoreServers: call({ method: 'restore', args: [restoreSchema], result: restoreResultSchema }),
  /** Finds the bridge; undefined where it has no path that lasts, as in an AppImage, or where Node is not found. */
  findBridge: call({ method: 'findBridge', result: bridgeSchema.optional() }),
};
