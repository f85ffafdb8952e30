import type { OfferList } from '../../../../shared/domain.ts';
import type { Clock, Disposable, WallClock } from '../../clock.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { readCatalogueFile, writeCatalogueFile, type KeptList } from './catalogue-file.ts';
import { type CatalogueLink, LinkLists } from './link-lists.ts';
import { messageOf } from '../../../../shared/message-of.ts';

export interface CatalogueEntryOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The file of this entry. */
  readonly path: string;
  readonly notice: (line: string) => void;
  readonly onChanged: (list: OfferList) => void;
}

/** Changes within this time are one write. */
const WRITE_DELAY_MS = 1000;

/** Last lists and initialize result of one server, and their file. Answers of a running server replace the stored ones. */
export class CatalogueEntry {
  readonly #options: CatalogueEntryOptions;
  readonly #lists = new Map<OfferList, KeptList>();
  /** Milliseconds within which changes are joined into one write. */
  readonly #changes = new Map<OfferList, number>();
  readonly #writes = new SerialQueue();
  #greeting: CatalogueLink['greeting'] | undefined;
  #link: CatalogueLink | undefined;
  #linkLists: LinkLists | undefined;
  #loading: Promise<void> | undefined;
  #isLoaded = false;
  #writeTimer: Disposable | undefined;

  constructor(options: CatalogueEntryOptions) {
    this.#options = options;
  }

  get greeting(): CatalogueLink['greeting'] | undefined {
    return this.#greeting;
  }

  get lists(): ReadonlyMap<OfferList, KeptList> {
    return this.#lists;
  }

  isFresh(list: OfferList): boolean {
    return this.#linkLists?.isFresh(list) ?? false;
  }

  /** Lists that changed after that time; undefined before `load`. */
  changedSince(epochMs: number): readonly OfferList[] | undefined {
    if (!this.#isLoaded) return undefined;
    return [...this.#changes].flatMap(([list, changedAt]) => (changedAt > epochMs ? [list] : []));
  }

  /** True when no connection is followed and everything is written. */
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
    void link.closed.then(() => this.#link === link && this.#letGo());
    // The file is read first, because only then a list that differs from it is known as changed.
    void this.load().then(() => this.#follow(link));
    this.#writeSoon();
  }

  /** Resolves when everything to be stored is on disk. */
  async dispose(): Promise<void> {
    this.#letGo();
    if (this.#writeTimer) this.#write();
    await this.#writes.run(() => Promise.resolve());
  }

  /** Releases an ended connection, because it keeps the whole of its run in memory. */
  #letGo(): void {
    this.#linkLists?.dispose();
    this.#linkLists = undefined;
    this.#link = undefined;
  }

  #follow(link: CatalogueLink): void {
    if (this.#link !== link || link.hasEnded) return;
    this.#linkLists = new LinkLists({
      clock: this.#options.clock,
      link,
      onRead: (list, kept, isTold) => this.#read(list, kept, isTold),
      onSettled: () => this.#writeSoon(),
    });
    for (const list of this.#lists.keys()) if (!this.#linkLists.declares(list)) this.#lists.delete(list);
  }

  #read(list: OfferList, kept: KeptList | undefined, isTold: boolean): void {
    const former = this.#lists.get(list);
    if (kept) this.#lists.set(list, kept);
    // A list that cannot be read counts as changed when the server reports a change, because there is no better source.
    const isChanged = kept && former ? kept.hash !== former.hash : isTold;
    if (!isChanged) return;
    this.#changes.set(list, this.#options.wallClock.epochMs());
    this.#options.onChanged(list);
  }

  async #load(): Promise<void> {
    const { path, notice } = this.#options;
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
