import { z } from 'zod';
import { errorReportSchema } from '../../error-report.ts';
import { askSchema } from '../../manage.ts';
import { serverNameSchema } from '../../server-config.ts';
import { call } from '../call.ts';

/** Name of a server in another program. It may be a name that the panel does not allow. */
const foreignNameSchema = z.string().min(1).max(1000);
const scopeSchema = z.string().min(1).max(5000);
const programIdSchema = z.string().min(1).max(100);

/** Program on this machine that uses MCP servers, as found in the program's own files. */
const foundClientSchema = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  /** False if one of the program's files cannot be read; `problem` gives the reason. */
  readable: z.boolean(),
  problem: z.string().optional(),
  /** What the user has to do so that the program reads its files again. */
  reload: z.string(),
  servers: z.array(
    z.object({
      name: z.string(),
      /** Scope in which the program has the server: `user`, `local:<folder>`, `project:<folder>`, `profile:<id>`. */
      scope: z.string(),
      path: z.string(),
      /** True if the entry points to this panel. */
      moved: z.boolean(),
      /** True if the entry pointed to this panel until another program overwrote it. */
      lost: z.boolean().optional(),
      /** True if, at least in one folder, the program uses another server of the same name instead. */
      shadowed: z.boolean().optional(),
      shadowedBy: z.string().optional(),
    }),
  ),
  /** Processes that the program runs for the servers that it starts itself. */
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
        /** Values for the placeholders of the entry, by placeholder id. */
        answers: z.record(z.string(), z.string()).optional(),
        /** Name for the server in the panel, if another server of the panel already has the moved server's name. */
        as: serverNameSchema.optional(),
        /** If present, the panel's server of this name is used, even if the program's entry differs. */
        use: z.literal('panel').optional(),
      }),
    )
    .min(1)
    .max(1000),
  /** Hash of the change that was shown (`precondition`). If present, the change is made; otherwise it is only shown. */
  commit: z.string().max(200).optional(),
  /** If true, servers that cannot be moved are left and listed in the result, instead of refusing the whole move. */
  partly: z.boolean().optional(),
});
export type Move = z.infer<typeof moveSchema>;

/** Server that is not moved, and what the user can decide so that it can be moved. */
const leftSchema = z.object({
  name: z.string(),
  scope: z.string(),
  error: errorReportSchema,
  /** Placeholders of the entry whose values are missing. */
  asks: z.array(askSchema).readonly().optional(),
  /** Present if another server of the panel has the same name: a free name, and both definitions as JSON. */
  twin: z.object({ freeName: z.string(), here: z.string(), there: z.string() }).optional(),
});
export type LeftServer = z.infer<typeof leftSchema>;

const moveResultSchema = z.object({
  difference: z.array(
    z.object({
      server: z.string(),
      scope: z.string(),
      path: z.string(),
      /** Current text in the file. */
      before: z.string(),
      /** New text in the file, with a placeholder for the token. */
      after: z.string(),
      notes: z.array(z.string()),
    }),
  ),
  precondition: z.string(),
  /** Servers that are not moved; only with `partly`. */
  left: z.array(leftSchema).optional(),
});
export type MoveResult = z.infer<typeof moveResultSchema>;

const restoreSchema = z.object({
  /** Id of a program; undefined for all programs. */
  client: programIdSchema.optional(),
  /** Servers of the program; undefined for all servers. A name without a scope means the servers of this name in all scopes. */
  servers: z
    .array(
      z.object({
        name: foreignNameSchema,
        scope: scopeSchema.optional(),
        /** Hash of the shown change (`precondition`), needed to restore an entry over one changed since the move. */
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
  /** Arguments, without the name of the server, which is appended. */
  args: z.array(z.string()),
  /** Environment variables, without the token, which is added. */
  env: z.record(z.string(), z.string()),
});
/** How to start the bridge to the panel, for programs that can only start servers as processes. */
export type Bridge = z.infer<typeof bridgeSchema>;

const restoreResultSchema = z.object({
  restored: z.array(z.object(restoredFields)),
  asked: z.array(
    z.object({
      ...restoredFields,
      reason: z.string(),
      /** What restoring by force would change; undefined if the kept entry no longer fits into the file. */
      change: z.object({ now: z.string(), then: z.string(), precondition: z.string() }).optional(),
    }),
  ),
});
export type RestoreResult = z.infer<typeof restoreResultSchema>;

/** Calls about servers of other programs on this machine: moving the servers to the panel, and back. */
export const programsCalls = {
  /** Reads the files of all known programs. */
  findClients: call({ method: 'find', result: z.array(foundClientSchema) }),
  /** Shows what a move changes. Makes it if `commit` is the shown precondition: CONFIG_CONFLICT if a file has changed since. */
  moveServers: call({ method: 'move', args: [moveSchema], result: moveResultSchema }),
  /**
   * Restores the original texts of moved entries. Entries that were changed since the move are left, and the reason is
   * returned. With `force` they are restored: CONFIG_CONFLICT if an entry is not what was shown.
   */
  restoreServers: call({ method: 'restore', args: [restoreSchema], result: restoreResultSchema }),
  /** Finds the bridge; undefined if its path is not permanent, as in an AppImage, or if Node is not found. */
  findBridge: call({ method: 'findBridge', result: bridgeSchema.optional() }),
};
