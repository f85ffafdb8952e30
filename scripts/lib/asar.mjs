import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * One file of an archive: its path in it with `/`, its bytes, and the SHA-256 (hex) that the archive promises for them.
 * @typedef {{ path: string, bytes: Buffer, promisedHash: string | undefined }} ArchivedFile
 * @typedef {{ files?: Record<string, Entry>, offset?: string, size?: number, unpacked?: boolean,
 *   integrity?: { hash: string } }} Entry
 */

const PREFIX_BYTES = 16;

/**
 * The files inside an asar archive: four little-endian numbers, the fourth the length of the JSON that follows and the
 * second the length of all that comes before the contents, counted from byte 8.
 * @param {string} archive @returns {ArchivedFile[]}
 */
export function readArchive(archive) {
  const all = readFileSync(archive);
  const contents = 8 + all.readUInt32LE(4);
  /** @type {Entry} */
  const root = JSON.parse(all.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + all.readUInt32LE(12)));
  /** @param {Entry} entry @param {string} path @returns {ArchivedFile[]} */
  const walk = (entry, path) => {
    if (entry.files !== undefined)
      return Object.entries(entry.files).flatMap(([name, inner]) =>
        walk(inner, path === '' ? name : `${path}/${name}`),
      );
    const start = contents + Number(entry.offset);
    const bytes = entry.unpacked ? Buffer.alloc(0) : all.subarray(start, start + Number(entry.size));
    return [{ path, bytes, promisedHash: entry.integrity?.hash }];
  };
  return walk(root, '');
}

/** Whether the bytes are those that the archive promises, which Electron checks on macOS and Windows. */
export function keepsPromise(/** @type {ArchivedFile} */ { bytes, promisedHash }) {
  return createHash('sha256').update(bytes).digest('hex') === promisedHash;
}
