import type { Imports, Snippet } from '../../shared/manage.ts';
import { showDirectionControls } from '../format/text-direction.ts';
import { freeName } from '../entry/server-name.ts';
import type { RawEntry } from '../entry/raw-entry.ts';

/** Server that can be imported from elsewhere. */
export interface Choice {
  /** Id, unique among the choices offered together. */
  readonly id: string;
  readonly name: string;
  readonly entry: RawEntry;
  readonly status: 'new' | 'same' | 'different';
  readonly words: string;
  /** Problem to be solved by hand before the server works as it does there. */
  readonly problem: string | undefined;
}

export interface ChoiceFile {
  readonly label: string;
  readonly path: string;
  readonly choices: readonly Choice[];
  readonly problems: readonly string[];
}

/** Choices from the files of other clients. */
export function choicesOfFiles({ files }: Imports): readonly ChoiceFile[] {
  return files.map(({ strategy, label, path, servers, problems }) => ({
    label,
    path,
    problems: problems.map(problemWords),
    choices: servers.map(({ name, originalName, entry, status, existingName, problem }) => ({
      id: `${strategy} ${path} ${name}`,
      name,
      entry,
      status,
      problem,
      words: withSwitch(entry, fileWords(status, name, existingName, originalName)),
    })),
  }));
}

/** Choices from a pasted text. A name that is taken gets a number, so that a paste replaces nothing. */
export const choicesOfSnippet = ({ entries }: Snippet, takenNames: readonly string[]): readonly Choice[] =>
  entries.map(({ name, originalName, entry, problem }, index) => {
    const free = freeName(name, takenNames);
    const words = withSwitch(entry, renamedWords(free, originalName ?? name));
    return { id: `${index} ${name}`, name: free, entry, status: 'new', problem, words };
  });

/** Words for a server that is switched off there, and stays so here. */
const withSwitch = (entry: RawEntry, words: string): string =>
  entry['disabled'] === true ? `${words} · switched off` : words;

function fileWords(
  status: Choice['status'],
  name: string,
  existing: string | undefined,
  original: string | undefined,
): string {
  if (status === 'same')
    return existing === undefined || existing === name ? 'same as yours' : `here as ${existing}`;
  if (status === 'different') return 'differs from yours';
  return renamedWords(name, original);
}

const renamedWords = (name: string, original: string | undefined): string =>
  original === undefined || original === name ? 'new' : `new · called ${original} there`;

function problemWords({ message, line }: Imports['files'][number]['problems'][number]): string {
  return line === undefined ? message : `${message} (line ${line})`;
}

/** Ticks or unticks one choice; of several with one name only the last ticked stays. */
export function toggleChoice(
  choices: readonly Choice[],
  ticked: ReadonlySet<string>,
  id: string,
): ReadonlySet<string> {
  const next = new Set(ticked);
  if (next.delete(id)) return next;
  const name = choices.find((choice) => choice.id === id)?.name;
  for (const other of choices) if (other.name === name) next.delete(other.id);
  return next.add(id);
}

/** Choices that are new, each name once. */
export function newOnes(choices: readonly Choice[]): ReadonlySet<string> {
  return choices
    .filter(({ status }) => status === 'new')
    .reduce<ReadonlySet<string>>(
      (ticked, { id, name }) =>
        choices.some((choice) => choice.name === name && ticked.has(choice.id))
          ? ticked
          : new Set([...ticked, id]),
      new Set(),
    );
}

/** Words on what is new: "5 servers in Claude Desktop and Cursor"; undefined when nothing is. */
export function foundWords(files: readonly ChoiceFile[]): {
  readonly count: number;
  readonly labels: readonly string[];
} {
  const names = new Set<string>();
  const labels = new Set<string>();
  for (const { label, choices } of files)
    for (const { name, status } of choices)
      if (status === 'new') {
        names.add(name);
        labels.add(label);
      }
  return { count: names.size, labels: [...labels] };
}

/** Target that an entry runs or reaches, without its values because those may be secrets. */
export function targetOf({ command, args, url }: RawEntry): string {
  if (typeof url === 'string') return showDirectionControls(url.replace(/\?.*$/, '?…'));
  const words: readonly unknown[] = [command, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])];
  return showDirectionControls(words.filter((word): word is string => typeof word === 'string').join(' '));
}
