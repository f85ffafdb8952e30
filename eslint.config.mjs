import importX from 'eslint-plugin-import-x';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { constantPattern } from './build/lint/constant-pattern.mjs';
import { noForeignIndex } from './build/lint/no-foreign-index.mjs';

/** Nothing in these rooms may reach into the named one; the house is drawn in docs/architecture.md. */
const wrongArrows = [
  { target: './shared', from: ['./electron', './renderer', './test', './scripts'] },
  {
    target: './electron/core',
    from: ['./electron/shell', './electron/preload.ts', './renderer', './test', './scripts'],
  },
  { target: './electron/shell', from: ['./renderer', './test', './scripts', './electron/preload.ts'] },
  { target: './electron/preload.ts', from: ['./electron/core', './electron/shell', './renderer'] },
  { target: './renderer', from: ['./electron', './test', './scripts'] },
];

const noElectron = {
  name: 'electron',
  message: 'Only electron/shell and electron/preload.ts may import electron.',
};
const noNode = { group: ['node:*', 'fs', 'path', 'child_process'], message: 'This room has no Node.' };

/** A field holds fields: these are as recursive as the schemas they show. The structure test holds them to one circle. */
const recursiveForms = ['group', 'list', 'variants', 'view'].map(
  (part) => `renderer/forms/field-${part}.tsx`,
);

/** The message of an error, or the reason of a state, read by what it says. */
const textRead =
  'ErrorReport.data and ServerView.state.reasonData hold what programs read: add a field there.';
const isText = (path) => [
  `[${path}.name=/^(message|reason)$/]`,
  `[${path}.property.name=/^(message|reason)$/]`,
];
const readsOfTexts = [
  // message.replace(/x/, ''), error.message.split(': '), reason?.startsWith('x')
  ...isText('callee.object').flatMap((text) => [
    `CallExpression${text}[callee.property.name=/^(match|matchAll|search)$/]`,
    `CallExpression${text}[callee.property.name=/^(replace|replaceAll|split|startsWith|endsWith|includes|indexOf)$/][arguments.0.type='Literal']`,
    `CallExpression${text}[callee.property.name=/^(replace|replaceAll|split)$/][arguments.0.name=/^[A-Z]/]`,
  ]),
  // /x/.exec(error.message), PATTERN.test(reason)
  'CallExpression[callee.property.name=/^(exec|test)$/] > Identifier.arguments[name=/^(message|reason)$/]',
  'CallExpression[callee.property.name=/^(exec|test)$/] > .arguments Identifier[name=/^(message|reason)$/]',
].map((selector) => ({ selector, message: textRead }));

export default tseslint.config(
  { ignores: ['out/**', 'dist/**', 'node_modules/**', 'coverage/**'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.node.json',
          './tsconfig.preload.json',
          './tsconfig.renderer.json',
          './tsconfig.whole.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    settings: {
      // `no-cycle` follows an import only into files that it knows by extension and parser: without these two it
      // reports nothing at all of TypeScript.
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.tsx', '.js', '.mjs'] })],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: wrongArrows }],
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'max-lines': ['error', { max: 300 }],
      'no-console': 'error',
      'no-restricted-imports': ['error', { paths: [noElectron] }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['electron/core/**/*.ts'],
    ignores: ['electron/core/platform/system-clock.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: 'Take a Clock.' },
        { name: 'setInterval', message: 'Take a Clock.' },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take a Clock.' },
        { object: 'performance', property: 'now', message: 'Take a Clock.' },
        { object: 'Math', property: 'random', message: 'Take a random source.' },
      ],
    },
  },
  {
    files: ['electron/core/**/*.ts'],
    ignores: ['electron/core/platform/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [noElectron, { name: 'node:child_process', message: 'Take a Spawner from core/platform.' }],
        },
      ],
    },
  },
  {
    files: ['{electron,renderer,shared}/**/*.{ts,tsx}'],
    plugins: { local: { rules: { 'no-foreign-index': noForeignIndex } } },
    // The imports are on their way to it.
    ignores: ['electron/core/config/import/**', 'renderer/import/**'],
    rules: { 'local/no-foreign-index': 'error' },
  },
  {
    files: ['{electron,renderer,shared,scripts}/**/*.{ts,tsx,mjs}'],
    plugins: { patterns: { rules: { 'constant-pattern': constantPattern } } },
    rules: { 'patterns/constant-pattern': 'error' },
  },
  {
    // What Electron marks as deprecated is gone a version or two later.
    files: ['electron/shell/**/*.ts', 'electron/preload.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'error' },
  },
  {
    files: ['electron/shell/**/*.ts', 'electron/preload.ts', 'test/e2e/**/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['shared/**/*.ts', 'renderer/**/*.{ts,tsx}'],
    rules: { 'no-restricted-imports': ['error', { paths: [noElectron], patterns: [noNode] }] },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    // The rule is about the React compiler, which does not build this.
    rules: { ...reactHooks.configs.recommended.rules, 'react-hooks/incompatible-library': 'off' },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: recursiveForms, rules: { 'import-x/no-cycle': 'off' } },
  { files: ['test/{bench,clients,conformance,fixtures,soak}/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['*.config.ts'], rules: { 'import-x/no-default-export': 'off' } },
  {
    files: ['**/*.mjs'],
    plugins: { 'import-x': importX },
    rules: { 'max-lines': ['error', { max: 300 }], 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },
  {
    files: ['renderer/**/*.{ts,tsx}', 'electron/core/**/*.ts'],
    // The SDK names the target of a redirect in its message only.
    ignores: ['electron/core/supervisor/remote/remote-errors.ts'],
    rules: { 'no-restricted-syntax': ['error', ...readsOfTexts] },
  },
);
