import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OfferList } from '../../../../shared/domain.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { errnoOf } from '../../errno.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { nextTurn } from '../../next-turn.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import { listMethods } from '../../sessions/offer/list-pages.ts';

/** One list as it is stored, with the items of all its pages combined. */
export interface KeptList {
  /** The JSON text of the result, `{"tools":[…]}`, in UTF-8. Never changed in place. */
  readonly result: Buffer;
  readonly count: number;
  /** False when the server has more items than are kept. */
  readonly isWhole: boolean;
  /** SHA-256 of the list's content, 64 hexadecimal digits: equal as long as no item changes. */
  readonly hash: string;
}

/** Stored lists and initialize result of one server. */
export interface KeptServer {
  readonly greeting: ServerLink['greeting'];
  readonly lists: ReadonlyMap<OfferList, KeptList>;
  /** Epoch milliseconds of the last observed change, by list. */
  readonly changes: ReadonlyMap<OfferList, number>;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_HEADER_BYTES = 1024 * 1024;
const HASHED_PER_TURN_BYTES = 256 * 1024;
const VERSION = 1;

const SHA256 = /^[0-9a-f]{64}$/;
const offerLists = Object.keys(listMethods) as OfferList[];

/** What the header line says about a list: length in bytes, SHA-256 to detect damage, and the other fields of `KeptList`. */
interface ListHeader extends Omit<KeptList, 'result'> {
  readonly list: OfferList;
  readonly bytes: number;
  readonly sha256: string;
}

interface Header {
  readonly greeting: ServerLink['greeting'];
  readonly lists: readonly ListHeader[];
  readonly changes: readonly (readonly [OfferList, number])[];
}

/**
 * Reads a catalogue file in chunks. Returns undefined for a missing file.
 * @throws Error with the reason why it cannot be read or is incomplete
 */
export async function readCatalogueFile(path: string): Promise<KeptServer | undefined> {
  const bytes = await readRegularFile(path, MAX_FILE_BYTES).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return bytes && decode(bytes).catch(() => Promise.reject(new Error('it is damaged')));
}

/**
 * Replaces the file atomically; only its owner can read it. Lists beyond the size limit are left out, the longest first.
 * @throws FileWriteError
 */
export async function writeCatalogueFile(path: string, server: KeptServer): Promise<void> {
  const content = await encode(server);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, content, { afterPowerCut: 'nothing' });
}

/**
 * Encodes the file as one JSON array. Its first line is a header, and each further line is a list exactly as it is sent to
 * clients. A reader can therefore take the bytes of a list out of the file without parsing them.
 */
async function encode({ greeting, lists, changes }: KeptServer): Promise<Buffer> {
  const byLength = [...lists].sort(([, one], [, other]) => one.result.length - other.result.length);
  const headers: ListHeader[] = [];
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
  if (header.length > MAX_HEADER_BYTES) throw new Error('the description of the server is larger than 1 MiB');
  return Buffer.concat([Buffer.from('['), header, ...bodies, Buffer.from('\n]\n')]);
}

async function decode(bytes: Buffer): Promise<KeptServer> {
  const end = bytes.indexOf('\n');
  const line = bytes.subarray(1, end).toString();
  const { greeting, lists, changes } = headerIn(JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line));
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

/**
 * Checks the header by hand. A schema would need more memory, and the doorkeeper, the small process that has the port while the
 * panel is away, reads this file as well. @throws Error
 */
function headerIn(value: unknown): Header {
  const { version, greeting, lists, changes = [] } = isJsonObject(value) ? value : {};
  const isKept =
    version === VERSION &&
    isGreeting(greeting) &&
    Array.isArray(lists) &&
    lists.every(isListHeader) &&
    Array.isArray(changes) &&
    changes.every(isChange);
  if (!isKept) throw new Error('it is damaged');
  return { greeting, lists, changes };
}

function isGreeting(value: unknown): value is Header['greeting'] {
  if (!isJsonObject(value)) return false;
  const { protocolVersion, capabilities, serverInfo } = value;
  if (typeof protocolVersion !== 'string' || !isJsonObject(capabilities)) return false;
  return isJsonObject(serverInfo) && [serverInfo['name'], serverInfo['version']].every(isText);
}

function isListHeader(value: unknown): value is ListHeader {
  if (!isJsonObject(value)) return false;
  const { list, count, isWhole, hash, bytes, sha256 } = value;
  const areDigests = [hash, sha256].every((digest) => isText(digest) && SHA256.test(digest));
  const areCounts = [count, bytes].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
  return areDigests && areCounts && typeof isWhole === 'boolean' && offerLists.includes(list as OfferList);
}

function isChange(value: unknown): value is readonly [OfferList, number] {
  return Array.isArray(value) && offerLists.includes(value[0] as OfferList) && Number.isFinite(value[1]);
}

const isText = (value: unknown): value is string => typeof value === 'string';

async function digestOf(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_PER_TURN_BYTES) {
    if (at > 0) await nextTurn();
    hash.update(bytes.subarray(at, at + HASHED_PER_TURN_BYTES));
  }
  return hash.digest('hex');
}

/** Copies the bytes into a separate buffer, because a short one would keep the whole buffer pool of Node.js in memory. */
export function ownBuffer(bytes: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
