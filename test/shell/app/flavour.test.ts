import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFlavour } from '../../../electron/shell/app/flavour.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'flavour-'))));
afterEach(() => rmSync(folder, { recursive: true }));

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
