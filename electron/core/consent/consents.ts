import type { ConsentView, ConsentDifference } from '../../../shared/consent.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import { describeErrno } from '../files/file-errors.ts';
import { pollFile } from '../files/file-content.ts';
import { createKeyFile } from '../files/key-file.ts';
import { SerialQueue } from '../serial-queue.ts';
import {
  consentPaths,
  consentRequired,
  readConsents,
  writeConsents,
  type AgreedBy,
  type Consent,
  type ConsentContent,
  type FoundConsents,
} from './consent-file.ts';
import { digestOf, settingsInForce, shownDefinition } from './definition.ts';
import { consentDifference, differenceWords } from './difference.ts';

interface ConsentsOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly randomBytes: (size: number) => Buffer;
  /** `ask`: the user must agree to each definition another program wrote to servers.json. `agree`: automatic, as in tests. */
  readonly consent: 'ask' | 'agree';
  /** Returns a text that says how to agree to the definition of that server. */
  readonly howToAgree: (name: string) => string;
  /** Receives one sentence for users. */
  readonly notice: (line: string) => void;
}

/**
 * Maximum number of consents that are kept for one server name. Consents for earlier definitions stay valid, so that the user
 * can return to an earlier definition without a question.
 */
const MAX_OF_NAME = 20;
const MAX_POSTPONED = 1000;

/** Opens the consents of the data folder. Definitions from before the panel ever asked count as agreed to. Never rejects. */
export async function openConsents(
  options: ConsentsOptions,
  configs: readonly ServerConfig[],
): Promise<Consents> {
  const { home, notice, randomBytes } = options;
  const found = await readConsents(home);
  let key = found.kind === 'none' ? undefined : found.key;
  if (key === undefined) {
    const created = await createKeyFile(consentPaths(home).key, randomBytes);
    key = created.key;
    if (created.error !== undefined)
      notice(`consent.key was not written, so the panel asks again: ${describeErrno(created.error)}`);
  }
  const consents = new Consents(options, key, found);
  // Writing is also necessary if the file is missing or damaged: otherwise the panel would report that again at each start.
  if (found.kind !== 'read') await consents.agreeTo(found.kind === 'none' ? configs : [], 'first-use');
  if (found.kind === 'none' && configs.length > 0 && options.consent === 'ask')
    notice(
      `From now on, a server that another program adds or changes runs only after you agree. Agreed to because they already existed: ${configs.map(({ name }) => name).join(', ')}`,
    );
  return consents;
}

/** Definitions that the user agreed to run, and questions about the others. The caller disposes. */
export class Consents implements Disposable {
  /** Emits the name of a server whose question was added, changed or removed. */
  readonly questionChanged = new Emitter<string>();
  /** Emits when the user or a program agreed to a definition. */
  readonly agreed = new Emitter<void>();
  readonly #options: ConsentsOptions;
  readonly #key: Buffer;
  readonly #poll: Disposable;
  readonly #writes = new SerialQueue();
  /** Consents by name, with the latest last. */
  readonly #consents = new Map<string, readonly Consent[]>();
  #postponed: ConsentContent['postponed'] = [];
  /** Definitions on disk that the user has not agreed to. */
  #questions = new Map<string, { readonly config: ServerConfig; readonly digest: string }>();
  readonly #told = new Set<string>();

  constructor(options: ConsentsOptions, key: Buffer, found: FoundConsents) {
    const { clock, home, notice } = options;
    this.#options = options;
    this.#key = key;
    if (found.kind === 'read') this.#take(found.content);
    if (found.kind === 'damaged')
      notice(
        `Nothing new runs until you agree, because the record of what you agreed to is lost: ${found.reason}`,
      );
    this.#poll = pollFile({
      path: consentPaths(home).consents,
      clock,
      onTouched: () => void this.#writes.run(() => this.#readAgain()),
    });
  }

  isAgreed(name: string, config: ServerConfig): boolean {
    const digest = digestOf(config, this.#key);
    return this.#of(name).some((consent) => consent.digest === digest);
  }

  /** True if the definition existed before the panel first asked. The user then meant it as it is, placeholders unresolved. */
  isOfFirstUse(config: ServerConfig): boolean {
    const digest = digestOf(config, this.#key);
    return this.#of(config.name).some((consent) => consent.digest === digest && consent.by === 'first-use');
  }

  /** @param name the server's name; `config` may be that of a replica with another name @throws PanelError CONSENT_REQUIRED */
  requireAgreed(name: string, config: ServerConfig): void {
    if (this.#options.consent === 'ask' && !this.isAgreed(name, config)) throw consentRequired(name);
  }

  /**
   * Agrees to the definitions. They may run as soon as this method is called; the promise resolves when the consent is on disk,
   * or when a failed write was reported to the user. Never rejects.
   */
  async agreeTo(configs: readonly ServerConfig[], by: AgreedBy): Promise<void> {
    this.#agree(configs, by);
    this.agreed.emit();
    await this.#write();
  }

  /**
   * Returns the definitions that are in force, and asks the user about each definition on disk that nobody has agreed to. A
   * running server keeps its current definition until the user agrees to the new one.
   * @param running returns the definition with which a server runs; undefined if it does not run
   */
  inForce(
    configs: readonly ServerConfig[],
    running: (name: string) => ServerConfig | undefined,
  ): readonly ServerConfig[] {
    const unknown = configs.filter((config) => !this.#isKnown(config));
    if (this.#options.consent === 'agree' && unknown.length > 0) {
      this.#tellOnce('agree', 'In a test, definitions from outside are agreed to automatically.');
      this.#agree(unknown, 'test');
      void this.#write();
    }
    const before = this.#questions;
    const asked = this.#options.consent === 'agree' ? [] : unknown;
    this.#questions = new Map(
      asked.map((config) => [config.name, { config, digest: digestOf(config, this.#key) }]),
    );
    for (const name of new Set([...before.keys(), ...this.#questions.keys()]))
      if (before.get(name)?.digest !== this.#questions.get(name)?.digest) this.#ask(name);
    return configs.map((config) => {
      const old = this.#questions.has(config.name) ? running(config.name) : undefined;
      if (old === undefined) return config;
      const panel = settingsInForce(config.panel, old.panel);
      return { ...old, enabled: config.enabled, panel };
    });
  }

  /** Returns the question about a server; undefined without one. */
  question(name: string): ConsentView | undefined {
    const digest = this.#questions.get(name)?.digest;
    if (digest === undefined) return undefined;
    return { digest, ...(this.#isPostponed(name, digest) && { isPostponed: true }) };
  }

  /** Returns the digest of `config`, and how it differs from what was agreed to last. */
  look(config: ServerConfig): { readonly digest: string; readonly difference: ConsentDifference } {
    const before = this.#of(config.name).findLast(({ shown }) => shown !== undefined)?.shown;
    const after = shownDefinition(config, this.#key);
    return { digest: digestOf(config, this.#key), difference: consentDifference(config, before, after) };
  }

  /** Postpones the question. Never rejects. */
  async postpone(name: string, digest: string): Promise<void> {
    if (this.#isPostponed(name, digest)) return;
    this.#postponed = [...this.#postponed, { name, digest }].slice(-MAX_POSTPONED);
    this.questionChanged.emit(name);
    await this.#write();
  }

  dispose(): void {
    this.#poll.dispose();
  }

  /** Resolves when everything is on disk. */
  flush(): Promise<void> {
    return this.#writes.run(() => Promise.resolve());
  }

  #agree(configs: readonly ServerConfig[], by: AgreedBy): void {
    const agreedAt = this.#options.wallClock.epochMs();
    for (const config of configs) this.#put(config, { digest: digestOf(config, this.#key), agreedAt, by });
  }

  #of(name: string): readonly Consent[] {
    return this.#consents.get(name) ?? [];
  }

  /** True if the definition was agreed to. It then becomes its server's latest consent, to which the next one is compared. */
  #isKnown(config: ServerConfig): boolean {
    const digest = digestOf(config, this.#key);
    const all = this.#of(config.name);
    const known = all.find((consent) => consent.digest === digest);
    if (known && known !== all.at(-1)) {
      this.#put(config, known);
      void this.#write();
    }
    return known !== undefined;
  }

  #put(config: ServerConfig, { digest, agreedAt, by }: Pick<Consent, 'digest' | 'agreedAt' | 'by'>): void {
    const { name } = config;
    const others = this.#of(name).filter((consent) => consent.digest !== digest);
    const latest = { name, digest, agreedAt, by, shown: shownDefinition(config, this.#key) };
    const older = others.map(({ shown: _, ...consent }) => consent);
    this.#consents.set(name, [...older, latest].slice(-MAX_OF_NAME));
    this.#postponed = this.#postponed.filter((one) => one.name !== name || one.digest !== digest);
  }

  #isPostponed(name: string, digest: string): boolean {
    return this.#postponed.some((one) => one.name === name && one.digest === digest);
  }

  #ask(name: string): void {
    this.questionChanged.emit(name);
    const question = this.#questions.get(name);
    if (question === undefined) return;
    const { difference } = this.look(question.config);
    const what = difference.isNew ? 'was added' : 'was changed';
    this.#tellOnce(
      `${name} ${question.digest}`,
      `${name} ${what} outside the panel and does not run in this form until you agree, ${this.#options.howToAgree(name)}: ${differenceWords(difference)}`,
    );
  }

  #tellOnce(key: string, line: string): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#options.notice(line);
  }

  /** Adds the content of the file to the known content. Returns true if anything was new. */
  #take({ consents, postponed }: ConsentContent): boolean {
    let isNews = false;
    for (const consent of consents) {
      const all = this.#of(consent.name);
      if (all.some(({ digest }) => digest === consent.digest)) continue;
      isNews = true;
      this.#consents.set(consent.name, [...all, consent].slice(-MAX_OF_NAME));
    }
    const news = postponed.filter(({ name, digest }) => !this.#isPostponed(name, digest));
    this.#postponed = [...this.#postponed, ...news].slice(-MAX_POSTPONED);
    return isNews;
  }

  /**
   * Called when consents.json was written. The writer may be another program of the panel, which added a consent, or a foreign
   * program, which must not write this file.
   */
  async #readAgain(): Promise<void> {
    const found = await readConsents(this.#options.home);
    const isOurKey = found.kind !== 'none' && found.key?.equals(this.#key) === true;
    if (found.kind === 'read' && isOurKey) {
      if (this.#take(found.content)) this.agreed.emit();
      return;
    }
    const reason = found.kind === 'damaged' ? found.reason : 'consent.key: it is gone, or another';
    // The consents file belongs to the key on disk. If that is not our key, a file that we write would be just as invalid.
    if (!isOurKey) return this.#tellOnce('key', `The panel will ask again at its next start: ${reason}`);
    this.#options.notice(
      `Another program changed the record of what you agreed to, and the panel writes it again: ${reason}`,
    );
    await this.#writeNow();
  }

  #write(): Promise<void> {
    return this.#writes.run(() => this.#writeNow());
  }

  async #writeNow(): Promise<void> {
    const consents = [...this.#consents.values()].flat();
    await writeConsents(this.#options.home, this.#key, { consents, postponed: this.#postponed }).catch(
      (error: unknown) => this.#options.notice(messageOf(error)),
    );
  }
}
