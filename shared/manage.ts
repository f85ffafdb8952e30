import { z } from 'zod';
import { errorReportSchema } from './error-report.ts';
import { jsonObjectSchema } from './json-object-schema.ts';
import type { ServerEntry } from './server-config.ts';

const problemSchema = z.object({
  /** Path of the problem in the text, such as `mcpServers.github.url`. Empty if the problem concerns the whole text. */
  path: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
});

/** Placeholder in an imported entry whose value the user has to give before the server can work. */
export const askSchema = z.object({
  /** Id of the placeholder, unique within its entry. */
  id: z.string(),
  /** Name of the requested value, as shown to the user: the description by the entry's author, or the name of the variable. */
  label: z.string(),
  secret: z.boolean(),
  /** Part of the entry that contains the placeholder. */
  where: z.enum(['command', 'args', 'env', 'cwd', 'url', 'header']),
  /** Name of the variable or header, or the index of the argument as text. For other parts it is the same as `where`. */
  key: z.string(),
  /** Text that the user's answer replaces: `${input:token}`, `<YOUR_TOKEN>`, `/path/to/folder`. May be empty for a secret. */
  placeholder: z.string(),
  /**
   * Kind of value that replaces the placeholder. `environment`: the value of an environment variable of the user, which the
   * panel may read. `path`: a file or folder on this machine. `value`: anything else, such as a token.
   */
  kind: z.enum(['value', 'environment', 'path']),
  /** Name of the environment variable; defined only for the kind `environment`. */
  variable: z.string().optional(),
  /** Value that the entry's author suggests. */
  suggestion: z.string().optional(),
  /** Value of `variable` in the user's environment; undefined if the variable is not set. */
  found: z.string().optional(),
});
export type Ask = Readonly<z.infer<typeof askSchema>>;
export type AskPlace = Ask['where'];

export type ImportProblem = Readonly<z.infer<typeof problemSchema>>;

const importedEntrySchema = z.object({
  /** Name for the entry in this panel. It is valid, and unique among the entries that were read together. */
  name: z.string(),
  /** Name in the source; defined only if that name is invalid, or already used in this panel. */
  originalName: z.string().optional(),
  entry: jsonObjectSchema,
  /** Manual step that the user has to take before the server works as it does in the source. */
  problem: z.string().optional(),
  /** Placeholders whose values the user has to give: see `fillAsks`. */
  asks: z.array(askSchema).optional(),
  /** Reason why the server cannot work on this machine, namely that its command is missing. One sentence without a full stop. */
  obstacle: z.string().optional(),
});

/** Entry of another client, converted to the form of servers.json. */
export interface ImportedEntry extends Readonly<Omit<z.infer<typeof importedEntrySchema>, 'asks' | 'entry'>> {
  readonly entry: ServerEntry;
  readonly asks?: readonly Ask[] | undefined;
}

/** Entries found in a pasted text. */
export const snippetSchema = z.object({
  entries: z.array(importedEntrySchema),
  problems: z.array(problemSchema),
});
export type Snippet = z.infer<typeof snippetSchema>;

const candidateSchema = importedEntrySchema.extend({
  /**
   * Comparison with the panel's servers. `new`: no server has this name or this connection. `same`: a server has the same
   * connection, under this name or `existingName`. `different`: another server has this name, and would be replaced.
   */
  status: z.enum(['new', 'same', 'different']),
  /** Name of the identical server in this panel; defined only if it differs from `name`. */
  existingName: z.string().optional(),
  /** Entry that has this name in the panel; defined only if the status is `different`. */
  existing: jsonObjectSchema.optional(),
});

export type ImportCandidate = ImportedEntry &
  Readonly<Omit<z.infer<typeof candidateSchema>, keyof ImportedEntry>>;

/** Entries in files of other MCP clients on this machine. The panel only reads these, and imports nothing without the user. */
export const importsSchema = z.object({
  files: z.array(
    z.object({
      strategy: z.string(),
      label: z.string(),
      path: z.string(),
      servers: z.array(candidateSchema),
      problems: z.array(problemSchema),
    }),
  ),
});
export type Imports = z.infer<typeof importsSchema>;

/** Result of writing several entries. Contains the refused entries, each with the reason; all other entries were written. */
export const takenSchema = z.object({
  refused: z.array(z.object({ name: z.string(), error: errorReportSchema })),
});
export type Taken = z.infer<typeof takenSchema>;

/** Names of the example servers that were added. */
export const examplesSchema = z.object({ names: z.array(z.string()) });

/** Result of testing a server's connection with a separate start of the server. Secrets of its configuration are redacted. */
export const connectionTestSchema = z.object({
  /** True if the handshake succeeded, and the server's tools could be listed. */
  ok: z.boolean(),
  /** Time from the start to the end of the handshake, in ms. */
  handshakeMs: z.number().optional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
  /** Names of the server's tools; empty for a server without tools. */
  tools: z.array(z.string()).readonly().optional(),
  /** Last 64 KiB of the server's stderr. */
  stderr: z.string(),
  error: errorReportSchema.optional(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

export const entrySchema = z.object({ entry: jsonObjectSchema });
