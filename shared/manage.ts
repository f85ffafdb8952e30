import { z } from 'zod';
import { errorReportSchema } from './error-report.ts';
import { jsonObjectSchema } from './json-object-schema.ts';
import type { ServerEntry } from './server-config.ts';

const problemSchema = z.object({
  /** Path of the problem in the text, such as `mcpServers.github.url`; empty for the whole text. */
  path: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
});

/** Placeholder in an imported entry. The user has to give its value before the server can work. */
export const askSchema = z.object({
  /** Id of the placeholder, unique within its entry. */
  id: z.string(),
  /** Name of the wanted value for the user: the description of the entry's author, or the name of the variable. */
  label: z.string(),
  secret: z.boolean(),
  /** Part of the entry that holds the placeholder. */
  where: z.enum(['command', 'args', 'env', 'cwd', 'url', 'header']),
  /** Name of the variable or header, or index of the argument as text; otherwise the same as `where`. */
  key: z.string(),
  /** Text that the answer replaces: `${input:token}`, `<YOUR_TOKEN>`, `/path/to/folder`; may be empty for a secret. */
  placeholder: z.string(),
  /**
   * Kind of value that replaces the placeholder. `environment`: a variable of the user's environment, which may be read there.
   * `path`: a file or folder on this machine. `value`: anything else, such as a token.
   */
  kind: z.enum(['value', 'environment', 'path']),
  /** Name of the environment variable, for the kind `environment`. */
  variable: z.string().optional(),
  /** Answer that the entry's author suggests. */
  suggestion: z.string().optional(),
  /** Value of `variable` in the user's environment, if it is set there. */
  found: z.string().optional(),
});
export type Ask = Readonly<z.infer<typeof askSchema>>;
export type AskPlace = Ask['where'];

export type ImportProblem = Readonly<z.infer<typeof problemSchema>>;

const importedEntrySchema = z.object({
  /** Name of the entry that is valid in this panel, and unique within a reading. */
  name: z.string(),
  /** Name in the source, if that name is invalid, or taken in this panel. */
  originalName: z.string().optional(),
  entry: jsonObjectSchema,
  /** Manual step that is needed before the server works as it does in the source. */
  problem: z.string().optional(),
  /** Placeholders whose values the user has to give: see `fillAsks`. */
  asks: z.array(askSchema).optional(),
  /** Reason why the server cannot work on this machine: its command is missing. One sentence without a full stop. */
  obstacle: z.string().optional(),
});

/** Entry of another client in the form of servers.json. */
export interface ImportedEntry extends Readonly<Omit<z.infer<typeof importedEntrySchema>, 'asks' | 'entry'>> {
  readonly entry: ServerEntry;
  readonly asks?: readonly Ask[] | undefined;
}

/** Entries in a pasted text. */
export const snippetSchema = z.object({
  entries: z.array(importedEntrySchema),
  problems: z.array(problemSchema),
});
export type Snippet = z.infer<typeof snippetSchema>;

const candidateSchema = importedEntrySchema.extend({
  /**
   * Relation to the panel's servers. `new`: the panel has neither the name nor the connection. `same`: a server of the panel has
   * the same connection, under this name or `existingName`. `different`: another server has the name, and would be replaced.
   */
  status: z.enum(['new', 'same', 'different']),
  /** Name of the identical server in this panel, if it differs. */
  existingName: z.string().optional(),
  /** Existing entry of that name, if the status is `different`. */
  existing: jsonObjectSchema.optional(),
});

export type ImportCandidate = ImportedEntry &
  Readonly<Omit<z.infer<typeof candidateSchema>, keyof ImportedEntry>>;

/** Entries in the files of other MCP clients on this machine. The files are only read; nothing is imported without the user. */
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

/** Result of writing several entries: the refused entries, each with the reason. All other entries were written. */
export const takenSchema = z.object({
  refused: z.array(z.object({ name: z.string(), error: errorReportSchema })),
});
export type Taken = z.infer<typeof takenSchema>;

/** Names of the example servers that were added. */
export const examplesSchema = z.object({ names: z.array(z.string()) });

/** Result of a server that was started separately. Secrets of its configuration are redacted. */
export const connectionTestSchema = z.object({
  /** Whether the handshake succeeded, and the server's tools could be listed. */
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
