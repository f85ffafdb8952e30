import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** Import of one file, as it stands in the source. */
export interface Import {
  /** File that imports, relative to the root, with `/`. */
  readonly from: string;
  /** File that is imported, relative to the root; for a library its specifier. */
  readonly to: string;
  readonly isOurs: boolean;
  /** Whether nothing is left of it once the types are gone, so that it cannot run anything. */
  readonly isTypeOnly: boolean;
}

/** TypeScript files under `folder` of `root`, relative to `root`, with `/`. */
export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Every import, re-export and dynamic import of `file` (relative to `root`). */
export function importsOf(root: string, file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, isTypeOnly: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    const isOurs = specifier.text.startsWith('.');
    const to = isOurs ? resolveFile(root, file, specifier.text) : specifier.text;
    imports.push({ from: file, to, isOurs, isTypeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypesOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, exportsTypesOnly(node));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return imports;
}

/** Resolves a specifier, which names the file as it lies on the disk; a query after it is for the bundler. */
function resolveFile(root: string, from: string, specifier: string): string {
  const path = resolve(root, dirname(from), specifier.replace(/\?.*$/, ''));
  if (!existsSync(path)) throw new Error(`${from} imports ${specifier}, which is no file`);
  return relative(root, path).split(sep).join('/');
}

function importsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name !== undefined || bindings === undefined || ts.isNamespaceImport(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

function exportsTypesOnly(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const clause = node.exportClause;
  if (clause === undefined || !ts.isNamedExports(clause)) return false;
  return clause.elements.length > 0 && clause.elements.every((element) => element.isTypeOnly);
}

/**
 * Circles: the groups of nodes that reach each other (Tarjan's strongly connected components of more than one
 * node, or of one that points at itself). Empty means that the graph has none.
 */
export function circles(edges: readonly { readonly from: string; readonly to: string }[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    open.push(node);
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) {
        visit(target);
        lowest.set(node, Math.min(lowest.get(node)!, lowest.get(target)!));
      } else if (open.includes(target)) {
        lowest.set(node, Math.min(lowest.get(node)!, order.get(target)!));
      }
    }
    if (lowest.get(node) !== order.get(node)) return;
    const group = open.splice(open.indexOf(node)).sort();
    if (group.length > 1 || targets.get(node)?.includes(node)) found.push(group);
  };
  for (const node of targets.keys()) if (!order.has(node)) visit(node);
  return found;
}
