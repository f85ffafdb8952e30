import { z } from 'zod';
import {
  connectionTestSchema,
  entrySchema,
  examplesSchema,
  importsSchema,
  snippetSchema,
  takenSchema,
} from '../../manage.ts';
import { healthPatchSchema, limitPatchSchema, sleepAfterSchema } from '../../panel-settings.ts';
import type { serverEntrySchema } from '../../server-config.ts';
import { call, knownNameSchema, named, namedEntrySchema } from '../call.ts';
import { jsonObjectSchema } from '../../json-object-schema.ts';

/** Entry with its name: the argument of `putServer`. */
export type NamedEntry = z.input<typeof serverEntrySchema> & { name: string };

/** Base revision of an edit: the entry as it was read, with the name that it had then; null if there was no entry. */
const editBasisSchema = z.object({
  basedOn: z.nullable(z.object({ name: z.string(), entry: jsonObjectSchema })),
});
export type EditBasis = z.infer<typeof editBasisSchema>;

/** Calls about the entries of servers.json, and about text that may become entries. */
export const entriesCalls = {
  getEntry: call({ method: 'get', args: named, result: entrySchema }),
  /**
   * Writes an entry. With a base revision, the entry is written only if the file still contains that revision; if the name
   * differs, the entry is renamed. Without a base revision, any entry of that name is replaced.
   */
  putServer: call({ method: 'put', args: [namedEntrySchema, editBasisSchema.optional()] }),
  /** Creates or replaces several entries with one write. Refused entries are returned with the reason; others are written. */
  putServers: call({ method: 'putAll', args: [z.array(namedEntrySchema).max(1000)], result: takenSchema }),
  /** Adds the example servers whose names are free, and the files that they use in the panel's data folder. */
  addExamples: call({ method: 'addExamples', result: examplesSchema }),
  removeServer: call({ method: 'remove', args: named }),
  setEnabled: call({ method: 'setEnabled', args: [knownNameSchema, z.boolean()] }),
  /** Reports that the panel wrongly took the server for stalled: sets its `health.onStall` to `notify`. */
  disputeVerdict: call({ method: 'disputeVerdict', args: named }),
  /** Sets the patched fields under `panel.limits` of the server's entry. The change applies immediately. */
  setLimits: call({ method: 'setLimits', args: [knownNameSchema, limitPatchSchema] }),
  /** Sets the patched fields under `panel.health` of the server's entry. The change applies immediately. */
  setHealth: call({ method: 'setHealth', args: [knownNameSchema, healthPatchSchema] }),
  setSharing: call({
    method: 'setSharing',
    args: [knownNameSchema, z.enum(['auto', 'shared', 'exclusive'])],
  }),
  /** Sets `panel.sleepAfterMs` of several servers. The change applies immediately. */
  setSleepAfter: call({
    method: 'setSleepAfter',
    args: [z.array(knownNameSchema).max(1000), sleepAfterSchema],
  }),
  /** Parses text copied from a README or another MCP client; nothing is written. */
  parseSnippet: call({ method: 'parseSnippet', args: [z.string().max(1_000_000)], result: snippetSchema }),
  /** Reads the files of other MCP clients on this machine; nothing is written. */
  findImports: call({ method: 'findImports', result: importsSchema }),
  /** Starts a separate process of the server, performs the handshake, lists the server's tools, and leaves no process behind. */
  testConnection: call({ method: 'testConnection', args: [namedEntrySchema], result: connectionTestSchema }),
};
