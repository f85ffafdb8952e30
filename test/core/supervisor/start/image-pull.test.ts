import { describe, expect, it } from 'vitest';
import { ImagePull } from '../../../../electron/core/supervisor/start/image-pull.ts';

function wordsAfterEach(...parts: readonly string[]): (string | undefined)[] {
  const pull = new ImagePull('mcp/box');
  return parts.map((part) => {
    const before = pull.words;
    expect(pull.take(Buffer.from(part))).toBe(pull.words !== before);
    return pull.words;
  });
}

describe('the pull of an image', () => {
  it('counts the layers of docker, whatever the parts that they come in', () => {
    expect(
      wordsAfterEach(
        "Unable to find image 'mcp/box:latest' loc",
        'ally\nlatest: Pulling from mcp/box\n',
        'aaa: Pulling fs layer\nbbb: Pulling fs layer\nccc: Already exists\n',
        'aaa: Verifying Checksum\naaa: Download complete\n',
        'aaa: Pull complete\nbbb: Pull com',
        'plete\nDigest: sha256:1\nStatus: Downloaded newer image for mcp/box:latest\n',
      ),
    ).toEqual([
      undefined,
      'pulling mcp/box',
      'pulling mcp/box: layer 2 of 3',
      'pulling mcp/box: layer 2 of 3',
      'pulling mcp/box: layer 3 of 3',
      undefined,
    ]);
  });

  it('follows that of podman', () => {
    expect(
      wordsAfterEach(
        'Trying to pull localhost/mcp/box...\nGetting image source signatures\n',
        'Copying blob sha256:1\nCopying blob sha256:2\nCopying blob sha256:1\n',
        'Copying config sha256:3\nWriting manifest to image destination\nStoring signatures\n',
      ),
    ).toEqual(['pulling mcp/box', 'pulling mcp/box: layer 1 of 2', undefined]);
  });

  it('is none where a server says such words before anything is pulled', () => {
    expect(wordsAfterEach('aaa: Pulling fs layer\n', 'Status: ready\n')).toEqual([undefined, undefined]);
  });
});
