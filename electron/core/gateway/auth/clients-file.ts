import { basename } from 'node:path';
import type { Clock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import type { FileProblem } from '../../files/edit-errors.ts';
import { openEditedFile, type EditedFile } from '../../files/edited-file.ts';
import {
  NO_CLIENTS,
  parseClients,
  type ClientEntry,
  type ClientsDocument as ClientsContent,
  type ParsedClients,
} from './clients-form.ts';

/** What of clients.json is in force. */
export interface LoadedClients {
  readonly entries: readonly ClientEntry[];
  /** Why something that stands in it is not. */
  readonly error?: FileProblem;
}

/** Another content came into force. */
export interface ClientsChange {
  readonly previous: LoadedClients;
  readonly current: LoadedClients;
}

export interface ClientsFileOptions {
  /** Absolute. Beside it stand `.bak` and `.broken`; see `EditedFile`. */
  readonly path: string;
  readonly clock: Clock;
}

/** Reads clients.json and watches it until disposed. Nothing is created before the first edit. The caller disposes. Never rejects. */
export async function openClientsFile({ path, clock }: ClientsFileOptions): Promise<ClientsFile> {
  const changes = new Emitter<ClientsChange>();
  const file = await openEditedFile<LoadedClients, ParsedClients>({
    path,
    clock,
    parse: parseClients,
    apply: (last, parsed) => load(basename(path), last, parsed),
    initial: { entries: [] },
    startOver: ({ kind }, { entries }) =>
      kind === 'gone' ? NO_CLIENTS : `${JSON.stringify({ version: 1, clients: entries }, null, 2)}\n`,
    onChange: (change) => changes.emit(change),
  });
  return new ClientsFile(file, changes);
}

/** The file of the clients, as it was last read or written. */
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
   * Writes the text that `change` makes of the content; resolves when it is in force and stands on disk.
   * @throws what `change` throws; CONFIG_BROKEN or PERMISSION_DENIED when nothing was written
   */
  async edit(change: (content: ClientsContent) => string): Promise<void> {
    await this.#file.edit((_, parsed) => change(this.#contentOf(parsed)));
  }

  /** Returns the undo. */
  onChange(listener: (change: ClientsChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  dispose(): void {
    this.#file.dispose();
  }

  /** A broken file is written anew from what is in force. */
  #contentOf(parsed: ParsedClients): ClientsContent {
    return parsed.kind === 'parsed' ? parsed.file : { version: 1, clients: [...this.current.entries] };
  }
}

/** Of a broken file, what was in force before stays. */
function load(name: string, last: LoadedClients, parsed: ParsedClients): LoadedClients {
  if (parsed.kind === 'broken')
    return { entries: last.entries, error: { message: `${name} cannot be used: ${parsed.problem.message}` } };
  const { entries, problem } = parsed;
  return { entries, ...(problem && { error: { message: `${name}: ${problem.message}` } }) };
}
