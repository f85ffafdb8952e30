import { readFile } from 'node:fs/promises';
import type { Imports, Snippet } from '../../../shared/manage.ts';
import { findImports } from './import/find-imports.ts';
import type { ImportEnvironment } from './import/import-strategy.ts';
import { parseSnippet } from './import/parse-snippet.ts';
import { errnoOf } from './file-content.ts';
import type { ServersFile } from './servers-file.ts';

/** What a person does with the entries of servers.json, beside putting and removing them. */
export class ServerManagement {
  readonly #file: ServersFile;
  readonly #env: ImportEnvironment;

  /** @param env where other clients keep their files. */
  constructor(file: ServersFile, env: ImportEnvironment) {
    this.#file = file;
    this.#env = env;
  }

  /** @throws SERVER_UNKNOWN, CONFIG_BROKEN */
  async entry(name: string): Promise<{ entry: Record<string, unknown> }> {
    return { entry: await this.#file.entry(name) };
  }

  /** @throws as `ServersFile.put` */
  async setEnabled(name: string, isEnabled: boolean): Promise<void> {
    await this.#file.entry(name);
    // `undefined` removes the key: an enabled entry says nothing of it.
    await this.#file.set(name, ['disabled'], isEnabled ? undefined : true);
  }

  parseSnippet(text: string): Snippet {
    const { entries, problems } = parseSnippet(text);
    return {
      entries: entries.map((entry) => ({ ...entry })),
      problems: problems.map((problem) => ({ ...problem })),
    };
  }

  async findImports(): Promise<Imports> {
    const sources = await findImports({
      env: this.#env,
      readFile: readIfThere,
      current: this.#file.current.servers,
    });
    const files = sources.map(({ strategy, path, servers, problems }) => ({
      strategy: strategy.id,
      label: strategy.label,
      path,
      servers: servers.map((server) => ({ ...server })),
      problems: problems.map((problem) => ({ ...problem })),
    }));
    return { files };
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
