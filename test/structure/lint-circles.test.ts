import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import importX from 'eslint-plugin-import-x';
import { describe, expect, it } from 'vitest';
import { sharedFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const RULE = 'import-x/no-cycle';

const folder = sharedFolder('lint-circles-');

/** Rule as it applies to `file` of this checkout, without the rules that need its types. */
async function ruleFor(file: string): Promise<Linter.Config> {
  const eslint = new ESLint({ cwd: root });
  const config = (await eslint.calculateConfigForFile(join(root, file))) as Linter.Config;
  return {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parser: config.languageOptions!.parser! },
    plugins: { 'import-x': importX },
    settings: config.settings!,
    rules: { [RULE]: config.rules![RULE]! },
  };
}

/** Files that the rule reports among those that are planted. */
async function reported(config: Linter.Config, files: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, baseConfig: config });
  const results = await eslint.lintFiles(Object.keys(files));
  const messages = results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId }) => `${ruleId}: ${filePath.slice(folder.length + 1)}`),
  );
  return messages.sort();
}

describe('the lint rule against circles', () => {
  for (const file of [
    'electron/core/clock.ts',
    'electron/shell/main.ts',
    'renderer/app.tsx',
    'shared/domain.ts',
  ])
    it(`reports a circle of values as it stands for ${file}`, async () => {
      const found = await reported(await ruleFor(file), {
        'one.ts': `import { two } from './two.tsx';\nexport const one = () => two;\n`,
        'two.tsx': `import { three } from './three.ts';\nexport const two = () => three;\n`,
        'three.ts': `import { one } from './one.ts';\nexport const three = () => one;\n`,
        'straight.ts': `import { one } from './one.ts';\nexport const straight = () => one;\n`,
      });
      expect(found).toEqual([`${RULE}: one.ts`, `${RULE}: three.ts`, `${RULE}: two.tsx`]);
    });
});
