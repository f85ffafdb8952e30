import { join } from 'node:path';
import { z } from 'zod';
import { readContent } from '../files/file-content.ts';
import { openSealedJson, sealJson } from '../consent/consent-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { SerialQueue } from '../serial-queue.ts';

const decisionSchema = z.object({
  id: z.string(),
  clientId: z.string(),
  client: z.string(),
  server: z.string(),
  tool: z.string(),
  digest: z.string(),
  /** Epoch milliseconds; undefined for an answer that does not expire. */
  until: z.number().optional(),
});
/** A remembered answer of the user. It applies to one client, and to one tool as long as the tool's digest is the same. */
export type KeptAnswer = z.infer<typeof decisionSchema>;

const contentSchema = z.object({
  kind: z.literal('approvals'),
  decisions: z.array(decisionSchema).max(10_000),
});

/** The remembered answers in approvals.json, sealed with the key of the consents so that other programs' changes are ignored. */
export class DecisionsFile {
  readonly #path: string;
  readonly #key: Buffer | undefined;
  readonly #queue = new SerialQueue();

  /** @param key seals the file; if undefined, nothing is written, and answers are remembered only until the panel quits */
  constructor(home: string, key: Buffer | undefined) {
    this.#path = join(home, 'approvals.json');
    this.#key = key;
  }

  /** Never rejects. */
  async read(): Promise<readonly KeptAnswer[]> {
    const content = await readContent(this.#path);
    if (content.kind !== 'text' || !this.#key) return [];
    return contentSchema.safeParse(openSealedJson(content.text, this.#key)).data?.decisions ?? [];
  }

  /** @throws FileWriteError */
  write(decisions: readonly KeptAnswer[]): Promise<void> {
    const key = this.#key;
    if (!key) return Promise.resolve();
    const text = sealJson({ kind: 'approvals', decisions }, key);
    return this.#queue.run(async () => void (await writeAtomically(this.#path, text)));
  }
}
