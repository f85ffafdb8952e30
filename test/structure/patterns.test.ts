import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ESLint, Linter } from 'eslint';
import { check } from 'recheck';
import { describe, expect, it } from 'vitest';
import { constantPattern } from '../../build/lint/constant-pattern.mjs';
import { readPatterns } from '../../build/lint/read-patterns.mjs';
import { patience } from '../support/patience.ts';

const root = resolve(import.meta.dirname, '../..');
const ROOMS = ['electron', 'renderer', 'shared', 'scripts'];
/** A pattern takes the checker milliseconds, or more time than anybody has. */
const MAX_JUDGE_MS = 20_000;

type Verdict = 'linear' | 'no attack found' | 'polynomial' | 'exponential' | 'undecided';

const read = <T>(name: string): T => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as T;
const judged = new Map(Object.entries(read<Record<string, Verdict>>('pattern-verdicts.json')));
/** Patterns that are not proven linear, by what bounds the time that they take. */
const exceptions = read<readonly { bound: string; patterns: readonly string[] }[]>('pattern-exceptions.json');

interface Found {
  readonly source: string;
  readonly flags: string;
}

function patternsOfProduct(): ReadonlyMap<string, Found> {
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, room, file),
    ),
  ).filter((file) => /\.(?:ts|tsx|mjs|cjs)$/.test(file));
  return new Map(
    files
      .flatMap((file) => readPatterns(file).patterns)
      .map(({ source, flags }) => [`/${source}/${flags}`, { source, flags }]),
  );
}

async function judge({ source, flags }: Found): Promise<Verdict> {
  const found = await check(source, flags, { timeout: MAX_JUDGE_MS });
  if (found.status === 'unknown') return 'undecided';
  if (found.status === 'vulnerable') return found.complexity.type;
  // Lookarounds and counted repetitions are beyond the theory: these are tried with texts that the checker breeds.
  return found.checker === 'automaton' ? 'linear' : 'no attack found';
}

describe('the patterns of the product', () => {
  const patterns = patternsOfProduct();

  // Verdicts are kept, because some take the checker seconds: "npx vitest run --project unit test/structure/patterns.test.ts -u"
  // judges the new ones and drops those that are gone.
  it('are each judged by a checker', { timeout: 900_000 * patience }, async () => {
    expect(patterns.size).toBeGreaterThan(500);
    const verdicts: [string, Verdict][] = [];
    for (const [text, pattern] of patterns) verdicts.push([text, judged.get(text) ?? (await judge(pattern))]);
    verdicts.sort(([one], [other]) => (one < other ? -1 : 1));
    const kept = `${JSON.stringify(Object.fromEntries(verdicts), null, 2)}\n`;
    await expect(kept).toMatchFileSnapshot('pattern-verdicts.json');
  });

  it('take linear time, or stand in the list of those whose text has a bound', () => {
    const unproven = [...patterns.keys()].filter(
      (text) => !['linear', 'no attack found'].includes(judged.get(text) ?? ''),
    );
    const excepted = exceptions.flatMap((exception) => exception.patterns);
    expect(new Set(excepted).size).toBe(excepted.length);
    expect(exceptions.filter(({ bound }) => !/\d/.test(bound))).toEqual([]);
    expect({
      withoutBound: unproven.filter((text) => !excepted.includes(text)),
      withoutNeed: excepted.filter((text) => !unproven.includes(text)),
    }).toEqual({ withoutBound: [], withoutNeed: [] });
  });

  it('are found out when they are not linear', { timeout: 60_000 * patience }, async () => {
    expect(await judge({ source: '^(@?[a-z]+[-_.]?)+v?\\d{1,4}$', flags: 'i' })).toBe('exponential');
    expect(await judge({ source: '\\s*$', flags: '' })).toBe('polynomial');
    expect(await judge({ source: '^\\s*x', flags: '' })).toBe('linear');
  });
});

/** A file that is read, and linted, as if it were part of the product. */
const file = join(root, 'shared/control-sequences.ts');

describe('reading the patterns of a file', () => {
  it('finds literals, and constant texts however they are put together', () => {
    const text = `
      const WORD = '[a-z]+';
      const many = (set: string, count: string) => \`(?:\${set})\${count}\`;
      const KINDS = ['a', String.raw\`\\d\`];
      // A comment before a pattern of its own line.
      const list = [
        // with one more
        /x\\/y/gi,
      ];
      new RegExp(\`^\${WORD}$\`, 'u');
      new RegExp(many(WORD, '{2}') + KINDS.join('|'));
      const found = (name: string, flag: boolean) => new RegExp(\`\${name}=\`, flag ? 'g' : 'gi');
      found('one', true);
      found('two', false);
      const escaped = (foreign: string) => new RegExp(escapeRegExp(foreign) + '$');
      new RegExp(list[0]);
    `;
    const { patterns, unreadable } = readPatterns(file, text);
    expect(patterns.map(({ source, flags }) => `/${source}/${flags}`)).toEqual([
      '/x\\/y/gi',
      '/^[a-z]+$/u',
      '/(?:[a-z]+){2}a|\\d/',
      '/one=/gi',
      '/two=/gi',
      '/any text$/',
    ]);
    expect(unreadable.map(({ why }) => why)).toEqual(['"list[0]" is not constant']);
  });

  it.each([
    ['of a parameter', 'export const f = (foreign: string) => new RegExp(foreign);'],
    ['of a part that is not escaped', 'export const f = (foreign: string) => RegExp(`^${foreign}$`, "u");'],
    ['of what is read', 'export const f = (file: Buffer) => new RegExp(file.toString());'],
    ['of a variable', 'let text = "a"; text += "b"; export const f = new RegExp(text);'],
  ])('is refused by lint where a pattern is made %s', (_, text) => {
    const config: Linter.Config = {
      plugins: { patterns: { rules: { 'constant-pattern': constantPattern } } },
      rules: { 'patterns/constant-pattern': 'error' },
    };
    const plain = text.replace(/: (?:string|Buffer)/g, '');
    const found = new Linter({ cwd: root }).verify(plain, config, { filename: 'shared/planted.js' });
    expect(found.map(({ ruleId }) => ruleId)).toEqual(['patterns/constant-pattern']);
  });

  // The configuration loads the compiler, which takes long where other programs run.
  it('is refused by lint in every room', { timeout: 120_000 * patience }, async () => {
    const eslint = new ESLint({ cwd: root });
    for (const name of [
      'electron/core/clock.ts',
      'renderer/app.tsx',
      'shared/domain.ts',
      'scripts/test.mjs',
    ]) {
      const { rules } = (await eslint.calculateConfigForFile(join(root, name))) as Linter.Config;
      expect(rules?.['patterns/constant-pattern']).toEqual([2]);
    }
  });
});
