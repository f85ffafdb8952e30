import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bridgeManifest } from '../../scripts/lib/mcpb-manifest.mjs';
import { projectRoot } from '../../scripts/lib/paths.mjs';
import { zip } from '../../scripts/lib/zip.mjs';

/** Reads an archive by its directory, as unpackers do. @param {Buffer} archive */
function unzip(archive) {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, size, length] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 24),
      archive.readUInt16LE(at + 28),
    ];
    const head = archive.readUInt32LE(at + 42);
    const begin = head + 30 + archive.readUInt16LE(head + 26) + archive.readUInt16LE(head + 28);
    const data = inflateRawSync(archive.subarray(begin, begin + packed));
    expect([data.length, crc32(data)]).toEqual([size, archive.readUInt32LE(at + 16)]);
    files.set(archive.toString('utf8', at + 46, at + 46 + length), data);
    at += 46 + length;
  }
  expect(at).toBe(end);
  return files;
}

it('packs an archive that holds its files byte for byte', () => {
  const files = new Map([
    ['a.json', '{}'],
    ['ü/b.bin', Buffer.from([0, 255, 10, 13])],
    ['empty', ''],
  ]);
  const found = unzip(zip(files));
  expect([...found].map(([path, data]) => [path, [...data]])).toEqual(
    [...files].map(([path, data]) => [path, [...Buffer.from(data)]]),
  );
});

it('describes the bridge of this version to hosts of bundles, with the token kept as a secret', () => {
  const about = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const { server, user_config: asked, version, author } = bridgeManifest(about);
  expect({ version, author }).toEqual({ version: about.version, author: { name: about.author } });
  expect(server.mcp_config.args).toEqual(['${__dirname}/bridge.cjs', 'connect', '${user_config.server}']);
  expect(asked.token).toMatchObject({ sensitive: true, required: true });
});
