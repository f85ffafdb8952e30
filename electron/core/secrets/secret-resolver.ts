import { PanelError } from '../../../shared/error-codes.ts';
import { isSecretName, looksRandom } from '../../../shared/secrets/secret-names.ts';
import { keySpans } from '../../../shared/secrets/known-forms.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { WallClock } from '../clock.ts';
import { variableOf } from '../platform/child-environment.ts';
import { abortable } from '../wait.ts';
import {
  referencesOf,
  resolveReferences,
  type ReferenceSources,
  type ResolvedConfig,
} from './resolve-config.ts';
import { missingLabel } from './missing-values.ts';
import type { SecretNotes } from './secret-notes.ts';
import type { SecretStore } from './secret-store.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface SecretResolverOptions {
  readonly store: SecretStore;
  readonly notes: SecretNotes;
  readonly wallClock: WallClock;
  /** Returns the environment that the user's login shell has. Never rejects. */
  readonly environment: () => Promise<Environment>;
  /**
   * True if this definition already ran with an earlier version of the panel, which did not ask about placeholders. Its
   * placeholders are then used literally.
   */
  readonly isOldAgreement: (config: ServerConfig) => boolean;
  /**
   * Called with all secret values, so that they can be redacted. This happens before a server receives a value that is not yet
   * among them.
   */
  readonly declare: (values: readonly string[]) => void;
}

/** Replaces the references in a definition by their values when a server starts. */
export class SecretResolver {
  readonly #options: SecretResolverOptions;
  /** Values of environment variables that were passed to servers and look like secrets. */
  readonly #variables = new Set<string>();

  constructor(options: SecretResolverOptions) {
    this.#options = options;
    options.store.onChanged(({ names }) => {
      if (names.length > 0) this.#declare();
    });
    this.#declare();
  }

  /**
   * Returns the definition to run, with its references replaced. The result is a promise only if the login shell is needed for
   * it, or the keyring has not answered yet.
   * @throws PanelError SECRET_MISSING, CONFIG_INVALID
   */
  resolve(
    config: ServerConfig,
    signal: AbortSignal,
    onWait?: (reason: string) => void,
  ): ServerConfig | Promise<ServerConfig> {
    const kinds = new Set(referencesOf(config).map(({ reference }) => reference.kind));
    if (kinds.size === 0) return config;
    const { store, environment } = this.#options;
    const needsStore = kinds.has('secret') || kinds.has('input');
    const needsVariables = kinds.has('variable');
    const isOpening = needsStore && store.state.state === 'opening';
    if (!needsVariables && !isOpening) return this.#resolved(config, {});
    if (isOpening) onWait?.('waits for the keyring');
    const waits = Promise.all([needsVariables ? environment() : {}, needsStore ? store.settled : undefined]);
    return abortable(waits, signal).then(([variables]) => this.#resolved(config, variables));
  }

  /** Returns the values that a start of this definition would lack now. */
  async missing(config: ServerConfig): Promise<ResolvedConfig['missing']> {
    const variables = await this.#options.environment();
    try {
      return resolveReferences(config, this.#sources(config, variables)).missing;
    } catch {
      return []; // A reference is at a place where it is not allowed; the start reports it.
    }
  }

  #resolved(config: ServerConfig, variables: Environment): ServerConfig {
    const { notes, wallClock } = this.#options;
    const resolved = resolveReferences(config, this.#sources(config, variables));
    if (resolved.missing.length > 0) throw this.#lacks(config, resolved);
    const secret = resolved.variables.filter(({ name, value }) => isSecret(name, value));
    const isNew = secret.some(({ value }) => !this.#variables.has(value));
    for (const { value } of secret) this.#variables.add(value);
    if (isNew) this.#declare();
    if (resolved.used.size > 0) notes.used(resolved.used, wallClock.epochMs());
    return resolved.config;
  }

  #sources(config: ServerConfig, variables: Environment): ReferenceSources {
    const { store, notes, isOldAgreement } = this.#options;
    return {
      secret: (name) => store.get(name),
      variable: (name) => variableOf(variables, name, process.platform),
      isMeant: (reference) =>
        reference.kind !== 'secret' && (notes.isKept(config.name, reference.text) || isOldAgreement(config)),
    };
  }

  #lacks({ name: server }: ServerConfig, { missing }: ResolvedConfig): PanelError {
    const { state, problem } = this.#options.store.state;
    const names = [...new Set(missing.map(missingLabel))];
    const needsStore = missing.some(({ reference: { kind } }) => kind === 'secret' || kind === 'input');
    const isShut = needsStore && state !== 'open' && state !== 'none';
    const phrase = isShut
      ? 'needs a secret, and the store of secrets is not open'
      : `lacks ${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}`;
    return new PanelError('SECRET_MISSING', `${server} ${phrase}.${isShut ? ` ${problem ?? ''}` : ''}`, {
      data: { missing: names },
      short: { phrase },
      remedy: isShut
        ? 'Unlock the store of secrets; the server then starts automatically.'
        : 'Enter the missing values in the panel; the server then starts automatically.',
    });
  }

  #declare(): void {
    const values = [...this.#options.store.secrets.values()].map(({ value }) => value);
    this.#options.declare([...values, ...this.#variables]);
  }
}

const MAX_NAMED = 5;

/** True if the value of a variable is a secret, judged by its name or its form. */
const isSecret = (name: string, value: string): boolean =>
  isSecretName(name) || looksRandom(value) || keySpans(value).length > 0;
