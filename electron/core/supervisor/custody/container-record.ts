import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CONTAINER_ENGINES } from '../../../../shared/container-run.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { isContainerId } from '../../platform/containers/engine-client.ts';

const MAX_RECORD_BYTES = 256 * 1024;
const MAX_ID_BYTES = 1024;
const RECORD_SUFFIX = '.json';

const recordSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  /** Engine client of the container. Of its environment, only the variables that specify the address of the engine are stored. */
  client: z.object({
    engine: z.enum(CONTAINER_ENGINES),
    file: z.string(),
    options: z.array(z.string()),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()),
  }),
  /** Value of the container's label; also the name of its files. */
  token: z.string().regex(/^[0-9a-zA-Z]+$/),
  /** True if the command line has `--rm`, so that the container's anonymous volumes are removed with it. */
  withVolumes: z.boolean(),
});

/** Record of one container, written before its client starts. */
export type ContainerRecord = z.infer<typeof recordSchema>;

/** Files of one container: the panel's record, and the id file that the engine client writes. */
interface ContainerFiles {
  readonly folder: string;
  readonly recordPath: string;
  readonly idPath: string;
}

export function containerFiles(folder: string, server: string, token: string): ContainerFiles {
  const own = join(folder, server);
  return {
    folder: own,
    recordPath: join(own, `${token}${RECORD_SUFFIX}`),
    idPath: join(own, `${token}.cid`),
  };
}

/** Writes the record of a container. @throws if it cannot be written */
export async function writeContainerRecord(files: ContainerFiles, record: ContainerRecord): Promise<void> {
  await mkdir(files.folder, { recursive: true, mode: 0o700 });
  await writeAtomically(files.recordPath, JSON.stringify(record), { afterPowerCut: 'nothing' });
}

/** Reads the id of a container. `begun`: the client ended before the engine gave an id. `none`: there is no file. */
export async function readContainerId(idPath: string): Promise<{ readonly id: string } | 'begun' | 'none'> {
  const text = await readRegularFile(idPath, MAX_ID_BYTES).then(String, () => undefined);
  if (text === undefined) return 'none';
  const id = text.trim();
  return isContainerId(id) ? { id } : 'begun';
}

/** Returns the records in `folder`, also of other panel processes. Unreadable ones are left out: they identify no container. */
export async function findContainerRecords(folder: string): Promise<readonly ContainerRecord[]> {
  const found: ContainerRecord[] = [];
  for (const server of await listed(folder)) {
    const names = (await listed(join(folder, server))).filter((name) => name.endsWith(RECORD_SUFFIX));
    for (const name of names) {
      const record = await readRecord(join(folder, server, name));
      if (record?.server === server && name === `${record.token}${RECORD_SUFFIX}`) found.push(record);
    }
  }
  return found;
}

/** Removes both files. Never rejects, because the next start of the panel finds the files that remain. */
export async function removeContainerFiles({ folder, recordPath, idPath }: ContainerFiles): Promise<void> {
  await rm(idPath, { force: true }).catch(() => undefined);
  await rm(recordPath, { force: true }).catch(() => undefined);
  await rmdir(folder).catch(() => undefined); // Fails while the folder contains files of other runs.
}

const listed = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

async function readRecord(path: string): Promise<ContainerRecord | undefined> {
  try {
    return recordSchema.parse(JSON.parse(String(await readRegularFile(path, MAX_RECORD_BYTES))));
  } catch {
    return undefined;
  }
}
