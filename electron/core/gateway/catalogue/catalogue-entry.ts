import type { OfferList } from '../../../../shared/domain.ts';
import { createHash } from 'node:crypto';
import type { Clock, Disposable, WallClock } from '../../clock.ts';
import { createDeferred, type Deferred } from '../../deferred.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { ownBuffer, readCatalogueFile, writeCatalogueFile, type KeptList } from './catalogue-file.ts';
import { type CatalogueLink, LinkLists } from './link-lists.ts';
import { MAX_LIST_BYTES } from '../../sessions/offer/known-tools.ts';
import { settlesWithin } from '../../wait.ts';
import { seenGreeting, type AgreedOffer } from '../agreed/agreed-offer.ts';
import { messageOf } from '../../../../shared/message-of.ts';

interface CatalogueEntryOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The file of this entry. */
  readonly path: string;
  readonly notice: (line: string) => void;
  /** What the user has accepted of the server's lists. Clients see the lists in this entry, without changes not accepted. */
  readonly agreed: AgreedOffer;
  /** Version of the installed package. Never rejects. */
  readonly installed: () => Promise<string | undefined>;
  readonly onChanged: (list: OfferList) => void;
  /** Called when a list was read that neither this run nor the file contained before. */
  readonly onFirst: (list: OfferList) => void;
}

/** Milliseconds after the first change until the file is written, so that several changes cause only one write. */
const WRITE_DELAY_MS = 1000;
/** Longest time in ms that a call waits for the first list of a connection. */
const READING_MS = 2000;

/** Last lists and initialize result of one server, and their file. Answers of a running server replace the stored ones. */
export class CatalogueEntry {
  readonly #options: CatalogueEntryOptions;
  readonly #lists = new Map<OfferList, KeptList>();
  readonly lists: ReadonlyMap<OfferList, KeptList> = this.#lists;
  readonly agreed: AgreedOffer;
  /** Epoch milliseconds of the last change of each list. */
  readonly #changes = new Map<OfferList, number>();
  readonly #writes = new SerialQueue();
  #greeting: CatalogueLink['greeting'] | undefined;
  #link: CatalogueLink | undefined;
  #linkLists: LinkLists | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  /** Settles when the tools of the current connection were read, successfully or not. */
  #reading: Deferred<void> | undefined;
  #writeTimer: Disposable | undefined;

  constructor(options: CatalogueEntryOptions) {
    this.#options = options;
    this.agreed = options.agreed;
  }

  get greeting(): CatalogueLink['greeting'] | undefined {
    return this.#greeting;
  }

  /**
   * Returns a promise that settles when the tools of a new connection are read, but after two seconds at the latest; undefined
   * if nothing needs to be waited for.
   */
  whenRead(): Promise<unknown> | undefined {
    return this.#reading && settlesWithin(this.#options.clock, this.#reading.promise, READING_MS);
  }

  isFresh(list: OfferList): boolean {
    return this.#linkLists?.isFresh(list) ?? false;
  }

  /** Returns the lists that changed after that time; undefined before `load`. */
  changedSince(epochMs: number): readonly OfferList[] | undefined {
    if (!this.#isLoaded) return undefined;
    return [...this.#changes].flatMap(([list, changedAt]) => (changedAt > epochMs ? [list] : []));
  }

  /** True if the entry follows no connection, and everything is written. */
  get isAtRest(): boolean {
    return this.#link === undefined && this.#writeTimer === undefined;
  }

  load(): Promise<void> {
    return (this.#loading ??= this.#load().then(() => void (this.#isLoaded = true)));
  }

  learn(link: CatalogueLink): void {
    if (link.hasEnded || this.#link?.hasEnded === false) return;
    this.#letGo();
    this.#link = link;
    this.#greeting = link.greeting;
    if (link.greeting.capabilities.tools) this.#reading = createDeferred();
    void link.closed.then(() => this.#link === link && this.#letGo());
    // The file is read first, because a list that the server sends counts as changed only in comparison with the stored list.
    void Promise.all([this.#options.installed(), this.load()]).then(([installed]) =>
      this.#follow(link, installed),
    );
    this.#writeSoon();
  }

  /** Resolves when everything to be stored is on disk. */
  async dispose(): Promise<void> {
    this.#letGo();
    if (this.#writeTimer) this.#write();
    await this.#writes.run(() => Promise.resolve());
    await this.#options.agreed.settled();
  }

  /** Releases an ended connection, because a reference to it would keep its whole run in memory. */
  #letGo(): void {
    this.#reading?.resolve();
    this.#reading = undefined;
    this.#linkLists?.dispose();
    this.#linkLists = undefined;
    this.#link = undefined;
  }

  #follow(link: CatalogueLink, installed: string | undefined): void {
    if (this.#link !== link || link.hasEnded) return;
    const { agreed } = this.#options;
    agreed.runs(installed);
    agreed.takeInstructions(link.greeting.instructions);
    this.#greeting = seenGreeting(agreed, link.greeting);
    this.#linkLists = new LinkLists({
      clock: this.#options.clock,
      link,
      onRead: (list, kept, isTold) => this.#read(list, kept, isTold),
      onSettled: () => this.#writeSoon(),
    });
    for (const list of this.#lists.keys()) if (!this.#linkLists.declares(list)) this.#lists.delete(list);
  }

  /**
   * Returns the list as clients see it: an item whose changed text was not accepted yet keeps its accepted text. A list of more
   * than 512 KiB is not compared by item; if an accepted list exists, clients see that one instead.
   */
  #agree(list: OfferList, kept: KeptList): KeptList {
    const { agreed } = this.#options;
    const isLong = kept.result.length > MAX_LIST_BYTES;
    const sent: unknown = isLong ? undefined : JSON.parse(kept.result.toString());
    const seen = isLong ? agreed.whole(list) : agreed.take(list, sent);
    if (seen === sent) return kept;
    const result = ownBuffer(Buffer.from(JSON.stringify(seen)));
    return { ...kept, result, hash: createHash('sha256').update(result).digest('hex') };
  }

  #read(list: OfferList, read: KeptList | undefined, isTold: boolean): void {
    const former = this.#lists.get(list);
    const kept = read && this.#agree(list, read);
    if (kept) this.#lists.set(list, kept);
    if (list === 'tools') {
      this.#reading?.resolve();
      this.#reading = undefined;
    }
    // If the list cannot be compared, because it could not be read or was not known before, it counts as changed if the server
    // has reported a change.
    const isChanged = kept && former ? kept.hash !== former.hash : isTold;
    if (kept && !former) this.#options.onFirst(list);
    if (!isChanged) return;
    this.#changes.set(list, this.#options.wallClock.epochMs());
    this.#options.onChanged(list);
  }

  async #load(): Promise<void> {
    const { path, notice, agreed } = this.#options;
    await agreed.load();
    try {
      const kept = await readCatalogueFile(path);
      this.#greeting ??= kept?.greeting;
      for (const [list, changedAt] of kept?.changes ?? []) this.#changes.set(list, changedAt);
      for (const [list, value] of kept?.lists ?? []) if (!this.#lists.has(list)) this.#lists.set(list, value);
    } catch (error) {
      notice(`${path} is ignored and will be replaced: ${messageOf(error)}`);
    }
  }

  #writeSoon(): void {
    this.#writeTimer?.dispose();
    this.#writeTimer = this.#options.clock.setTimeout(() => this.#write(), WRITE_DELAY_MS);
  }

  #write(): void {
    this.#writeTimer?.dispose();
    this.#writeTimer = undefined;
    const { path, notice } = this.#options;
    void this.#writes.run(async () => {
      if (!this.#greeting) return;
      const kept = { greeting: this.#greeting, lists: this.#lists, changes: this.#changes };
      await writeCatalogueFile(path, kept).catch((error: unknown) =>
        notice(`${path} was not written: ${messageOf(error)}`),
      );
    });
  }
}
