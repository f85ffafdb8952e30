import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { offerLists, type OfferList } from '../../../../shared/domain.ts';
import { errnoOf } from '../../errno.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { nextTurn } from '../../next-turn.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import { ownBuffer, type KeptList } from './link-lists.ts';

/** Stored lists and initialize result of one server. */
export interface KeptServer {
  readonly greeting: UpstreamLink['greeting'];
  readonly lists: ReadonlyMap<OfferList, KeptList>;
  /** Epoch milliseconds of the last observed change, by list. */
  readonly changes: ReadonlyMap<OfferList, number>;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_HEADER_BYTES = 1024 * 1024;
const HASHED_PER_TURN_BYTES = 256 * 1024;
const VERSION = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const listSchema = z.object({
  list: z.enum(offerLists),
  count: z.number().int().min(0),
  isWhole: z.boolean(),
  hash: sha256,
  bytes: z.number().int().positive(),
  sha256,
});
const headerSchema = z.object({
  version: z.literal(VERSION),
  greeting: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    serverInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  lists: z.array(listSchema),
  changes: z.array(z.tuple([z.enum(offerLists), z.number()])).default([]),
});

/**
 * Reads a catalogue file in chunks. Undefined for a missing file.
 * @throws Error with the reason why it cannot be read or is incomplete
 */
export async function readCatalogueFile(path: string): Promise<KeptServer | undefined> {
  const bytes = await readRegularFile(path, MAX_FILE_BYTES).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return bytes && decode(bytes).catch(() => Promise.reject(new Error('it is damaged')));
}

/** Replaces the file atomically, readable by its owner alone. Lists beyond the size limit are left out, the longest first. @throws FileWriteError */
export async function writeCatalogueFile(path: string, server: KeptServer): Promise<void> {
  const content = await encode(server);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, content, { afterPowerCut: 'nothing' });
}

/**
 * Encodes the file as one JSON array by lines: a header, then each list as it is sent to clients. A list is cut out of it as
 * bytes, without being parsed.
 */
async function encode({ greeting, lists, changes }: KeptServer): Promise<Buffer> {
  const byLength = [...lists].sort(([, one], [, other]) => one.result.length - other.result.length);
  const headers: z.input<typeof listSchema>[] = [];
  const bodies: Buffer[] = [];
  let room = MAX_FILE_BYTES - MAX_HEADER_BYTES;
  for (const [list, { result, count, isWhole, hash }] of byLength) {
    room -= result.length;
    if (room < 0) break;
    headers.push({
      list,
      count,
      isWhole,
      hash,
      bytes: result.length,
      sha256: await digestOf(result),
    });
    bodies.push(Buffer.from(',\n'), result);
  }
  const header = Buffer.from(
    JSON.stringify({ version: VERSION, greeting, lists: headers, changes: [...changes] }),
  );
  if (header.length > MAX_HEADER_BYTES)
    throw new Error('what the server says of itself is larger than 1 MiB');
  return Buffer.concat([Buffer.from('['), header, ...bodies, Buffer.from('\n]\n')]);
}

async function decode(bytes: Buffer): Promise<KeptServer> {
  const end = bytes.indexOf('\n');
  const line = bytes.subarray(1, end).toString();
  const { greeting, lists, changes } = headerSchema.parse(
    JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line),
  );
  const kept = new Map<OfferList, KeptList>();
  let at = end + 1;
  for (const { list, count, isWhole, hash, bytes: length, sha256: digest } of lists) {
    // A copy, so that the rest of the file's buffer is not kept in memory.
    const result = ownBuffer(bytes.subarray(at, at + length));
    if (result.length !== length || (await digestOf(result)) !== digest) throw new Error('it is damaged');
    kept.set(list, { result, count, isWhole, hash });
    at += length + 2;
  }
  return { greeting, lists: kept, changes: new Map(changes) };
}

async function digestOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_PER_TURN_BYTES) {
    if (at > 0) await nextTurn();
    hash.update(bytes.subarray(at, at + HASHED_PER_TURN_BYTES));
  }
  return hash.digest('hex');
}
