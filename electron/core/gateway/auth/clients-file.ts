import { basename } from 'node:path';
import type { ServerSet } from '../../../../shared/gateway.ts';
import type { Clock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import type { FileProblem } from '../../files/file-errors.ts';
import { openEditedFile, type EditedFile } from '../../files/edited-file.ts';
import {
  NO_CLIENTS,
  parseClients,
  type ClientEntry,
  type ClientsDocument as ClientsContent,
  type ParsedClients,
} from './clients-form.ts';

/** The valid content of clients.json. */
interface LoadedClients {
  readonly entries: readonly ClientEntry[];
  readonly sets: readonly ServerSet[];
  /** The reason why a part of the file is not in force. */
  readonly error?: FileProblem;
}

/** A change of the content in force. */
export interface ClientsChange {
  readonly previous: LoadedClients;
  readonly current: LoadedClients;
}

interface ClientsFileOptions {
  /** Absolute path; `.bak` and `.broken` are beside the file, see `EditedFile`. */
  readonly path: string;
  readonly clock: Clock;
}

/** Reads clients.json and watches it until the caller disposes it. The file is created with the first edit. Never rejects. */
export async function openClientsFile({ path, clock }: ClientsFileOptions): Promise<ClientsFile> {
  const changes = new Emitter<ClientsChange>();
  const file = await openEditedFile<LoadedClients, ParsedClients>({
    path,
    clock,
    parse: parseClients,
    apply: (last, parsed) => load(basename(path), last, parsed),
    initial: { entries: [], sets: [] },
    startOver: ({ kind }, { entries, sets }) =>
      kind === 'gone' ? NO_CLIENTS : `${JSON.stringify({ version: 1, clients: entries, sets }, null, 2)}\n`,
    onChange: (change) => changes.emit(change),
  });
  return new ClientsFile(file, changes);
}

/** The clients file as of its last read or write. */
export class ClientsFile {
  readonly #file: EditedFile<LoadedClients, ParsedClients>;
  readonly #changes: Emitter<ClientsChange>;

  constructor(file: EditedFile<LoadedClients, ParsedClients>, changes: Emitter<ClientsChange>) {
    this.#file = file;
    this.#changes = changes;
  }

  get current(): LoadedClients {
    return this.#file.current;
  }

  /**
   * Passes the current content to `change`, and writes the text that it returns. Resolves when that text is on disk and in
   * force.
   * @throws errors of `change`; CONFIG_BROKEN or PERMISSION_DENIED if the file was not written
   */
  async edit(change: (content: ClientsContent) => string): Promise<void> {
    await this.#file.edit((_, parsed) => change(this.#contentOf(parsed)));
  }

  /** Calls the listener after each change. Returns the unsubscribe function. */
  onChange(listener: (change: ClientsChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  dispose(): void {
    this.#file.dispose();
  }

  /** Content to edit; for a broken file, the content that is in force. */
  #contentOf(parsed: ParsedClients): ClientsContent {
    if (parsed.kind === 'parsed') return parsed.file;
    const { entries, sets } = this.current;
    return { version: 1, clients: [...entries], sets: [...sets] };
  }
}

/** Returns the content in force; keeps the previous content when the file is broken. */
function load(name: string, last: LoadedClients, parsed: ParsedClients): LoadedClients {
  if (parsed.kind === 'broken')
    return { ...last, error: { message: `${name} cannot be used: ${parsed.problem.message}` } };
  const { entries, sets, problem } = parsed;
  return { entries, sets, ...(problem && { error: { message: `${name}: ${problem.message}` } }) };
}
