import { createHash } from 'node:crypto';
import { z } from 'zod';
import { brokenError, writeError } from '../../files/file-errors.ts';
import { readContent } from '../../files/file-content.ts';
import { writeAtomically } from '../../files/write-atomically.ts';

const recordSchema = z.object({
  /** Id of the program (the MCP client) whose file contains the entry. */
  program: z.string(),
  name: z.string(),
  /** Name of the panel's server that the entry leads to; if undefined, it is `name`. */
  server: z.string().optional(),
  /** Scope in which the program had the server, such as `user` or `project:<folder>`. */
  scope: z.string(),
  path: z.string(),
  /** Path of the entry in the file. */
  keyPath: z.array(z.string()),
  /** Path of a value that locates the written text: both have the same start or the same end. `edge` says which. */
  anchor: z.array(z.string()),
  edge: z.enum(['start', 'end']),
  /** Characters that were replaced; empty if an entry was added. */
  before: z.string(),
  /** Length and hash of the written text. The text itself is not kept, because it contains a token. */
  length: z.number(),
  hash: z.string(),
  /** Hash of the entry alone, without the text that was added around it. */
  entryHash: z.string(),
});

/** A record of an entry that the panel wrote into the file of another program, and of the text that the entry replaced. */
export type MovedEntry = z.infer<typeof recordSchema>;

const fileSchema = z.object({ version: z.literal(1), entries: z.array(recordSchema) });

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The file moved.json. It contains a record for each entry that the panel has replaced in other programs' files, in the order
 * of the replacements. Only its owner can read the file.
 */
export class MovedFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @throws CONFIG_BROKEN if the file cannot be read. It is not treated as empty, because the replaced texts would be lost. */
  async read(): Promise<readonly MovedEntry[]> {
    const content = await readContent(this.path);
    if (content.kind === 'gone') return [];
    if (content.kind === 'unreadable') throw brokenError(this.path, { message: content.reason });
    try {
      return fileSchema.parse(JSON.parse(content.text)).entries;
    } catch {
      throw brokenError(this.path, { message: 'it does not contain what the panel wrote' });
    }
  }

  /** Replaces all entries. @throws PERMISSION_DENIED, CONFIG_BROKEN */
  async write(entries: readonly MovedEntry[]): Promise<void> {
    const text = `${JSON.stringify({ version: 1, entries }, null, 2)}\n`;
    await writeAtomically(this.path, text).catch((error: unknown) => {
      throw writeError(this.path, error);
    });
  }
}

/** True if two records are about the same entry. */
export const isSameMoved = (
  one: Pick<MovedEntry, 'path' | 'keyPath'>,
  other: Pick<MovedEntry, 'path' | 'keyPath'>,
): boolean => one.path === other.path && JSON.stringify(one.keyPath) === JSON.stringify(other.keyPath);
