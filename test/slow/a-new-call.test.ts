import { readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../structure/import-graph.ts';

/** With slashes on every system, as the compiler names its files. */
const root = resolve(import.meta.dirname, '../..').replaceAll('\\', '/');

const TOPIC = 'shared/ipc/topics/servers.ts';
const NAMES = 'shared/ipc/names.ts';
const METHODS = 'electron/core/panel/topics/servers.ts';
const HANDLERS = 'electron/shell/ipc/call-handlers.ts';
const OUTPUT_TOPIC = 'shared/ipc/topics/output.ts';
const OUTPUT_METHODS = 'electron/core/panel/topics/output.ts';

/** Files that a call passes on its way between the page and what carries it out. */
const way = [
  'renderer/readable-api.ts',
  'electron/preload.ts',
  NAMES,
  'shared/ipc/topics.ts',
  'shared/ipc-contract.ts',
  TOPIC,
  OUTPUT_TOPIC,
  'electron/shell/ipc/ipc-server.ts',
  'electron/shell/ipc/call-dispatcher.ts',
  HANDLERS,
  'electron/core/panel/control-panel.ts',
  METHODS,
  OUTPUT_METHODS,
];

/** Change of one file: the present text, and the new one. */
type Edit = readonly [file: string, from: string, to: string];

const declaration: Edit = [
  TOPIC,
  'export const serversCalls = {',
  "export const serversCalls = { pauseServer: call({ method: 'pause', args: named }),",
];
const name: Edit = [NAMES, "startServer: 'readable',", "startServer: 'readable', pauseServer: 'raw',"];
const method: Edit = [
  METHODS,
  '  constructor(',
  '  async pause(_name: string): Promise<void> {}\n  constructor(',
];
const givesNumber: Edit = [
  METHODS,
  '  constructor(',
  '  async pause(): Promise<number> { return 1; }\n  constructor(',
];

const base = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path)) as {
  readonly config: { readonly compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(
  { ...base.config.compilerOptions, lib: ['ES2023', 'DOM'], types: ['node'] },
  root,
);

/** Sources, read once because only what is edited differs from one program to the next. */
const sources = new Map<string, ts.SourceFile | undefined>();
let latest: ts.Program | undefined;

/** Errors of the compiler on the way of a call after these edits, by file. */
function errorsAfter(...edits: readonly Edit[]): Record<string, string> {
  const edited = new Map<string, ts.SourceFile>();
  for (const [file, from, to] of edits) {
    const path = posix.join(root, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    edited.set(path, ts.createSourceFile(path, text.replace(from, to), ts.ScriptTarget.ES2022));
  }
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...how) => {
    if (!sources.has(path)) sources.set(path, read(path, ...how));
    return edited.get(path) ?? sources.get(path);
  };
  const rootNames = way.map((file) => posix.join(root, file));
  latest = ts.createProgram({ rootNames, options, host, ...(latest && { oldProgram: latest }) });
  const found = rootNames.flatMap((path) => latest?.getSemanticDiagnostics(latest.getSourceFile(path)) ?? []);
  return Object.fromEntries(
    found.map(({ file, messageText }) => [
      posix.relative(root, file?.fileName ?? ''),
      ts.flattenDiagnosticMessageText(messageText, ' '),
    ]),
  );
}

// The timeout is long because the compiler reads all sources for the first test.
describe('a new call', { timeout: 120_000 }, () => {
  it('is its declaration, its name and its method, and nothing else', () => {
    expect(errorsAfter(declaration, name, method)).toEqual({});
  });

  it('does not compile without its name, without its method, or with a method that gives something else', () => {
    const errors = errorsAfter(declaration, givesNumber, [
      OUTPUT_TOPIC,
      'export const outputCalls = {',
      "export const outputCalls = { clearOutput: call({ method: 'clear', args: named }),",
    ]);
    expect(Object.keys(errors).sort()).toEqual([METHODS, OUTPUT_METHODS, HANDLERS, NAMES].sort());
    expect(errors[NAMES]).toMatch(
      /is missing .*clearOutput.*pauseServer|is missing .*pauseServer.*clearOutput/,
    );
    expect(errors[METHODS]).toContain("Type 'number' is not assignable to type 'void'");
    expect(errors[OUTPUT_METHODS]).toContain("Property 'clear' is missing");
  });
});

describe('the preload and the page', () => {
  it.each(['electron/preload.ts', 'renderer/readable-api.ts'])(
    'reach no schema from %s: a library there is parsed at every load of the page',
    (entry) => {
      const reached = new Set([entry]);
      const libraries = new Set<string>();
      for (const file of reached) {
        for (const { to, isOurs, isTypeOnly } of importsOf(root, file)) {
          if (!isTypeOnly) (isOurs ? reached : libraries).add(to);
        }
      }
      expect(reached).toContain(NAMES);
      expect([...libraries].filter((library) => library !== 'electron')).toEqual([]);
    },
  );
});
