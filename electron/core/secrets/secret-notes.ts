import { parsedJson } from '../../../shared/parsed.ts';
import { z } from 'zod';
import { readContent } from '../files/file-content.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { SerialQueue } from '../serial-queue.ts';

const fileSchema = z.object({
  version: z.literal(1),
  /** Pairs of a secret's name and the time of the last start that used the secret. */
  usedAt: z.array(z.tuple([z.string(), z.number()])).max(10_000),
  /**
   * Texts that look like a placeholder and are to be used literally. Each is a JSON array of the server and the text (see
   * `keptKey`).
   */
  kept: z.array(z.string().max(10_000)).max(10_000),
});

/**
 * What the panel records about secrets: their last use, and placeholder-like texts to use literally. The notes have their own
 * file, so that the use of a secret does not rewrite the encrypted one.
 */
export class SecretNotes {
  readonly #path: string;
  readonly #queue = new SerialQueue();
  readonly #usedAt: Map<string, number>;
  readonly #kept: Set<string>;
  #isQueued = false;

  private constructor(path: string, usedAt: Map<string, number>, kept: Set<string>) {
    this.#path = path;
    this.#usedAt = usedAt;
    this.#kept = kept;
  }

  /** Opens the notes. Never rejects; if the file is missing or unreadable, the notes are empty. */
  static async open(path: string): Promise<SecretNotes> {
    const content = await readContent(path);
    const read = content.kind === 'text' ? fileSchema.safeParse(parsedJson(content.text)).data : undefined;
    return new SecretNotes(path, new Map(read?.usedAt), new Set(read?.kept));
  }

  lastUsedAt(name: string): number | undefined {
    return this.#usedAt.get(name);
  }

  used(names: Iterable<string>, at: number): void {
    for (const name of names) this.#usedAt.set(name, at);
    void this.flush();
  }

  /** True if the user has confirmed that this text in the server's definition is to be used literally. */
  isKept(server: string, text: string): boolean {
    return this.#kept.has(keptKey(server, text));
  }

  keep(server: string, text: string): void {
    this.#kept.add(keptKey(server, text));
    void this.flush();
  }

  renamed(from: string, to: string): void {
    const at = this.#usedAt.get(from);
    this.#usedAt.delete(from);
    if (at !== undefined) this.#usedAt.set(to, at);
    void this.flush();
  }

  /** Writes the notes to their file. Never rejects, because losing them is not worth failing an operation. */
  async flush(): Promise<void> {
    if (this.#isQueued) return this.#queue.run(() => Promise.resolve());
    this.#isQueued = true;
    await this.#queue.run(async () => {
      this.#isQueued = false;
      const notes = { version: 1, usedAt: [...this.#usedAt], kept: [...this.#kept] };
      const text = `${JSON.stringify(notes)}\n`;
      await writeAtomically(this.#path, text, { afterPowerCut: 'nothing' }).catch(() => undefined);
    });
  }
}

const keptKey = (server: string, text: string): string => JSON.stringify([server, text]);
