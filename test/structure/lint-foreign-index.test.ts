import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const RULE = 'local/no-foreign-index';

const given = `
declare const name: string;
declare const known: 'a' | 'b';
declare const words: Readonly<Record<string, string>>;
declare const look: Readonly<Record<'a' | 'b', string>>;
declare const list: readonly string[];
declare const bytes: Uint8Array;
declare const byName: ReadonlyMap<string, string>;
declare const either: 'a' | string[];
declare function ownValue(object: object, name: string): unknown;
`;

const refused = [
  'words[name];',
  'words[`a${name}`];',
  '({ a: 1 } as Record<string, number>)[name];',
  'name in words;',
  'const { [name]: one } = words;',
  '(words as Record<string, string>)[name] = "";',
  'function of<Key extends string>(key: Key) { return words[key]; }',
];
const allowed = [
  'look[known];',
  'words["a"];',
  'list[0];',
  'bytes[1];',
  'name[0];',
  'byName.get(name);',
  'ownValue(words, name);',
  '"a" in words;',
  'either[0];',
];

const folder = sharedFolder('lint-index-');
const compilerOptions = { strict: true, noEmit: true };
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));

/** Rules as they apply to a file of this checkout. */
async function rulesFor(file: string): Promise<Linter.Config> {
  const eslint = new ESLint({ cwd: root });
  return (await eslint.calculateConfigForFile(join(root, file))) as Linter.Config;
}

/** Lines of the text that the rule reports. */
async function reported(lines: readonly string[]): Promise<string[]> {
  const text = `${given}${lines.join('\n')}\nexport {};\n`;
  await writeFile(join(folder, 'planted.ts'), text);
  const { languageOptions, plugins } = await rulesFor('shared/domain.ts');
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: {
      parser: languageOptions!.parser!,
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: folder },
    },
    plugins: { local: plugins!['local']! },
    rules: { [RULE]: 'error' },
  };
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, baseConfig: config });
  const results = await eslint.lintFiles(['planted.ts']);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) =>
      ruleId === RULE ? (text.split('\n')[line - 1] ?? '') : message,
    ),
  );
}

describe('the lint rule against foreign names as keys', () => {
  it('reports every way to index a plain object by a text', async () => {
    expect(await reported(refused)).toEqual(refused);
  });

  it('lets known names, lists and maps alone', async () => {
    expect(await reported(allowed)).toEqual([]);
  });

  it.each([
    'electron/core/clock.ts',
    'electron/shell/main.ts',
    'electron/preload.ts',
    'shared/domain.ts',
    'renderer/app.tsx',
  ])('is in force for %s', async (file) => {
    const { rules } = await rulesFor(file);
    expect(rules?.[RULE]).toEqual([2]);
  });
});
