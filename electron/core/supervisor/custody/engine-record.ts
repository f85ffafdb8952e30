import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { runOnSchema } from '../../../../shared/panel-settings.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';

const MAX_RECORD_BYTES = 64 * 1024;
const RECORD_SUFFIX = '.json';

const callSchema = z.object({
  method: z.string(),
  target: z.string().optional(),
  by: z.string(),
  client: z.string().optional(),
  isGivenUp: z.boolean().optional(),
});

const recordSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  /** Value of the container's label; also the name of the file. */
  token: z.string().regex(/^[0-9a-zA-Z]+$/),
  place: runOnSchema,
  /**
   * Digest of the data from which the container was created. If it differs at the next start, the container cannot be adopted.
   */
  digest: z.string(),
  withVolumes: z.boolean(),
  /** False as soon as the run is to end. Then the container is removed, never adopted. */
  isWanted: z.boolean(),
  /** Number of panel processes that have adopted the container. */
  adoptions: z.number().int(),
  /** Calls in flight, at most 50. If the panel dies, their answers are lost. */
  calls: z.array(callSchema).optional(),
  generation: z.number().int().optional(),
});

/** Record of one container on another engine or in a cluster (the `runOn` setting), written before the container is created. */
export type EngineRecord = z.infer<typeof recordSchema>;

/**
 * Records of the containers on other engines and in clusters. Each has its own file, which exists from before the creation of
 * the container until the container is gone.
 */
export class EngineRecords {
  readonly #folder: string;
  /** Tokens of the records that belong to current runs of this panel process. */
  readonly #claimed = new Set<string>();

  /** @param folder `<home>/engines`; created with the first record */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes a record of a run of this panel. @throws if it cannot be written */
  async write(record: EngineRecord): Promise<void> {
    this.#claimed.add(record.token);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeAtomically(this.#pathOf(record), JSON.stringify(record), { afterPowerCut: 'nothing' });
  }

  /** Removes the record of a container that is gone. Never rejects. */
  async remove(record: EngineRecord): Promise<void> {
    await rm(this.#pathOf(record), { force: true }).catch(() => undefined);
  }

  /** Marks the run of a record as ended, so that `left` returns its record if the container may still exist. */
  release({ token }: EngineRecord): void {
    this.#claimed.delete(token);
  }

  /** Returns the records that do not belong to a run of this panel. Unreadable ones are left out. */
  async left(): Promise<readonly EngineRecord[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const found: EngineRecord[] = [];
    for (const name of names.filter((one) => one.endsWith(RECORD_SUFFIX))) {
      const record = await this.#read(name);
      if (record && !this.#claimed.has(record.token)) found.push(record);
    }
    return found;
  }

  async #read(name: string): Promise<EngineRecord | undefined> {
    try {
      const text = await readRegularFile(join(this.#folder, name), MAX_RECORD_BYTES);
      const record = recordSchema.parse(JSON.parse(String(text)));
      return name === `${record.token}${RECORD_SUFFIX}` ? record : undefined;
    } catch {
      return undefined;
    }
  }

  #pathOf({ token }: EngineRecord): string {
    return join(this.#folder, `${token}${RECORD_SUFFIX}`);
  }
}
