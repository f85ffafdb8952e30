import { parse, TomlError } from 'smol-toml';
import { ParseError, parseTOML, type AST } from 'toml-eslint-parser';
import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { indentOf } from '../../text-layout.ts';
import type { KeyPath } from '../program.ts';
import type { Edit } from '../../text-layout.ts';
import { eolOf, type OpenedText } from './servers-text.ts';

/** Parses a TOML text. An entry in it may be a table with sub-tables, a group of dotted keys, or an inline table. */
export function openTomlText(text: string): OpenedText {
  try {
    // The value comes from smol-toml. toml-eslint-parser is used only for positions, because its values would be unsafe: a
    // table named "__proto__" would set fields of every object.
    const value: unknown = structuredClone(parse(text, { integersAsBigInt: 'asNeeded' }));
    const ast = parseTOML(text);
    const partsAt = (path: KeyPath) => partsOf(ast, path);
    return {
      text,
      value,
      find: (path) => regionOf(partsAt(path)),
      replace: (path, entry) => replacement(text, partsAt(path), entry),
      add: (path, entry) => {
        const end = text.trimEnd().length;
        const lines = ['', '', `[${path.map(printKey).join('.')}]`, ...printPairs(entry)];
        return { from: end, to: end, text: lines.join(eolOf(text)), anchor: path };
      },
    };
  } catch (error) {
    // The parser's own message may quote a value.
    const message = 'it is not valid TOML from here on';
    if (error instanceof TomlError) return { message, line: error.line, column: error.column };
    if (error instanceof ParseError) return { message, line: error.lineNumber, column: error.column + 1 };
    if (error instanceof RangeError) return { message: 'it is nested too deeply' };
    throw error;
  }
}

/** A part of an entry. The parts of one entry may be separated by other text. */
type Part =
  /** Table (`[servers.x]` or `[servers.x.env]`) or dotted key (`x.command = …`). The entry's name ends at `nameTo` in the key. */
  | { readonly kind: 'table' | 'dotted'; readonly from: number; readonly to: number; readonly nameTo: number }
  /** The value of `x = { … }`. */
  | { readonly kind: 'value'; readonly from: number; readonly to: number };

function partsOf(ast: AST.TOMLProgram, path: KeyPath): readonly Part[] {
  return ast.body[0].body.flatMap((node): readonly Part[] => {
    if (node.type === 'TOMLKeyValue') return partsOfPair(node, [], path);
    const name = node.resolvedKey.map(String);
    if (!isStart(path, name)) return isStart(name, path) ? partsOfPairs(node.body, name, path) : [];
    return [{ kind: 'table', ...rangeOf(node), nameTo: node.key.keys[path.length - 1]?.range[1] ?? 0 }];
  });
}

function partsOfPairs(pairs: readonly AST.TOMLKeyValue[], base: KeyPath, path: KeyPath): readonly Part[] {
  return pairs.flatMap((pair) => partsOfPair(pair, base, path));
}

function partsOfPair(pair: AST.TOMLKeyValue, base: KeyPath, path: KeyPath): readonly Part[] {
  const { keys } = pair.key;
  const name = [...base, ...keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
  if (isStart(name, path) && name.length < path.length)
    return pair.value.type === 'TOMLInlineTable' ? partsOfPairs(pair.value.body, name, path) : [];
  if (!isStart(path, name)) return [];
  if (name.length === path.length) return [{ kind: 'value', ...rangeOf(pair.value) }];
  // An entry made of dotted keys inside an inline table cannot be replaced, because commas separate its keys.
  if (pair.parent.type === 'TOMLInlineTable') return [];
  const nameTo = keys[path.length - base.length - 1]?.range[1] ?? 0;
  return [{ kind: 'dotted', ...rangeOf(pair), nameTo }];
}

const isStart = (start: KeyPath, path: KeyPath): boolean => start.every((key, index) => path[index] === key);

const rangeOf = ({ range: [from, to] }: { readonly range: AST.Range }) => ({ from, to });

function regionOf(parts: readonly Part[]): Pick<Edit, 'from' | 'to'> | undefined {
  const [first] = parts;
  const last = parts.at(-1);
  return first && last && { from: first.from, to: last.to };
}

/**
 * Returns the edit that replaces the first part of an entry with a new one of the same kind and removes its other parts. Text
 * between the parts stays.
 */
function replacement(text: string, parts: readonly Part[], entry: JsonObject): Edit | undefined {
  const [first, ...others] = parts;
  const region = regionOf(parts);
  if (first === undefined || region === undefined) return undefined;
  let kept = printPart(text, first, entry);
  let end = first.to;
  for (const { from, to } of others) {
    const between = text.slice(end, from);
    kept += between.trimEnd();
    end = to;
  }
  return { ...region, text: kept };
}

function printPart(text: string, part: Part, entry: JsonObject): string {
  if (part.kind === 'value') return printToml(entry);
  const eol = eolOf(text) + indentOf(text, part.from);
  const name = text.slice(part.from, part.nameTo);
  const pairs = printPairs(entry);
  return part.kind === 'table'
    ? [`${name}]`, ...pairs].join(eol)
    : pairs.map((pair) => `${name}.${pair}`).join(eol);
}

const printPairs = (entry: JsonObject): readonly string[] =>
  Object.entries(entry).map(([key, value]) => `${printKey(key)} = ${printToml(value)}`);

const printKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));

/** Prints a value as TOML. JSON text is valid TOML, except for one character that TOML requires to be escaped. */
function printToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printToml).join(', ')}]`;
  if (isJsonObject(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${printKey(key)} = ${printToml(item)}`)
      .join(', ')} }`;
  return JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`);
}
