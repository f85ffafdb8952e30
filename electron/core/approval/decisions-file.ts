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
/** A remembered answer, for one client and one digest of a tool. */
export type KeptAnswer = z.infer<typeof decisionSchema>;

const contentSchema = z.object({
  kind: z.literal('approvals'),
  decisions: z.array(decisionSchema).max(10_000),
});

/** The file approvals.json, sealed with the key of the consents. Anything that another program writes there is ignored. */
export class DecisionsFile {
  readonly #path: string;
  readonly #key: Buffer | undefined;
  readonly #queue = new SerialQueue();

  /** @param key if undefined, answers are valid only until the panel ends */
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
