// `npm run figures`: how large and how entangled the tree is, as a table. The same script before and after a change.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { captureCommand } from './lib/run-command.mjs';

const PRODUCT = ['electron', 'renderer', 'shared', 'scripts', 'build'];
const LONG_FUNCTION_LINES = 60;

await ensureInstalled();
const { default: ts } = await import('typescript');

await runEntry(async () => {
  const product = PRODUCT.flatMap(sourcesIn);
  const tests = sourcesIn('test');
  const typed = product.filter(({ path }) => /\.tsx?$/.test(path));
  const facts = typed.map(factsOf);
  const functions = facts.flatMap((fact) => fact.functions).toSorted((a, b) => b - a);
  const lines = product.map((file) => file.lines).toSorted((a, b) => a - b);
  const users = usersOf(typed);
  const count = (/** @type {(fact: Facts) => number} */ of) => facts.reduce((sum, fact) => sum + of(fact), 0);
  /** @type {Map<string, number>} */
  const names = new Map();
  for (const name of facts.flatMap((fact) => fact.exported)) names.set(name, (names.get(name) ?? 0) + 1);
  print([
    ['lines of product, tests', [linesOf(product), linesOf(tests)]],
    [
      'files of product, tests; p50 of product',
      [product.length, tests.length, lines[lines.length >> 1] ?? 0],
    ],
    [
      `functions over ${LONG_FUNCTION_LINES} lines; longest`,
      [functions.filter((length) => length > LONG_FUNCTION_LINES).length, functions[0] ?? 0],
    ],
    [
      'exported names; with one user; with none',
      [
        users.size,
        [...users.values()].filter((by) => by.size === 1).length,
        [...users.values()].filter((by) => by.size === 0).length,
      ],
    ],
    ['names exported twice', [[...names.values()].filter((times) => times > 1).length]],
    [
      'one-line methods; function members of interfaces of options',
      [count((f) => f.oneLine), count((f) => f.callbacks)],
    ],
    [
      '`!`; `as`; `Record<string, unknown>`',
      [count((f) => f.bangs), count((f) => f.casts), count((f) => f.records)],
    ],
    ...(await actRows()),
  ]);
  return 0;
});

/** What runs for a call through the gateway, a sample and a restart. @returns {Promise<[string, number[]][]>} */
async function actRows() {
  const node = await ensurePinnedNode();
  const { stdout } = await captureCommand(node, [join('test', 'bench', 'count-acts.ts')], {
    cwd: projectRoot,
  });
  /** @type {Record<string, { functions: number, files: number }>} */
  const acts = JSON.parse(stdout);
  return Object.entries(acts).map(([name, { functions, files }]) => [
    `functions, files that run for a ${name}`,
    [functions, files],
  ]);
}

/** @typedef {{ path: string, text: string, lines: number }} Source */
/**
 * @typedef {{
 *   functions: number[], exported: string[], oneLine: number, callbacks: number, bangs: number, casts: number, records: number
 * }} Facts
 */

/** @param {string} folder @returns {Source[]} */
function sourcesIn(folder) {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|css)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8');
      return { path: relative(projectRoot, path), text, lines: text.split('\n').length - 1 };
    });
}

/** @param {readonly Source[]} sources */
function linesOf(sources) {
  return sources.reduce((sum, { lines }) => sum + lines, 0);
}

/** @param {Source} source @returns {Facts} */
function factsOf({ path, text }) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (/** @type {number} */ position) => file.getLineAndCharacterOfPosition(position).line;
  /** @type {Facts} */
  const facts = {
    functions: [],
    exported: exportsOf(file),
    oneLine: 0,
    callbacks: 0,
    bangs: 0,
    casts: 0,
    records: 0,
  };
  const visit = (/** @type {import('typescript').Node} */ node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const length = lineAt(node.end) - lineAt(node.getStart()) + 1;
      facts.functions.push(length);
      if (
        ts.isMethodDeclaration(node) &&
        ts.isBlock(node.body) &&
        node.body.statements.length === 1 &&
        length <= 3
      )
        facts.oneLine += 1;
    }
    if (ts.isInterfaceDeclaration(node) && /Options$|Parts$|Hooks$/.test(node.name.text))
      facts.callbacks += node.members.filter(isFunctionMember).length;
    if (ts.isNonNullExpression(node)) facts.bangs += 1;
    if (ts.isAsExpression(node) && node.type.getText() !== 'const') facts.casts += 1;
    if (ts.isTypeReferenceNode(node) && /^Record<string, unknown>$/.test(node.getText())) facts.records += 1;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return facts;
}

/** @param {import('typescript').TypeElement} member */
function isFunctionMember(member) {
  return (
    ts.isMethodSignature(member) ||
    (ts.isPropertySignature(member) && member.type !== undefined && ts.isFunctionTypeNode(member.type))
  );
}

/** @param {import('typescript').SourceFile} file @returns {string[]} */
function exportsOf(file) {
  return file.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(file));
    return 'name' in statement && statement.name
      ? [/** @type {import('typescript').Identifier} */ (statement.name).text]
      : [];
  });
}

/**
 * Files that import each exported name of the product, by `file#name`; its own file does not count.
 * @param {readonly Source[]} sources @returns {Map<string, Set<string>>}
 */
function usersOf(sources) {
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  const parsed = sources.map(({ path, text }) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  );
  for (const file of parsed)
    for (const name of exportsOf(file)) users.set(`${file.fileName}#${name}`, new Set());
  for (const file of parsed)
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const { moduleSpecifier } = statement;
      if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || !moduleSpecifier.text.startsWith('.'))
        continue;
      const from = relative(projectRoot, resolve(projectRoot, file.fileName, '..', moduleSpecifier.text));
      const bindings = ts.isImportDeclaration(statement)
        ? statement.importClause?.namedBindings
        : statement.exportClause;
      if (!bindings || !('elements' in bindings)) continue;
      for (const { name, propertyName } of bindings.elements)
        users.get(`${from}#${(propertyName ?? name).text}`)?.add(file.fileName);
    }
  return users;
}

/** @param {readonly (readonly [string, readonly number[]])[]} rows */
function print(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, figures] of rows)
    process.stdout.write(
      `${name.padEnd(width)}  ${figures.map((figure) => figure.toLocaleString('en')).join('; ')}\n`,
    );
}
