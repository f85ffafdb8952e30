import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import type { Ask, Imports, Snippet } from '../../shared/manage.ts';
import { freeName } from '../../shared/server-names.ts';
import { isSameJson, type RawEntry, withKey } from '../entry/raw-entry.ts';
import { warningsOf } from '../../shared/entry-warnings.ts';
import { usePanel, useServices } from '../services.ts';

/** Server found in another client's file or in a pasted text, which the user can choose to import. */
export interface Choice {
  /** Id, unique among the choices offered together. */
  readonly id: string;
  readonly name: string;
  readonly entry: RawEntry;
  /**
   * How the server compares with those of the panel and of this list. `twin`: an earlier choice in the list is the same server,
   * so importing both would run it twice.
   */
  readonly status: 'new' | 'same' | 'different' | 'twin';
  readonly words: string;
  /** Problem that the user must solve before the server works as it does in the client from which it comes. */
  readonly problem: string | undefined;
  /** Values that the user must enter before the server can run, such as an access token. */
  readonly asks: readonly Ask[];
  /** Reason why the server cannot work on this machine, whatever values the user enters. */
  readonly obstacle: string | undefined;
  /** Warnings that the user must see before the server runs. A server with a warning is never preselected. */
  readonly warnings: readonly string[];
  /** The panel's entry that the import would replace; undefined unless the status is `different`. */
  readonly existing: RawEntry | undefined;
}

export interface ChoiceFile {
  readonly label: string;
  readonly path: string;
  readonly choices: readonly Choice[];
  readonly problems: readonly string[];
}

type Candidate = Imports['files'][number]['servers'][number];

/** Choices from the files of other clients. */
export function choicesOfFiles({ files }: Imports): readonly ChoiceFile[] {
  const offered: Offered[] = [];
  return files.map(({ strategy, label, path, servers, problems }) => ({
    label,
    path,
    problems: problems.map(problemWords),
    choices: servers.map((server) => {
      const choice = choiceOf(`${strategy} ${path} ${server.name}`, server);
      const twin =
        choice.status === 'same' ? undefined : offered.find(({ entry }) => isSameJson(entry, server.entry));
      if (choice.status !== 'same') offered.push({ label, name: choice.name, entry: server.entry });
      return twin === undefined
        ? choice
        : { ...choice, status: 'twin', words: withSwitch(server.entry, twinWords(choice.name, twin)) };
    }),
  }));
}

interface Offered {
  readonly label: string;
  readonly name: string;
  readonly entry: RawEntry;
}

function choiceOf(id: string, server: Candidate): Choice {
  const { name, originalName, entry, status, existingName, existing, problem, asks = [], obstacle } = server;
  const taken = existing === undefined ? entry : keepOwnKeys(entry, existing);
  return {
    id,
    name,
    entry: taken,
    status,
    problem,
    asks,
    obstacle,
    existing,
    warnings: warningsOf(entry),
    words: withSwitch(taken, fileWords(status, name, existingName, originalName)),
  };
}

/** Returns the imported entry with the existing supervision settings and disabled state, which the user set in the panel. */
const keepOwnKeys = (entry: RawEntry, existing: RawEntry): RawEntry =>
  (['panel', 'disabled'] as const).reduce((kept, key) => withKey(kept, key, existing[key]), entry);

const twinWords = (name: string, twin: Offered): string =>
  twin.name === name ? `same as in ${twin.label} above` : `same as ${twin.name} above`;

/** Returns choices from a pasted text. A number is added to a name that is in use, so that pasting replaces nothing. */
export const choicesOfSnippet = ({ entries }: Snippet, takenNames: readonly string[]): readonly Choice[] =>
  entries.map(({ name, originalName, entry, problem, asks = [], obstacle }, index) => {
    const free = freeName(name, takenNames);
    const words = withSwitch(entry, renamedWords(free, originalName ?? name));
    const id = `${index} ${name}`;
    return {
      ...{ id, name: free, entry, status: 'new', problem, asks, obstacle, existing: undefined, words },
      warnings: warningsOf(entry),
    };
  });

/** Adds "switched off" to the text if the server is disabled in its client. The panel imports it as disabled, too. */
const withSwitch = (entry: RawEntry, words: string): string =>
  entry['disabled'] === true ? `${words} · switched off` : words;

function fileWords(
  status: Candidate['status'],
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

/**
 * Returns the parts of a text such as "5 servers in Claude Desktop and Cursor": the number of new servers and the names of
 * their clients. Servers whose names are in use in the panel are not counted.
 */
export function foundWords(
  files: readonly ChoiceFile[],
  namesHere: readonly string[] = [],
): {
  readonly count: number;
  readonly labels: readonly string[];
} {
  const names = new Set<string>();
  const labels = new Set<string>();
  for (const { label, choices } of files)
    for (const { name, status } of choices)
      if (status === 'new' && !namesHere.includes(name)) {
        names.add(name);
        labels.add(label);
      }
  return { count: names.size, labels: [...labels] };
}

interface Found extends ReturnType<typeof foundWords> {
  readonly files: readonly ChoiceFile[];
}

/** Returns the servers in files of other MCP clients but not in the panel, as of the last scan; none before the first scan. */
export function useFound(): Found {
  const { found } = useServices();
  const imports = useStore(found.state, (state) => state.imports);
  const names = usePanel((state) => state.names);
  return useMemo(() => {
    const files = imports === undefined ? [] : choicesOfFiles(imports);
    return { files, ...foundWords(files, names) };
  }, [imports, names]);
}
