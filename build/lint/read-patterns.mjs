import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { evaluate, NotConstant } from './constant-text.mjs';

/** Quickly tests whether a file may contain a regular expression literal, by the characters before each slash. */
const MAY_HAVE_LITERAL =
  /(?:[=(,:[!&|?{};>+~^%<-]|\b(?:return|typeof|case|in|of|instanceof|void|throw|do|else|yield|await|default)|\*\/)\s*\/(?![/*>])|^\s*\/(?![/*])/m;

/**
 * Returns every regular expression of a file: the literals, and the calls of `RegExp` with every constant text that the pattern
 * can have. `unreadable` lists the calls whose text is not constant.
 */
export function readPatterns(file, text = readFileSync(file, 'utf8')) {
  // Most files contain no regular expression, and parsing all of them takes seconds.
  if (!text.includes('RegExp(') && !MAY_HAVE_LITERAL.test(text)) return { patterns: [], unreadable: [] };
  const source = parse(file, text);
  const patterns = [];
  const unreadable = [];
  const at = (node) => source.getLineAndCharacterOfPosition(node.getStart(source));
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      patterns.push({ ...evaluate(node), line: at(node).line + 1 });
    } else if (isRegExpCall(node)) {
      try {
        for (const { source, flags } of valuesOf(node))
          patterns.push({ source, flags, line: at(node).line + 1 });
      } catch (error) {
        if (!(error instanceof NotConstant)) throw error;
        const { line, character } = at(node);
        unreadable.push({ line: line + 1, column: character, why: error.message });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { patterns, unreadable };
}

const isRegExpCall = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp';

/** Returns the values of an expression: one per call of the function around it, if it uses parameters of that function. */
function valuesOf(node, scopes = []) {
  try {
    return [evaluate(node, { scopes, importedConstant })];
  } catch (error) {
    if (!(error instanceof NotConstant) || error.parameterOf === undefined) throw error;
    const calls = callsOf(error.parameterOf);
    if (calls.length === 0) throw error;
    return calls.flatMap((values) => valuesOf(node, [...scopes, { of: error.parameterOf, values }]));
  }
}

/** Returns the argument values of each call of a function in its file, or the list's for a callback of `constants.map(…)`. */
function callsOf(fn) {
  const { parent } = fn;
  if (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^(?:map|flatMap)$/.test(parent.expression.name.text)
  )
    return valuesOf(parent.expression.expression).flatMap((list) => list.map((value) => [value]));
  const name = fn.name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined);
  if (name === undefined) return [];
  const calls = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name.text)
      calls.push(...argumentValues(node.arguments));
    ts.forEachChild(node, visit);
  };
  visit(fn.getSourceFile());
  return calls;
}

/** Returns every combination of possible argument values. One that is not constant becomes undefined, as it may be unneeded. */
const argumentValues = (args) =>
  args.reduce(
    (lists, argument) => lists.flatMap((list) => valuesOrNone(argument).map((value) => [...list, value])),
    [[]],
  );

function valuesOrNone(argument) {
  try {
    return valuesOf(argument);
  } catch (error) {
    if (error instanceof NotConstant) return [undefined];
    throw error;
  }
}

/** Returns the parsed file that a constant is imported from, and the constant's name in that file. */
function importedConstant(name, source) {
  for (const statement of source.statements) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const found = bindings.elements.find((element) => element.name.text === name);
    if (found === undefined) continue;
    const file = resolve(dirname(source.fileName), statement.moduleSpecifier.text);
    if (!existsSync(file)) return undefined;
    return { source: parse(file, readFileSync(file, 'utf8')), name: (found.propertyName ?? found.name).text };
  }
  return undefined;
}

const parse = (file, text) =>
  ts.createSourceFile(
    resolve(file),
    text,
    ts.ScriptTarget.Latest,
    true,
    /x$/.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
