import { EntryCollector } from './entry-collector.ts';
import type { ImportProblem, ImportReading } from './import-strategy.ts';
import { serverOfWord } from './pasted/address-or-package.ts';
import { serverOfClientCommand } from './pasted/client-command.ts';
import { serverOfCommand } from './pasted/command-server.ts';
import { isRefusal, type FoundServer, type Refusal } from './pasted/found-server.ts';
import { installLinksIn, serverOfLink } from './pasted/install-link.ts';
import { partsOf, withoutEntities, withPlainBlanks, type TextPart } from './pasted/pasted-text.ts';
import { looksLikeJson, namesServers, readJson } from './pasted/read-json.ts';
import { looksLikeToml, readToml } from './pasted/read-toml.ts';
import { looksLikeYaml, readLooseJson, readYaml } from './pasted/read-yaml.ts';
import { shellLines, type ShellLine } from './pasted/shell-lines.ts';
import { whatItIs } from './pasted/what-it-is.ts';

/** Longer texts are read as JSON only, whose reader is fast; no README is as long. */
const MAX_LENGTH = 200_000;
/** Lines that are tried as servers: each takes the variables of the lines above along, so that many would grow. */
const MAX_LINES = 100;
/** Languages of fenced parts that hold no command. */
const NOT_SHELL =
  /^(?:json[c5]?|ya?ml|toml|[jt]sx?|javascript|typescript|python|py|go|rust|diff|html|xml|mermaid|env|dotenv|ini)$/;

/**
 * Reads what somebody copied from a README or from another client's file, and gives every server in it: configurations of
 * clients (JSON, TOML, YAML), commands that add a server to a client, install links, descriptions of the registry. Only where
 * there are none of these, a command line, an address or the name of a package is a server itself, because a README shows many
 * commands. Nothing of the text is run. Lines and columns of the problems are those of `text`. Never throws.
 */
export function parseSnippet(text: string): ImportReading {
  const source = withPlainBlanks(text.replace(/^\uFEFF/, ''));
  const reading = readSnippet(source);
  if (reading.entries.length > 0) return reading;
  // Copied out of the source of a web page, or out of what a program made of it.
  const decoded = withoutEntities(source);
  const mended = decoded === source ? reading : readSnippet(decoded);
  return mended.entries.length > 0 ? mended : reading;
}

function readSnippet(source: string): ImportReading {
  if (source.trim() === '')
    return { entries: [], problems: [{ path: '', message: 'there is nothing in it' }] };
  const collector = new EntryCollector();
  const parts = partsOf(source);
  const failures = parts.flatMap((part) => readConfiguration(part, source.length <= MAX_LENGTH, collector));
  const problems = (): readonly ImportProblem[] => [...failures, ...refusals];
  const refusals: ImportProblem[] = [];
  if (source.length > MAX_LENGTH) return ending(collector, problems(), source);
  const lines = parts
    .filter(({ language }) => language === undefined || !NOT_SHELL.test(language))
    .map(({ text: part }) => shellLines(part));
  take(lines.flat().map(serverOfClientCommand), collector, refusals);
  if (!isSettled(collector)) take(installLinksIn(source).map(serverOfLink), collector, refusals);
  if (isSettled(collector) || problems().length > 0) return ending(collector, problems(), source);
  // Words around fences are sentences; what is to be run stands in the fences.
  const shown = parts.length > 1 ? lines.slice(0, -1) : lines;
  take(shown.flat().slice(0, MAX_LINES).map(serverOfLine), collector, refusals);
  return ending(collector, isSettled(collector) ? [] : refusals.slice(0, 1), source);
}

const isSettled = (collector: EntryCollector): boolean => {
  const { entries, problems } = collector.build();
  return entries.length + problems.length > 0;
};

/** Takes the servers of a part that is a configuration. Gives the problem of one that was meant as one. */
function readConfiguration(
  { text, language }: TextPart,
  isShort: boolean,
  collector: EntryCollector,
): readonly ImportProblem[] {
  if (text.trim() === '') return [];
  if (isShort && looksLikeToml(text)) return list(readToml(text, collector));
  if (looksLikeJson(text)) {
    const problem = readJson(text, collector);
    if (problem === undefined || (isShort && readLooseJson(text, collector))) return [];
    // A fence may show an answer of the server or a call; only what names servers is told as wrong.
    return language === undefined || namesServers(text) ? [problem] : [];
  }
  return isShort && looksLikeYaml(text) ? list(readYaml(text, collector)) : [];
}

const list = (problem: ImportProblem | undefined): readonly ImportProblem[] =>
  problem === undefined ? [] : [problem];

/** A command line, or the one word of a line. */
function serverOfLine(line: ShellLine): FoundServer | Refusal | undefined {
  const [word = '', ...others] = line.words;
  return (others.length === 0 ? serverOfWord(word) : undefined) ?? serverOfCommand(line);
}

function take(
  found: readonly (FoundServer | Refusal | undefined)[],
  collector: EntryCollector,
  refusals: ImportProblem[],
): void {
  for (const server of found) {
    if (server === undefined) continue;
    if (isRefusal(server)) {
      refusals.push(server);
      continue;
    }
    const { name, client, ...context } = server;
    collector.add(name, client, context, (path, message) => ({ path: path.join('.'), message }));
  }
}

function ending(
  collector: EntryCollector,
  failures: readonly ImportProblem[],
  source: string,
): ImportReading {
  const { entries, problems } = collector.build();
  const all = [...problems, ...failures];
  if (entries.length + all.length > 0) return { entries, problems: all };
  return { entries, problems: [{ path: '', message: whatItIs(source) }] };
}
