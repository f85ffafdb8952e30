import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readFlavour } from '../../../electron/shell/app/flavour.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder = '';
beforeEach(() => void (folder = tempFolder('flavour-')));

const flavourOf = (manifest: unknown) => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return readFlavour(folder);
};

describe('the flavour of a package', () => {
  it('is test where its own package.json says so, and nowhere else', () => {
    expect(flavourOf({ name: 'mcp-control-panel-test', flavour: 'test' })).toBe('test');
    for (const manifest of [
      {},
      { name: 'mcp-control-panel-test' },
      { flavour: true },
      { flavour: 'Test' },
      null,
    ])
      expect(flavourOf(manifest)).toBe('release');
  });
});
