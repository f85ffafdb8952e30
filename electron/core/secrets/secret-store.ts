import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import type { KeyKind, SecretStoreView } from '../../../shared/secret-store.ts';
import type { WallClock } from '../clock.ts';
import { Emitter } from '../emitter.ts';
import { readContent } from '../files/file-content.ts';
import { setAside } from '../files/edited-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { SerialQueue } from '../serial-queue.ts';
import {
  emptyContents,
  fileHeaderOf,
  nonceFrom,
  parseSealedFile,
  seal,
  openSealed,
  type Contents,
  type Header,
  type Secret,
  type SealedFile,
} from './sealed-file.ts';
import { askForKey, createKey, keyIn, type AskKeyring } from './store-key.ts';
import { damagedReason, nextStoreState, type KeyAnswer, type StoreEvent } from './store-state.ts';

interface SecretStoreOptions {
  /** Home folder, absolute: it holds secrets.json, its backup, and secrets.key if the key is a file. */
  readonly home: string;
  readonly wallClock: WallClock;
  readonly randomBytes: (size: number) => Buffer;
  readonly askKeyring: AskKeyring;
  /** Passphrase from the start of the panel. */
  readonly passphrase?: string | undefined;
}

export interface SecretsChange {
  /** Secrets with another value than before, or with none. */
  readonly names: readonly string[];
  /** The store was opened, so that all values are there. */
  readonly isOpened?: true;
}

/** Milliseconds for an answer when nobody may be there, and after a click, when a person types a password. */
const START_MS = 5000;
const PERSON_MS = 120_000;

interface Opened {
  readonly header: Header;
  readonly key: Buffer;
  readonly contents: Contents;
}

/** The store of secrets: one sealed file, whose key is in the keyring, a file, or made from a passphrase. */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<SecretsChange>();
  readonly #path: string;
  readonly #keyPath: string;
  #state: SecretStoreView = { state: 'none' };
  #opened: Opened | undefined;
  #opening: Promise<void> | undefined;
  /** The last question for the key. */
  #asked: Promise<KeyAnswer> | undefined;

  private constructor(options: SecretStoreOptions) {
    this.#options = options;
    this.#path = join(options.home, 'secrets.json');
    this.#keyPath = join(options.home, 'secrets.key');
  }

  /** Reads the file; asks for its key without waiting for the answer. Never rejects. */
  static async open(options: SecretStoreOptions): Promise<SecretStore> {
    const store = new SecretStore(options);
    await store.#read(START_MS, options.passphrase);
    return store;
  }

  get state(): SecretStoreView {
    return this.#state;
  }

  /** Settles when the store is not being opened. Never rejects. */
  get settled(): Promise<void> {
    return this.#opening ?? Promise.resolve();
  }

  /** Secrets by name; none while the store is not open. */
  get secrets(): ReadonlyMap<string, Secret> {
    return this.#opened?.contents.secrets ?? emptyContents.secrets;
  }

  /** What is kept of sign-ins, by key; nothing while the store is not open. */
  get signIns(): Contents['signIns'] {
    return this.#opened?.contents.signIns ?? emptyContents.signIns;
  }

  /** Keeps something of a sign-in, or removes it. @throws as `put` */
  putSignIn(key: string, kept: object | undefined): Promise<void> {
    return this.#edit(({ secrets, signIns }) => {
      const others = [...signIns].filter(([other]) => other !== key);
      return { secrets, signIns: new Map(kept === undefined ? others : [...others, [key, kept]]) };
    });
  }

  get(name: string): string | undefined {
    return this.secrets.get(name)?.value;
  }

  /** Called after each change of a value or of the state. Returns the unsubscribe function. */
  onChanged(listener: (change: SecretsChange) => void): () => void {
    return this.#changed.subscribe(listener);
  }

  /** Writes values, with one write. Creates the store, with a key in the keyring, if there is none. @throws PanelError */
  put(values: ReadonlyMap<string, string>): Promise<void> {
    const setAt = this.#options.wallClock.epochMs();
    const added = new Map([...values].map(([name, value]) => [name, { value, setAt }]));
    return this.#editSecrets((secrets) => new Map([...secrets, ...added]));
  }

  /** @throws PanelError */
  remove(names: readonly string[]): Promise<void> {
    return this.#editSecrets((secrets) => new Map([...secrets].filter(([name]) => !names.includes(name))));
  }

  /** Gives a secret a second name, with its time. @throws PanelError */
  copy(from: string, to: string): Promise<void> {
    return this.#editSecrets((secrets) => {
      const secret = secrets.get(from);
      if (!secret) throw unknownSecret(from);
      return new Map([...secrets, [to, secret]]);
    });
  }

  /**
   * Keeps the key elsewhere, or makes the store. Nothing is changed where that fails. @throws PanelError SECRET_MISSING while
   * the store is not open, or where the keyring does not take the key
   */
  setKey(kind: KeyKind, passphrase?: string): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#opened && this.#hasFile) throw this.#notOpen();
      if (this.#opened && this.#state.keyKind === kind && kind !== 'passphrase') return;
      await this.#seal(this.#opened?.contents ?? emptyContents, kind, passphrase);
      this.#changed.emit({ names: [] });
    });
  }

  /** Tries again to open, with time for a person to answer. @throws PanelError SECRET_MISSING where it stays shut */
  async unlock(passphrase?: string): Promise<void> {
    if (this.#opened) return;
    await this.#queue.run(() => this.#read(PERSON_MS, passphrase));
    await this.settled;
    // A store that does not exist yet has nothing to unlock.
    if (!this.#opened && this.#hasFile) throw this.#notOpen();
  }

  /** Sets the file and its backup aside, because a person gives up on them. @throws PanelError where that fails */
  startAnew(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#opened) throw new PanelError('CONFIG_INVALID', 'The store of secrets is open.');
      const content = await readContent(this.#path);
      if (content.kind !== 'gone' && setAside(this.#path) === undefined)
        throw new PanelError('PERMISSION_DENIED', `${this.#path} could not be renamed.`);
      setAside(`${this.#path}.bak`);
      // An answer that still comes opens nothing.
      this.#asked = this.#opening = undefined;
      this.#dispatch({ kind: 'set-aside' });
      this.#changed.emit({ names: [] });
    });
  }

  get #hasFile(): boolean {
    const { state, keyKind } = this.#state;
    return state !== 'none' && !(state === 'no-keyring' && keyKind === undefined);
  }

  #dispatch(event: StoreEvent): void {
    this.#state = nextStoreState(this.#state, event);
  }

  /** Reads the file, else its backup, and begins to open it. */
  async #read(timeoutMs: number, passphrase: string | undefined): Promise<void> {
    const [content, backup] = await Promise.all(
      [this.#path, `${this.#path}.bak`].map((path) => readContent(path)),
    );
    const texts = [content, backup].flatMap((one) => (one?.kind === 'text' ? [one.text] : []));
    const files = texts.flatMap((text) => parseSealedFile(text) ?? []);
    const [file] = files;
    if (content?.kind === 'gone') this.#dispatch({ kind: 'read', file: 'gone' });
    else if (file === undefined)
      this.#dispatch({ kind: 'read', file: 'damaged', reason: damagedReason(content?.kind) });
    else this.#dispatch({ kind: 'read', file: file.key.kind, hasPassphrase: passphrase !== undefined });
    if (this.#state.state === 'opening' && file !== undefined)
      this.#opening = this.#open(
        files,
        askForKey(file, { ...this.#options, keyPath: this.#keyPath, timeoutMs, passphrase }),
      );
    this.#changed.emit({ names: [] });
  }

  async #open(files: readonly SealedFile[], asked: Promise<KeyAnswer>): Promise<void> {
    this.#asked = asked;
    const answer = await asked;
    // A person has asked again meanwhile.
    if (this.#asked !== asked) return;
    const key = answer.kind === 'found' ? keyIn(answer.value) : undefined;
    // The backup helps where the file itself was damaged.
    const fits = files.flatMap((one) => {
      const contents = key && openSealed(one, key);
      return key && contents ? [{ header: fileHeaderOf(one), key, contents }] : [];
    });
    this.#opened = fits[0];
    this.#opening = undefined;
    this.#dispatch({ kind: 'answered', answer, isSealedWithIt: this.#opened !== undefined });
    this.#changed.emit({ names: [...this.secrets.keys()], isOpened: true });
  }

  #editSecrets(change: (secrets: Contents['secrets']) => Contents['secrets']): Promise<void> {
    return this.#edit((contents) => ({ ...contents, secrets: change(contents.secrets) }));
  }

  #edit(change: (contents: Contents) => Contents): Promise<void> {
    return this.#queue.run(async () => {
      await this.settled;
      if (!this.#opened && this.#hasFile) throw this.#notOpen();
      const before = this.secrets;
      const contents = change(this.#opened?.contents ?? emptyContents);
      if (this.#opened) await this.#write({ ...this.#opened, contents });
      else await this.#seal(contents, 'keyring', undefined);
      const names = [...new Set([...before.keys(), ...contents.secrets.keys()])];
      this.#changed.emit({
        names: names.filter((name) => before.get(name)?.value !== contents.secrets.get(name)?.value),
      });
    });
  }

  /** Seals with a new key. The old key goes once the new file is there. */
  async #seal(contents: Contents, kind: KeyKind, passphrase: string | undefined): Promise<void> {
    const { randomBytes, askKeyring } = this.#options;
    const last = this.#opened?.header;
    const home = randomBytes(16).toString('hex');
    const { note, key } = await createKey(kind, randomBytes, passphrase);
    if (kind === 'keyring') {
      const answer = await askKeyring(
        { kind: 'write', account: home, value: key.toString('hex') },
        PERSON_MS,
      );
      if (answer.kind !== 'found') {
        this.#dispatch({ kind: 'not-kept', answer });
        this.#changed.emit({ names: [] });
        throw keyringRefused(nextStoreState({ state: 'none' }, { kind: 'not-kept', answer }));
      }
    }
    if (kind === 'file') await writeAtomically(this.#keyPath, `${key.toString('hex')}\n`);
    await this.#write({ header: { version: 1, home, key: note }, key, contents });
    // The backup holds the same: one that an old key opens would keep that key alive.
    await this.#put(`${this.#path}.bak`, contents);
    this.#dispatch({ kind: 'written', keyKind: kind });
    if (last?.key.kind === 'keyring') await askKeyring({ kind: 'remove', account: last.home }, START_MS);
    if (last?.key.kind === 'file') await rm(this.#keyPath, { force: true }).catch(() => undefined);
  }

  /** Writes the file; what it held before becomes its backup. */
  async #write(opened: Opened): Promise<void> {
    const before = await readContent(this.#path);
    if (before.kind === 'text' && parseSealedFile(before.text))
      await writeAtomically(`${this.#path}.bak`, before.text, { afterPowerCut: 'either' });
    const last = this.#opened;
    this.#opened = opened;
    try {
      await this.#put(this.#path, opened.contents);
    } catch (error) {
      this.#opened = last;
      throw error;
    }
  }

  async #put(path: string, contents: Contents): Promise<void> {
    const { header, key } = this.#opened ?? {};
    if (!header || !key) throw this.#notOpen();
    await writeAtomically(path, seal(contents, header, key, nonceFrom(this.#options.randomBytes)));
  }

  #notOpen(): PanelError {
    const { problem = 'It is being opened.', ...state } = this.#state;
    return new PanelError('SECRET_MISSING', `The store of secrets is not open. ${problem}`, { data: state });
  }
}

export const unknownSecret = (name: string): PanelError =>
  new PanelError('SECRET_MISSING', `There is no secret "${name}".`, { data: { missing: [name] } });

const keyringRefused = ({ problem = '', ...state }: SecretStoreView): PanelError =>
  new PanelError('SECRET_MISSING', problem, {
    remedy: 'Choose a passphrase or a key file for the secrets in the settings, then try again.',
    data: state,
  });
