import { z } from 'zod';
import type { Ask } from './asks.ts';
import { errorReportSchema } from './error-report.ts';
import { jsonObjectSchema } from './json-object-schema.ts';

const problemSchema = z.object({
  /** Place in the text, such as `mcpServers.github.url`; empty for the whole of it. */
  path: z.string(),
  message: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
});

const askSchema = z.object({
  id: z.string(),
  label: z.string(),
  secret: z.boolean(),
  where: z.enum(['command', 'args', 'env', 'cwd', 'url', 'header']),
  key: z.string(),
  placeholder: z.string(),
  kind: z.enum(['value', 'environment', 'path']),
  variable: z.string().optional(),
  suggestion: z.string().optional(),
  found: z.string().optional(),
}) satisfies z.ZodType<Ask>;

const importedEntrySchema = z.object({
  /** Valid as a name here. */
  name: z.string(),
  /** What it is called there, where that is no name here or is taken. */
  originalName: z.string().optional(),
  entry: jsonObjectSchema,
  /** What has to be done by hand before it works as it does there. */
  problem: z.string().optional(),
  /** Its placeholders, whose values a person has to give: see `fillAsks`. */
  asks: z.array(askSchema).optional(),
  /** Why it cannot work on this machine, whatever is answered: its command is not there. One sentence without a full stop. */
  obstacle: z.string().optional(),
});

/** What a pasted text holds. */
export const snippetSchema = z.object({
  entries: z.array(importedEntrySchema),
  problems: z.array(problemSchema),
});
export type Snippet = z.infer<typeof snippetSchema>;

const candidateSchema = importedEntrySchema.extend({
  status: z.enum(['new', 'same', 'different']),
  /** The server here that is the same, where it has another name. */
  existingName: z.string().optional(),
  /** For `different`: the entry that stands here under the name. */
  existing: jsonObjectSchema.optional(),
});

/** What the files of other clients on this machine offer. Only looked at: nothing is taken over by itself. */
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

/** What came of taking over several entries at once: those that were refused, each with why; the others are written. */
export const takenSchema = z.object({
  refused: z.array(z.object({ name: z.string(), error: errorReportSchema })),
});
export type Taken = z.infer<typeof takenSchema>;

/** Names of the example servers that were added. */
export const examplesSchema = z.object({ names: z.array(z.string()) });

/** What came of a server that was started aside. Secrets of its configuration are blacked out. */
export const connectionTestSchema = z.object({
  /** It shook hands and listed its tools. */
  ok: z.boolean(),
  /** From the start to the end of the handshake. */
  handshakeMs: z.number().optional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
  /** Their names; empty for a server that offers none. */
  tools: z.array(z.string()).readonly().optional(),
  /** The last 64 KiB of what it wrote. */
  stderr: z.string(),
  error: errorReportSchema.optional(),
});
export type ConnectionTest = z.infer<typeof connectionTestSchema>;

export const entrySchema = z.object({ entry: jsonObjectSchema });
