import type { Webhook } from '../../../../shared/alerts.ts';
import { PanelError, toErrorReport } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type {
  MissingAnswers,
  MovedSecrets,
  SecretMoves,
  SecretPlace,
  secretsCalls,
} from '../../../../shared/ipc/topics/secrets.ts';
import type { KeyKind, SecretStoreView } from '../../../../shared/secret-store.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { inputHints } from '../../config/import/entry-asks.ts';
import type { EntryText, ServersFile } from '../../config/servers-file.ts';
import { asLiteral, describeMissing, planAnswers, requireFree } from '../../secrets/missing-values.ts';
import { plainSecretsOf, requireSecret, suggestName, textAt } from '../../secrets/plain-secrets.ts';
import {
  referencesIn,
  replaceReferences,
  secretReferencesIn,
  type Reference,
} from '../../secrets/references.ts';
import { referencesOf, secretsIn } from '../../secrets/resolve-config.ts';
import type { SecretNotes } from '../../secrets/secret-notes.ts';
import type { SecretResolver } from '../../secrets/secret-resolver.ts';
import { unknownSecret, type SecretStore } from '../../secrets/secret-store.ts';
import type { SettingsFile } from '../../settings/settings-file.ts';

interface SecretsTopicOptions {
  readonly store: SecretStore;
  readonly notes: SecretNotes;
  readonly resolver: SecretResolver;
  readonly file: ServersFile;
  readonly settings: SettingsFile;
  /** Starts a server whose start failed because a secret was missing. */
  readonly startWaiting: (server: string) => void;
}

/** Requests of the app window about secrets, and about the server definitions that refer to them. */
export class SecretsTopic implements CallAnswers<typeof secretsCalls> {
  readonly #options: SecretsTopicOptions;

  constructor(options: SecretsTopicOptions) {
    this.#options = options;
  }

  state(): SecretStoreView {
    return this.#options.store.state;
  }

  list() {
    const { store, notes } = this.#options;
    const users = this.#configs.map((config) => ({ name: config.name, secrets: secretsIn(config) }));
    const inAlerts = new Set(secretReferencesIn(this.#webhook?.url ?? '').map((reference) => reference.name));
    return [...store.secrets].map(([name, { setAt }]) => {
      const lastUsedAt = notes.lastUsedAt(name);
      const usedBy = users.filter(({ secrets }) => secrets.has(name)).map((user) => user.name);
      return {
        ...{ name, usedBy, setAt },
        ...(inAlerts.has(name) && { isUsedByAlerts: true as const }),
        ...(lastUsedAt !== undefined && { lastUsedAt }),
      };
    });
  }

  /** Adds or changes a secret. @throws PanelError CONFIG_INVALID for the value; as `SecretStore.put` */
  async put({ name, value }: { name: string; value: string }): Promise<void> {
    requireSecret(name, value);
    await this.#options.store.put(new Map([[name, value]]));
  }

  /** Removes a secret. @throws PanelError as `SecretStore.remove` */
  remove(name: string): Promise<void> {
    return this.#options.store.remove([name]);
  }

  /**
   * Renames a secret and all references to it. The old name is removed last, so that every reference has a value at all times.
   * @throws PanelError SECRET_MISSING, CONFIG_CONFLICT, CONFIG_BROKEN
   */
  async rename({ from, to }: { from: string; to: string }): Promise<void> {
    const { store, notes, file, settings } = this.#options;
    const value = store.get(from);
    if (value === undefined) throw unknownSecret(from);
    if (from === to) return;
    if (store.get(to) !== undefined)
      throw new PanelError('CONFIG_CONFLICT', `Another secret is called "${to}".`);
    await store.copy(from, to);
    try {
      await file.setAll(() => this.#configs.flatMap((config) => renamedTexts(config, from, to)));
    } catch (error) {
      await store.remove([to]);
      throw error;
    }
    const webhook = this.#webhook;
    const url = webhook && renamed(webhook.url, secretReferencesIn(webhook.url), from, to);
    if (url !== webhook?.url) await settings.update({ alerts: { webhook: { ...webhook, url } } });
    notes.renamed(from, to);
    await store.remove([from]);
  }

  /** Sets how the store is encrypted. @throws PanelError as `SecretStore.setKey` */
  setKey({ kind, passphrase }: { kind: KeyKind; passphrase?: string | undefined }): Promise<void> {
    return this.#options.store.setKey(kind, passphrase);
  }

  /** @throws PanelError as `SecretStore.unlock` */
  unlock({ passphrase }: { passphrase?: string | undefined } = {}): Promise<void> {
    return this.#options.store.unlock(passphrase);
  }

  /** @throws PanelError as `SecretStore.startAnew` */
  startAnew(): Promise<void> {
    return this.#options.store.startAnew();
  }

  listPlain() {
    const taken = this.#values();
    return this.#configs.flatMap(plainSecretsOf).map(({ server, place, label, value }) => {
      const suggestedName = suggestName({ server, label, value }, taken);
      taken.set(suggestedName, value);
      return { server, place, label, suggestedName };
    });
  }

  /**
   * Moves values written literally in servers.json into the secret store, and replaces them with references. A value that is
   * refused stays in servers.json. @throws PanelError as `SecretStore.put`, `ServersFile.setAll`
   */
  async move(moves: SecretMoves): Promise<MovedSecrets> {
    const { store } = this.#options;
    const plain = this.#configs.flatMap(plainSecretsOf);
    const taken = this.#values();
    const values = new Map<string, string>();
    const known = this.#sort(moves, ({ server, place, name }) => {
      const found = plain.find((one) => one.server === server && isSame(one.place, place));
      if (!found) throw changed(server, place);
      requireSecret(name, found.value);
      requireFree(name, found.value, taken);
      taken.set(name, found.value);
      values.set(name, found.value);
      return found;
    });
    if (values.size > 0) await store.put(values);
    return this.#rewrite(known, ({ name, span, value }, text) => {
      if (text.slice(...span) !== value) return undefined;
      return `${text.slice(0, span[0])}\${secret:${name}}${text.slice(span[1])}`;
    });
  }

  /** Moves values from the store back into servers.json, and removes secrets that no server refers to. @throws as `move` */
  async moveBack(moves: SecretMoves): Promise<MovedSecrets> {
    const { store } = this.#options;
    const known = this.#sort(moves, ({ name }) => {
      const value = store.get(name);
      if (value === undefined) throw unknownSecret(name);
      return { value };
    });
    const result = await this.#rewrite(known, ({ name, value }, text) => {
      const reference = `\${secret:${name}}`;
      return text.includes(reference) ? text.replaceAll(reference, () => asLiteral(value)) : undefined;
    });
    const used = new Set(this.#configs.flatMap((config) => [...secretsIn(config)]));
    const left = result.moved.map(({ name }) => name).filter((name) => !used.has(name));
    if (left.length > 0) await store.remove(left);
    return result;
  }

  /** Lists each server's missing values: references that cannot be resolved. Secrets are listed only if the store can be read. */
  async listMissing() {
    const { file, resolver, store } = this.#options;
    const hints = inputHints(await file.besideEntries('inputs'));
    const knows = ['open', 'none'].includes(store.state.state);
    const all = await Promise.all(
      this.#configs.map(async (config) => {
        const missing = (await resolver.missing(config)).filter(
          ({ reference: { kind } }) => knows || (kind !== 'secret' && kind !== 'input'),
        );
        return { server: config.name, asks: describeMissing(missing, hints) };
      }),
    );
    return all.filter(({ asks }) => asks.length > 0);
  }

  /**
   * Stores the values that the user entered for a server's missing references, and starts the server if it was waiting for
   * them. @throws PanelError SERVER_UNKNOWN, CONFIG_CONFLICT, CONFIG_INVALID; as `move`
   */
  async answer(answers: MissingAnswers): Promise<void> {
    const { file, notes, resolver, startWaiting, store } = this.#options;
    const { server: name } = answers;
    const config = this.#configs.find((one) => one.name === name);
    if (!config) throw new PanelError('SERVER_UNKNOWN', `There is no server "${name}".`);
    const plan = planAnswers(config, await resolver.missing(config), answers, this.#values());
    if (plan.secrets.size > 0) await store.put(plan.secrets);
    for (const text of plan.kept) notes.keep(name, text);
    if (plan.texts.length > 0)
      await file.setAll((entryOf) =>
        plan.texts.map(({ path, from, value }): EntryText => {
          const now = textAt(entryOf(name), [...path]);
          // The text must not have changed since the user was asked. `cwd` is excluded, because `from` is an absolute path
          // there, which may differ from the text in the file.
          if (now !== from && path[0] !== 'cwd') throw changed(name, [...path]);
          return { name, path, value };
        }),
      );
    startWaiting(name);
  }

  get #webhook(): Webhook | undefined {
    return this.#options.settings.current.settings.alerts.webhook;
  }

  get #configs(): readonly ServerConfig[] {
    return this.#options.file.current.servers;
  }

  #values(): Map<string, string> {
    return new Map([...this.#options.store.secrets].map(([name, { value }]) => [name, value]));
  }

  /**
   * Splits the moves into accepted and refused ones: calls `find` for each and adds its result to the move. A move for which
   * `find` throws is refused with that error.
   */
  #sort<T extends object>(moves: SecretMoves, find: (move: SecretMoves[number]) => T): Sorted<T> {
    const sorted: Sorted<T> = { accepted: [], refused: [] };
    for (const move of moves) {
      const { server, place } = move;
      try {
        sorted.accepted.push({ ...find(move), ...move });
      } catch (error) {
        sorted.refused.push({ server, place, error: toErrorReport(error, 'CONFIG_INVALID') });
      }
    }
    return sorted;
  }

  /** Changes the texts of all moves in one write. A move is refused if its text was changed in servers.json in the meantime. */
  async #rewrite<T extends SecretMoves[number]>(
    { accepted, refused }: { accepted: readonly T[]; refused: MovedSecrets['refused'] },
    change: (move: T, text: string) => string | undefined,
  ): Promise<MovedSecrets> {
    let moved: SecretMoves = [];
    let late: MovedSecrets['refused'] = [];
    if (accepted.length > 0)
      await this.#options.file.setAll((entryOf) => {
        [moved, late] = [[], []];
        return accepted.flatMap((move): EntryText[] => {
          const { server, place, name } = move;
          const text = textAt(entryOf(server), place);
          const value = text === undefined ? undefined : change(move, text);
          if (value === undefined) {
            late.push({ server, place, error: toErrorReport(changed(server, place), 'CONFIG_CONFLICT') });
            return [];
          }
          moved.push({ server, place, name });
          return [{ name: server, path: place, value }];
        });
      });
    return { moved, refused: [...refused, ...late] };
  }
}

interface Sorted<T> {
  readonly accepted: (T & SecretMoves[number])[];
  readonly refused: MovedSecrets['refused'];
}

function renamedTexts(config: ServerConfig, from: string, to: string): readonly EntryText[] {
  const places = new Map(
    referencesOf(config).map(({ place, source }) => [JSON.stringify(place), { place, source }]),
  );
  return [...places.values()].flatMap(({ place, source }) => {
    const value = renamed(source, referencesIn(source, 'script'), from, to);
    return value === source ? [] : [{ name: config.name, path: place, value }];
  });
}

/** Returns the text with all references to the secret `from` renamed to `to`. */
function renamed(text: string, references: readonly Reference[], from: string, to: string): string {
  const ofIt = references.filter(({ kind, name }) => kind === 'secret' && name === from);
  return replaceReferences(text, ofIt, () => `\${secret:${to}}`);
}

const isSame = (one: SecretPlace, other: SecretPlace): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const changed = (server: string, place: SecretPlace): PanelError =>
  new PanelError(
    'CONFIG_CONFLICT',
    `${server}: ${place.join('.')} was changed in servers.json in the meantime.`,
  );
