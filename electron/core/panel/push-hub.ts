import type { Approval } from '../../../shared/approvals.ts';
import { isDeepStrictEqual } from 'node:util';
import type { ConfigStatus, PanelEvent, Push, ServerFigures, ServerView } from '../../../shared/domain.ts';
import type { Clock, Disposable } from '../clock.ts';
import { Emitter } from '../emitter.ts';

interface PushHubOptions {
  readonly clock: Clock;
  /** Returns the current view of a server; undefined if the server was removed. */
  readonly view: (name: string) => ServerView | undefined;
  readonly config: () => ConfigStatus;
  /** Calls that wait for the user's approval. */
  readonly approvals: () => readonly Approval[];
}

/**
 * Milliseconds for which changes are collected before a push. The time is short so that the response to a click arrives well
 * within 100 ms.
 */
const COALESCE_MS = 30;

/**
 * Maximum milliseconds that marked changes wait for the sampling tick. The tick comes every second, but only while a process is
 * being sampled.
 */
const TICK_LIMIT_MS = 1250;

/**
 * Collects changes and sends them to the app window in one push:
 * - a change of a state or the configuration, or an event, is sent a moment later, with the complete views of the servers that
 * changed;
 * - a server that is only marked, because a sample was taken or a call began or ended, is sent with the next sampling tick, so
 * that any number of calls causes only one push per tick. If only the measured values of a server changed, only these are sent.
 * A hidden window gets no pushes. When it is shown again, one sequence number is skipped, so that the window requests a
 * snapshot.
 */
export class PushHub {
  readonly pushed = new Emitter<Push>();
  readonly #options: PushHubOptions;
  /** Last sent view of each server. A new view is compared with it to find out whether only the measured values have changed. */
  readonly #told = new Map<string, ServerView>();
  readonly #changed = new Set<string>();
  readonly #marked = new Set<string>();
  readonly #removed = new Set<string>();
  #events: PanelEvent[] = [];
  #isConfigChanged = false;
  #areApprovalsChanged = false;
  #sequence = 0;
  #isOpen = true;
  #soon: Disposable | undefined;
  #tickLimit: Disposable | undefined;
  #lastTickMs = -Infinity;

  constructor(options: PushHubOptions) {
    this.#options = options;
  }

  /**
   * Sequence number of the last push. Changes that are still being collected are part of the next push and also of a snapshot
   * taken now.
   */
  get sequence(): number {
    return this.#sequence;
  }

  /** Schedules a push of a server whose state or settings, and possibly measured values, have changed. */
  serverChanged(name: string): void {
    this.#removed.delete(name);
    this.#changed.add(name);
    this.#sendSoon();
  }

  /** Marks a server with changes that can wait for the next tick: measured values, calls, users. */
  serverMarked(name: string): void {
    if (!this.#isOpen) return;
    this.#marked.add(name);
    this.#tickLimit ??= this.#tickWithinLimit();
  }

  serverRemoved(name: string): void {
    this.#changed.delete(name);
    this.#marked.delete(name);
    this.#told.delete(name);
    this.#removed.add(name);
    this.#sendSoon();
  }

  eventAppended(event: PanelEvent): void {
    this.#events.push(event);
    this.#sendSoon();
  }

  configChanged(): void {
    this.#isConfigChanged = true;
    this.#sendSoon();
  }

  approvalsChanged(): void {
    this.#areApprovalsChanged = true;
    this.#sendSoon();
  }

  setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    if (isOpen) {
      this.#sequence += 1;
      this.#sendSoon();
    } else this.#drop();
  }

  /** Sends all changes and marked servers. Called when all servers have been sampled. */
  tick(): void {
    this.#lastTickMs = this.#options.clock.now();
    this.flush();
  }

  /** Sends all changes and marked servers now. */
  flush(): void {
    for (const name of this.#marked) this.#changed.add(name);
    this.#marked.clear();
    this.#tickLimit?.dispose();
    this.#tickLimit = undefined;
    this.#send('with figures');
  }

  dispose(): void {
    this.#drop();
    this.#isOpen = false;
  }

  #tickWithinLimit(): Disposable {
    const { clock } = this.#options;
    const waitMs = Math.max(COALESCE_MS, this.#lastTickMs + TICK_LIMIT_MS - clock.now());
    return clock.setTimeout(() => this.tick(), waitMs);
  }

  #sendSoon(): void {
    if (!this.#isOpen) return this.#drop();
    this.#soon ??= this.#options.clock.setTimeout(() => this.#send('changes alone'), COALESCE_MS);
  }

  #send(what: 'changes alone' | 'with figures'): void {
    this.#soon?.dispose();
    this.#soon = undefined;
    const push = this.#collect(this.#takeViews(what));
    if (push) this.pushed.emit(push);
  }

  /**
   * Returns the changed servers as views or measured values, for the next push. With `changes alone`, a server whose measured
   * values alone have changed is marked for the next tick instead.
   */
  #takeViews(what: 'changes alone' | 'with figures'): Pick<Push, 'servers' | 'samples'> {
    const changed = [...this.#changed].flatMap((name) => this.#options.view(name) ?? []);
    this.#changed.clear();
    const news = changed.map((view) => newsOf(view, this.#told.get(view.name)));
    const whole = changed.filter((_, place) => news[place] === 'whole');
    const figures = changed.filter((_, place) => news[place] === 'figures');
    const isLater = what === 'changes alone';
    if (isLater) for (const { name } of figures) this.serverMarked(name);
    const sent = isLater ? whole : changed;
    for (const view of sent) this.#told.set(view.name, view);
    return {
      ...(whole.length > 0 && { servers: whole }),
      ...(figures.length > 0 && !isLater && { samples: figures.map(figureUpdate) }),
    };
  }

  #collect(views: Pick<Push, 'servers' | 'samples'>): Push | undefined {
    const removed = [...this.#removed];
    const events = this.#events;
    const isConfigChanged = this.#isConfigChanged;
    const areApprovalsChanged = this.#areApprovalsChanged;
    this.#removed.clear();
    this.#events = [];
    this.#isConfigChanged = this.#areApprovalsChanged = false;
    const content = {
      ...views,
      ...(removed.length > 0 && { removed }),
      ...(events.length > 0 && { events }),
      ...(isConfigChanged && { config: this.#options.config() }),
      ...(areApprovalsChanged && { approvals: [...this.#options.approvals()] }),
    };
    if (Object.keys(content).length === 0) return undefined;
    this.#sequence += 1;
    return { sequence: this.#sequence, ...content };
  }

  /** Drops all collected changes while the window is hidden, because the window starts from a snapshot when it is shown. */
  #drop(): void {
    this.#soon?.dispose();
    this.#tickLimit?.dispose();
    this.#soon = this.#tickLimit = undefined;
    this.#changed.clear();
    this.#marked.clear();
    this.#removed.clear();
    this.#told.clear();
    this.#events = [];
    this.#isConfigChanged = this.#areApprovalsChanged = false;
  }
}

/**
 * Differences in `unansweredSince` below this many milliseconds are ignored. The value is computed from two clocks each time,
 * so it varies by a few milliseconds.
 */
const OWED_TOLERANCE_MS = 1000;

/** What differs between a view and the last view sent: nothing, only measured values, or more. */
type News = 'none' | 'figures' | 'whole';

function newsOf(view: ServerView, told: ServerView | undefined): News {
  if (told === undefined) return 'whole';
  let news: News = 'none';
  const isNews = (field: Field) => !isSame(field, told[field], view[field]);
  for (const fields of [fieldsIn(view), fieldsIn(told).filter((field) => !(field in view))])
    for (const field of fields) {
      if (!isNews(field)) continue;
      if (!FIGURES.has(field)) return 'whole';
      news = 'figures';
    }
  return news;
}

type Field = keyof ServerView;

/** Fields with measured values, which change every second without any action of the user. */
const FIGURES: ReadonlySet<Field> = new Set<Field>(['sample', 'busy', 'recentCalls']);

function figureUpdate({ name, sample, busy, recentCalls }: ServerView): ServerFigures {
  return { name, ...(sample && { sample }), ...(busy && { busy }), ...(recentCalls && { recentCalls }) };
}

const fieldsIn = (view: ServerView) => Object.keys(view) as Field[];

function isSame(field: Field, one: unknown, other: unknown): boolean {
  // Compares identity first, because most fields are identical, and this comparison runs for every server each second.
  if (one === other) return true;
  if (field === 'unansweredSince') return isSameTime(one, other);
  return isDeepStrictEqual(one, other);
}

function isSameTime(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) < OWED_TOLERANCE_MS;
}
