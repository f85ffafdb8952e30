import ts from 'typescript';

const TEXT =
  ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping | ts.TypeFlags.Any;
/** Matches the names of list types, whose keys are numbers. Other list types are recognized by the type checker. */
const LIST = /^(?:Buffer|[A-Z]\w*Array)$/;

/**
 * Lint rule against using names from outside as keys of plain objects, because a name such as "constructor" finds an inherited
 * property. Any text counts as such a name unless its type is a union of literals.
 */
export const noForeignIndex = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { index: 'Every object has a "constructor": keep names in a Map, or read by ownValue().' },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    /** Returns the type of a node; for a type parameter, its constraint. */
    const typeOf = (node) => {
      const type = services.getTypeAtLocation(node);
      return checker.getBaseConstraintOfType(type) ?? type;
    };
    const isAnyText = (type) =>
      type.isUnionOrIntersection() ? type.types.some(isAnyText) : (type.flags & TEXT) !== 0;
    const isList = (type) =>
      type.isUnion()
        ? type.types.every(isList)
        : checker.isArrayType(type) ||
          checker.isTupleType(type) ||
          (type.flags & ts.TypeFlags.StringLike) !== 0 ||
          LIST.test(type.symbol?.name ?? '');
    const check = (node, key, object) => {
      if (isAnyText(typeOf(key)) && !isList(typeOf(object))) context.report({ node, messageId: 'index' });
    };
    return {
      'MemberExpression[computed=true]': (node) => check(node, node.property, node.object),
      'ObjectPattern > Property[computed=true]': (node) => check(node, node.key, node.parent),
      "BinaryExpression[operator='in'][left.type!='PrivateIdentifier']": (node) =>
        check(node, node.left, node.right),
    };
  },
};
