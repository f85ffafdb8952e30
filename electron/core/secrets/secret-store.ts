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
  /** Absolute path of the data folder. It contains secrets.json, its backup, and secrets.key if the key is stored in a file. */
  readonly home: string;
  readonly wallClock: WallClock;
  readonly randomBytes: (size: number) => Buffer;
  readonly askKeyring: AskKeyring;
  /** Passphrase that was given when the panel started. */
  readonly passphrase?: string | undefined;
}

export interface SecretsChange {
  /** Names of the secrets whose value was changed, added or removed. */
  readonly names: readonly string[];
  /** Present if the store was just opened, so that all values have become available. */
  readonly isOpened?: true;
}

/** Milliseconds to wait for the keyring's answer when the panel starts, because the user may be away. */
const START_MS = 5000;
/** Milliseconds to wait for the keyring's answer after a click, because the user may have to type a password. */
const PERSON_MS = 120_000;

interface Opened {
  readonly header: Header;
  readonly key: Buffer;
  readonly contents: Contents;
}

/** Store of secrets: one encrypted file. Its key is stored in the keyring or in a file, or is derived from a passphrase. */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  readonly #queue = new SerialQueue();
  readonly #changed = new Emitter<SecretsChange>();
  readonly #path: string;
  readonly #keyPath: string;
  #state: SecretStoreView = { state: 'none' };
  #opened: Opened | undefined;
  #opening: Promise<void> | undefined;
  /** The most recent request for the key; an answer to an earlier one is ignored. */
  #asked: Promise<KeyAnswer> | undefined;

  private constructor(options: SecretStoreOptions) {
    this.#options = options;
    this.#path = join(options.home, 'secrets.json');
    this.#keyPath = join(options.home, 'secrets.key');
  }

  /** Reads the file, and requests its key without waiting for the answer. Never rejects. */
  static async open(options: SecretStoreOptions): Promise<SecretStore> {
    const store = new SecretStore(options);
    await store.#read(START_MS, options.passphrase);
    return store;
  }

  get state(): SecretStoreView {
    return this.#state;
  }

  /** Settles when no attempt to open the store is under way. Never rejects. */
  get settled(): Promise<void> {
    return this.#opening ?? Promise.resolve();
  }

  /** Secrets by name; empty while the store is not open. */
  get secrets(): ReadonlyMap<string, Secret> {
    return this.#opened?.contents.secrets ?? emptyContents.secrets;
  }

  /** Stored data of sign-ins, by key; empty while the store is not open. */
  get signIns(): Contents['signIns'] {
    return this.#opened?.contents.signIns ?? emptyContents.signIns;
  }

  /** Stores data of a sign-in, or removes it if `kept` is undefined. @throws as `put` */
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

  /** Writes all values in one write. If there is no store, creates it with a key in the keyring. @throws PanelError */
  put(values: ReadonlyMap<string, string>): Promise<void> {
    const setAt = this.#options.wallClock.epochMs();
    const added = new Map([...values].map(([name, value]) => [name, { value, setAt }]));
    return this.#editSecrets((secrets) => new Map([...secrets, ...added]));
  }

  /** @throws PanelError */
  remove(names: readonly string[]): Promise<void> {
    return this.#editSecrets((secrets) => new Map([...secrets].filter(([name]) => !names.includes(name))));
  }

  /** Stores a secret under a second name as well, with the time at which it was set. @throws PanelError */
  copy(from: string, to: string): Promise<void> {
    return this.#editSecrets((secrets) => {
      const secret = secrets.get(from);
      if (!secret) throw unknownSecret(from);
      return new Map([...secrets, [to, secret]]);
    });
  }

  /**
   * Moves the key to another kind of storage, or creates the store. If that fails, nothing is changed. @throws PanelError
   * SECRET_MISSING while the store is not open, or if the keyring does not accept the key
   */
  setKey(kind: KeyKind, passphrase?: string): Promise<void> {
    return this.#queue.run(async () => {
      if (!this.#opened && this.#hasFile) throw this.#notOpen();
      if (this.#opened && this.#state.keyKind === kind && kind !== 'passphrase') return;
      await this.#seal(this.#opened?.contents ?? emptyContents, kind, passphrase);
      this.#changed.emit({ names: [] });
    });
  }

  /** Tries again to open the store, with time for the user to answer. @throws PanelError SECRET_MISSING if it stays closed */
  async unlock(passphrase?: string): Promise<void> {
    if (this.#opened) return;
    await this.#queue.run(() => this.#read(PERSON_MS, passphrase));
    await this.settled;
    // A store that does not exist yet has nothing to unlock.
    if (!this.#opened && this.#hasFile) throw this.#notOpen();
  }

  /** Renames the file and its backup, because the user has given up on them. @throws PanelError if that fails */
  startAnew(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#opened) throw new PanelError('CONFIG_INVALID', 'The store of secrets is open.');
      const content = await readContent(this.#path);
      if (content.kind !== 'gone' && setAside(this.#path) === undefined)
        throw new PanelError('PERMISSION_DENIED', `${this.#path} could not be renamed.`);
      setAside(`${this.#path}.bak`);
      // An answer to an earlier request for the key must not open the store any more.
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

  /** Reads the file, or its backup if the file is unusable, and begins to open it. */
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
    // The user has started another attempt meanwhile.
    if (this.#asked !== asked) return;
    const key = answer.kind === 'found' ? keyIn(answer.value) : undefined;
    // The backup is used if the file itself was damaged.
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

  /** Encrypts the contents with a new key. The old key is removed once the new file is written. */
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
    // The backup gets the same contents, so that no file remains that the old key can open.
    await this.#put(`${this.#path}.bak`, contents);
    this.#dispatch({ kind: 'written', keyKind: kind });
    if (last?.key.kind === 'keyring') await askKeyring({ kind: 'remove', account: last.home }, START_MS);
    if (last?.key.kind === 'file') await rm(this.#keyPath, { force: true }).catch(() => undefined);
  }

  /** Writes the file. Its previous content becomes the backup. */
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
