import type { Node } from 'jsonc-parser';
import { propertiesOf } from '../json-nodes.ts';
import { isProblem, objectAt, openDocument, problemOf, type ClientDocument } from './client-document.ts';
import type { ImportProblem, ImportReading } from './import-strategy.ts';
import { nameOfEntry } from './name-of-entry.ts';
import { ReadingBuilder } from './server-map.ts';
import { inputsOf } from './vs-code.ts';

/** Where clients keep their servers: most of them, VS Code, its older settings.json, Zed, OpenCode. */
const MAPS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['mcp', 'servers'],
  ['servers'],
  ['context_servers'],
  ['mcp'],
];
/** Copied out of the middle of a file: a name and its entry without the braces around them. */
const STARTS_WITH_NAME = /^\s*(?:\/[/*].*\n\s*)*"(?:[^"\\\n]|\\.)*"\s*:/;
const EXPECTED = 'expected { "mcpServers": { … } }, { "<name>": { "command": … } } or one { "command": … }';

/**
 * Reads what somebody copied from a README or from another client's file: its `mcpServers` or `servers`, the servers
 * alone, with or without braces around them, one of them without a name, a list of them; comments, trailing commas,
 * a Markdown fence and the prose around it are no matter. Lines and columns of the problems are those of `text`.
 */
export function parseSnippet(text: string): ImportReading {
  const bare = blankSurroundings(text);
  const document = openDocument(bare);
  if (!isProblem(document)) return readDocument(document);
  if (!STARTS_WITH_NAME.test(bare)) return failed(document);
  const braced = openDocument(`{${bare.replace(/^\uFEFF/, '').replace(/,\s*$/, '')}\n}`);
  return shiftBack(isProblem(braced) ? failed(braced) : readDocument(braced));
}

function readDocument(document: ClientDocument): ImportReading {
  const reading = new ReadingBuilder(document);
  const { root } = document;
  const map = MAPS.find((path) => isMap(objectAt(document, path)));
  if (map !== undefined) {
    reading.addMap(map, { inputs: inputsOf(document, map.slice(0, -1)) });
  } else if (isEntry(root)) {
    reading.addServer(nameOfEntry(document.json.valueOf(root)), root, []);
  } else if (root.type === 'array' && (root.children ?? []).some(isEntry)) {
    for (const [index, node] of (root.children ?? []).entries())
      reading.addServer(nameOfEntry(document.json.valueOf(node)), node, [index]);
  } else if (isMap(root) && propertiesOf(root).length > 0) {
    reading.addMap([]);
  } else {
    return failed(problemOf(document, [], root, EXPECTED));
  }
  return reading.build();
}

/** An object of servers: empty, or with at least one value that looks like an entry. */
function isMap(node: Node | undefined): boolean {
  if (node?.type !== 'object' || isEntry(node)) return false;
  const properties = propertiesOf(node);
  return properties.length === 0 || properties.some(({ valueNode }) => isEntry(valueNode));
}

function isEntry(node: Node): boolean {
  if (node.type !== 'object') return false;
  return propertiesOf(node).some(
    ({ key, valueNode }) =>
      (key === 'command' && valueNode.type !== 'object') ||
      (/^(url|serverUrl|httpUrl)$/.test(key) && valueNode.type === 'string'),
  );
}

/** Blanks Markdown fences and prose; every other line stays in its place. */
function blankSurroundings(text: string): string {
  const lines = text.split('\n');
  const fences = lines.flatMap((line, index) => (FENCE.test(line) ? [index] : []));
  const [from, to] = fences.length > 0 ? fencedLines(lines, fences) : linesWithoutProse(lines);
  return lines
    .map((line, index) => (index >= from && index < to && !FENCE.test(line) ? line : ''))
    .join('\n');
}

type LineRange = readonly [from: number, to: number];

const FENCE = /^[ \t]*(?:```|~~~)/;
const NAMES_A_SERVER = /"(?:command|url|serverUrl|httpUrl)"\s*:/;

/** The first block that names a server; all lines where there is none, since one fence alone may open or close a block. */
function fencedLines(lines: readonly string[], fences: readonly number[]): LineRange {
  const blocks = fences
    .filter((_, index) => index % 2 === 0)
    .map((open): LineRange => [open + 1, fences.find((fence) => fence > open) ?? lines.length]);
  const isOfServers = ([from, to]: LineRange) => NAMES_A_SERVER.test(lines.slice(from, to).join('\n'));
  return blocks.find(isOfServers) ?? [0, lines.length];
}

/** The lines from the first that opens an object to the last that closes one, where words come first. */
function linesWithoutProse(lines: readonly string[]): LineRange {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const from = lines.findIndex((line) => /^\s*\{/.test(line));
  if (from < 0 || !/^\s*[\p{L}\d#>*-]/u.test(first)) return [0, lines.length];
  return [from, lines.findLastIndex((line) => /\}[\s,]*$/.test(line)) + 1];
}

function failed(problem: ImportProblem): ImportReading {
  return { entries: [], problems: [problem] };
}

/** Undoes the brace that was put in front of the first line. */
function shiftBack({ entries, problems }: ImportReading): ImportReading {
  return {
    entries,
    problems: problems.map((problem) =>
      problem.line === 1 && problem.column !== undefined
        ? { ...problem, column: problem.column - 1 }
        : problem,
    ),
  };
}
