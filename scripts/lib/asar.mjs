import { createHash } from 'node:crypto';
import { sep } from 'node:path';

/**
 * One file of an archive: its path with `/`, its bytes (empty for a link, and for a file beside the archive), and the SHA-256
 * (hex) that the archive states for them.
 * @typedef {{ path: string, bytes: Buffer, promisedHash: string | undefined }} ArchivedFile
 */

/**
 * Reads the files of an asar archive. The library is loaded here, because the packaging may have to install it first.
 * @param {string} archive @returns {Promise<ArchivedFile[]>}
 */
export async function readArchive(archive) {
  const asar = await import('@electron/asar');
  asar.uncache(archive);
  // The library returns paths with a leading separator, but accepts none.
  const paths = asar.listPackage(archive, { isPack: false }).map((path) => path.slice(1));
  return paths.flatMap((path) => {
    const entry = asar.statFile(archive, path, false);
    if ('files' in entry) return [];
    const isInside = 'size' in entry && !entry.unpacked;
    return {
      path: path.split(sep).join('/'),
      bytes: isInside ? asar.extractFile(archive, path) : Buffer.alloc(0),
      promisedHash: 'integrity' in entry ? entry.integrity.hash : undefined,
    };
  });
}

/** Whether the bytes have the hash that the archive states, which Electron verifies on macOS and Windows. */
export function keepsPromise(/** @type {ArchivedFile} */ { bytes, promisedHash }) {
  return createHash('sha256').update(bytes).digest('hex') === promisedHash;
}
