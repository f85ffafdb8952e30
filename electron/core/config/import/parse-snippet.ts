import type { ImportProblem } from '../../../../shared/manage.ts';
import { EntryCollector, type ImportReading } from './entry-collector.ts';
import { serverOfWord } from './pasted/address-or-package.ts';
import { serverOfClientCommand } from './pasted/client-command.ts';
import { serverOfCommand } from './pasted/command-server.ts';
import {
  type FoundServer,
  isRefusal,
  partsOf,
  type Refusal,
  type SnippetPart,
  withoutEntities,
  withPlainBlanks,
} from './pasted/pasted-text.ts';
import { installLinksIn, serverOfLink } from './pasted/install-link.ts';
import { looksLikeJson, namesServers, readJson } from './pasted/read-json.ts';
import { looksLikeToml, readToml } from './pasted/read-toml.ts';
import { looksLikeYaml, readLooseJson, readYaml } from './pasted/read-yaml.ts';
import { shellLines, type ShellLine } from './pasted/shell-lines.ts';

/** Maximum characters in a text that is not JSON. Only the JSON parser is fast enough for more, and no README is longer. */
const MAX_LENGTH = 200_000;
/** Maximum number of lines that are checked for a server; each check copies the variables assigned on the lines above. */
const MAX_LINES = 100;
/** Languages of fenced code blocks that contain no shell commands. */
const NOT_SHELL =
  /^(?:json[c5]?|ya?ml|toml|[jt]sx?|javascript|typescript|python|py|go|rust|diff|html|xml|mermaid|env|dotenv|ini)$/;

/**
 * Parses text copied from a README or another client's file, and returns every server in it: client configurations (JSON, TOML,
 * YAML), commands that add a server to a client, install links, registry descriptions. A command line, an address or a package
 * name counts as a server only if none of these is present, because a README shows many commands. Nothing of the text is run.
 * Lines and columns of the problems are those of `text`. Never throws.
 */
export function parseSnippet(text: string): ImportReading {
  const source = withPlainBlanks(text.replace(/^\uFEFF/, ''));
  const reading = readSnippet(source);
  if (reading.entries.length > 0) return reading;
  // The text may have been copied from the HTML source of a page, so it is read again with its HTML entities decoded.
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
  // If the text has fenced code blocks, the part outside of them is prose. Only the blocks are searched for commands.
  const shown = parts.length > 1 ? lines.slice(0, -1) : lines;
  take(shown.flat().slice(0, MAX_LINES).map(serverOfLine), collector, refusals);
  return ending(collector, isSettled(collector) ? [] : refusals.slice(0, 1), source);
}

const isSettled = (collector: EntryCollector): boolean => {
  const { entries, problems } = collector.build();
  return entries.length + problems.length > 0;
};

/** Collects the servers from a part of the text if it is a configuration. Returns its problem if it is malformed. */
function readConfiguration(
  { text, language }: SnippetPart,
  isShort: boolean,
  collector: EntryCollector,
): readonly ImportProblem[] {
  if (text.trim() === '') return [];
  if (isShort && looksLikeToml(text)) return list(readToml(text, collector));
  if (looksLikeJson(text)) {
    const problem = readJson(text, collector);
    if (problem === undefined || (isShort && readLooseJson(text, collector))) return [];
    // A code block may also show a request or a response. If it is malformed, that is reported only if it has the keys of a
    // server.
    return language === undefined || namesServers(text) ? [problem] : [];
  }
  return isShort && looksLikeYaml(text) ? list(readYaml(text, collector)) : [];
}

const list = (problem: ImportProblem | undefined): readonly ImportProblem[] =>
  problem === undefined ? [] : [problem];

/** Returns the server that a command line runs, or that a single word names. */
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

const CAN_BE_PASTED =
  'What can be pasted: the configuration of a client (JSON, TOML or YAML), a command such as npx -y <package>, an address, an install link, the name of a package.';

/** Error for a text without servers: what it is and what to paste instead. The text may contain secrets, so it is not quoted. */
const whatItIs = (text: string): string => `No server is named in ${seenIn(text.trim())}. ${CAN_BE_PASTED}`;

function seenIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (/^\s*<(?:!doctype|html|\w+[\s>])/i.test(text)) return 'this piece of a web page';
  if (lines.every((line) => /^\s*(?:export\s+)?[A-Za-z_]\w*\s*=/.test(line))) return 'these variables';
  if (/^[ \t]*(?:import|from|const|let|var|def|class|function|async)\s/m.test(text) && /[;:{}()]/.test(text))
    return 'this program text';
  if (!/\s/.test(text)) return 'this single word';
  if (
    shellLines(text).some(
      ({ hasPrompt, words }) => hasPrompt || /^(?:npm|pip3?|git|cd|docker|uv|brew)$/.test(words[0] ?? ''),
    )
  )
    return 'these commands, which fetch or build something';
  return lines.length === 1 ? 'this line' : 'this text';
}
