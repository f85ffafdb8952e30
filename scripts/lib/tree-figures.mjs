import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { projectRoot } from './paths.mjs';

export const PRODUCT = ['electron', 'renderer', 'shared', 'scripts', 'build'];
/** Maximum lines of a function; a longer one should be split into named parts. */
export const LONG_FUNCTION_LINES = 60;

/** @typedef {{ path: string, text: string, lines: number }} Source */
/**
 * @typedef {{
 *   functions: { where: string, lines: number }[], exported: string[], oneLine: number, callbacks: number, bangs: number, casts: number, records: number
 * }} Facts
 */

/** @param {string} folder @returns {Source[]} */
export function sourcesIn(folder) {
  return readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|css)$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8');
      // The path has slashes on every system.
      return {
        path: relative(projectRoot, path).replaceAll('\\', '/'),
        text,
        lines: text.split('\n').length - 1,
      };
    });
}

/** @param {readonly Source[]} sources */
export function linesOf(sources) {
  return sources.reduce((sum, { lines }) => sum + lines, 0);
}

/** @param {Source} source @returns {Facts} */
export function factsOf({ path, text }) {
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
      facts.functions.push({ where: `${path}:${lineAt(node.getStart()) + 1}`, lines: length });
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
 * Returns, for each exported name of the product (`file#name`), the other files that import it.
 * @param {readonly Source[]} sources
 * @returns {Map<string, Set<string>>}
 */
export function usersOf(sources) {
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
