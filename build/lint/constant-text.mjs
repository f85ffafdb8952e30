import ts from 'typescript';

/** Thrown for an expression whose text cannot be computed from constants alone. */
export class NotConstant extends Error {
  /**
   * @param {string} message @param {ts.Node} [parameterOf] function whose argument values would be needed to compute the value
   */
  constructor(message, parameterOf) {
    super(message);
    this.parameterOf = parameterOf;
  }
}

/** Placeholder for a text that is escaped before it becomes part of a pattern. */
const ESCAPED = 'any text';
const ESCAPE = 'escapeRegExp';

/**
 * Computes the value of an expression that consists of constants only: strings, numbers, arrays, maps, sets and regular
 * expressions. Throws `NotConstant` for anything else.
 * @param {ts.Node} node
 * @param {{ scopes: readonly { of: ts.Node, values: readonly unknown[] }[], importedConstant: Function }} [context] argument
 * values of the enclosing functions, and a function that finds imported constants
 */
export function evaluate(node, context = { scopes: [], importedConstant: () => undefined }) {
  const of = (inner) => evaluate(inner, context);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return of(node.expression);
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, span) => text + textOf(of(span.expression), span) + span.literal.text,
      node.head.text,
    );
  if (ts.isTaggedTemplateExpression(node)) return rawText(node, of);
  if (ts.isBinaryExpression(node)) return binary(node, of);
  // The value may be either branch. The only conditionals that are supported are regular expression flags; the flags of both
  // branches are combined, because additional flags never make a fast pattern slow.
  if (ts.isConditionalExpression(node)) return flagsOf(of(node.whenTrue) + of(node.whenFalse), node);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((element) =>
      ts.isSpreadElement(element) ? [...of(element.expression)] : [of(element)],
    );
  if (ts.isIdentifier(node)) return ofName(node, context);
  if (ts.isNewExpression(node)) return constructed(node, of);
  if (ts.isCallExpression(node)) return called(node, context);
  if (ts.isPropertyAccessExpression(node) && /^(?:source|flags)$/.test(node.name.text))
    return of(node.expression)[node.name.text];
  throw new NotConstant(`"${node.getText()}" is not constant`);
}

function flagsOf(text, node) {
  if (/^[dgimsuvy]*$/.test(text)) return [...new Set(text)].join('');
  throw new NotConstant(`"${node.getText()}" is not constant`);
}

function textOf(value, node) {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new NotConstant(`"${node.getText()}" is no text`);
}

function rawText({ tag, template }, of) {
  if (tag.getText() !== 'String.raw') throw new NotConstant(`"${tag.getText()}" is not String.raw`);
  const raw = (part) => part.rawText ?? part.text;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return raw(template);
  return template.templateSpans.reduce(
    (text, span) => text + textOf(of(span.expression), span) + raw(span.literal),
    raw(template.head),
  );
}

function binary(node, of) {
  const [left, right] = [of(node.left), of(node.right)];
  if (node.operatorToken.kind === ts.SyntaxKind.PlusToken) return left + right;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
  throw new NotConstant(`"${node.getText()}" is not constant`);
}

/** Evaluates `new RegExp(…)`, `new Map([…])` and `new Set([…])`. */
function constructed(node, of) {
  const name = node.expression.getText();
  const [first, second] = (node.arguments ?? []).map(of);
  if (name === 'Map') return new Map(first);
  if (name === 'Set') return new Set(first);
  if (name !== 'RegExp' || first === undefined) throw new NotConstant(`"${node.getText()}" is not constant`);
  return typeof first === 'string'
    ? { source: first, flags: second ?? '' }
    : { source: first.source, flags: second ?? first.flags };
}

function called(node, context) {
  const of = (inner) => evaluate(inner, context);
  const { expression, arguments: args } = node;
  if (ts.isIdentifier(expression)) {
    if (expression.text === ESCAPE) return ESCAPED;
    const { initializer } = constantNamed(expression, context) ?? {};
    if (initializer !== undefined && ts.isArrowFunction(initializer) && !ts.isBlock(initializer.body)) {
      const scopes = [...context.scopes, { of: initializer, values: args.map(of) }];
      return evaluate(initializer.body, { ...context, scopes });
    }
  } else if (ts.isPropertyAccessExpression(expression)) {
    const method = expression.name.text;
    if (method === 'map' && args[0]?.getText() === ESCAPE) return [ESCAPED, ESCAPED];
    if (method === 'join') return [...of(expression.expression)].join(of(args[0]));
    if (method === 'keys') return [...of(expression.expression).keys()];
    if (method === 'toUpperCase') return of(expression.expression).toUpperCase();
  }
  throw new NotConstant(`"${node.getText()}" is not constant`);
}

function ofName(node, context) {
  const declaration = constantNamed(node, context);
  if (declaration === undefined) throw new NotConstant(`"${node.text}" is not constant`);
  if (!ts.isParameter(declaration)) return evaluate(declaration.initializer, context);
  const fn = declaration.parent;
  const index = fn.parameters.indexOf(declaration);
  const scope = context.scopes.findLast(({ of }) => of === fn);
  const value = declaration.dotDotDotToken ? scope?.values.slice(index) : scope?.values[index];
  if (value === undefined)
    throw new NotConstant(`"${node.text}" is not constant`, scope === undefined ? fn : undefined);
  return value;
}

/**
 * Returns the declaration of the constant or parameter that a name refers to, in this file or in the file it is imported from.
 */
function constantNamed(node, { importedConstant }) {
  const name = node.text;
  for (let scope = node.parent; scope !== undefined; scope = scope.parent) {
    const parameter = ts.isFunctionLike(scope)
      ? scope.parameters.find((one) => ts.isIdentifier(one.name) && one.name.text === name)
      : undefined;
    const found = parameter ?? declaredIn(scope, name);
    if (found !== undefined) return found;
  }
  const imported = importedConstant(name, node.getSourceFile());
  return imported && declaredIn(imported.source, imported.name);
}

function declaredIn(scope, name) {
  if (!ts.isSourceFile(scope) && !ts.isBlock(scope)) return undefined;
  for (const statement of scope.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const))
      continue;
    const found = statement.declarationList.declarations.find(
      (one) => ts.isIdentifier(one.name) && one.name.text === name && one.initializer,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
