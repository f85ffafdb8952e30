import { createHash } from 'node:crypto';
import { sep } from 'node:path';

/**
 * One file of an archive: its path in it with `/`, its bytes (none of a link, and of what lies beside the archive), and the
 * SHA-256 (hex) that the archive promises for them.
 * @typedef {{ path: string, bytes: Buffer, promisedHash: string | undefined }} ArchivedFile
 */

/**
 * The files inside an asar archive. The library is loaded here, since whoever packages may have to install it first.
 * @param {string} archive @returns {Promise<ArchivedFile[]>}
 */
export async function readArchive(archive) {
  const asar = await import('@electron/asar');
  asar.uncache(archive);
  // The library begins paths with a separator, and takes none that does.
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

/** Whether the bytes are those that the archive promises, which Electron checks on macOS and Windows. */
export function keepsPromise(/** @type {ArchivedFile} */ { bytes, promisedHash }) {
  return createHash('sha256').update(bytes).digest('hex') === promisedHash;
}
