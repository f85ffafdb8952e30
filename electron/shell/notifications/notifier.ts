import { Notification } from 'electron';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { Clock, Disposable, WallClock } from '../../core/clock.ts';
import type { NotificationSettings } from './notable-events.ts';
import type { NotificationText } from './notification-words.ts';
import { NotificationFailures } from './notification-failures.ts';
import { isPausedAt } from '../../../shared/notification-pause.ts';
import { NotificationPolicy, type PanelNotification } from './notification-policy.ts';

/** Kept so that a click still finds its way; desktops keep more, whose click then only opens the notification. */
const MAX_KEPT = 20;

export interface NotifierOptions {
  readonly clock: Clock & WallClock;
  /** Asked at each event. */
  readonly settings: () => NotificationSettings & { readonly pausedUntil: number };
  /** One line for the terminal. */
  readonly notice: (line: string) => void;
  readonly window: { show(): void; showServer(name: string): void };
}

/** Shows notifications of the system for what the policy finds worth one. Silent where the system has none. */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #failures: NotificationFailures;
  readonly #policy = new NotificationPolicy();
  /** An object that nobody holds is collected, and its click with it. */
  readonly #shown = new Set<Notification>();
  #timer: Disposable | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#failures = new NotificationFailures(options.notice);
  }

  /** Why notifications do not appear; undefined while they do, as far as is known. */
  get problem(): string | undefined {
    return Notification.isSupported() ? this.#failures.problem : 'this system has no place for them';
  }

  eventHappened(event: PanelEvent): void {
    const { clock, settings } = this.#options;
    if (this.#policy.take(event, settings(), clock.now())) this.#schedule();
  }

  /** A person gave the server a command. */
  commandedByHand(server: string): void {
    this.#policy.byHand(server, this.#options.clock.now());
    this.#schedule();
  }

  /** Shows what is no event of a server, where the system shows notifications. */
  show(text: NotificationText): void {
    if (Notification.isSupported()) this.#show({ ...text, server: undefined });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#shown.clear();
  }

  #schedule(): void {
    this.#timer?.dispose();
    const { clock } = this.#options;
    const { nextMs } = this.#policy;
    if (nextMs === undefined) return;
    this.#timer = clock.setTimeout(() => this.#showDue(), Math.max(0, nextMs - clock.now()));
  }

  #showDue(): void {
    const notification = this.#policy.due(this.#options.clock.now());
    const isPaused = isPausedAt(this.#options.settings(), this.#options.clock.epochMs());
    // What falls into a pause is not told later: the window and the icon in the tray show what is still wrong.
    if (notification !== undefined && !isPaused && Notification.isSupported()) this.#show(notification);
    this.#schedule();
  }

  #show({ title, body, server }: NotificationText & Pick<PanelNotification, 'server'>): void {
    const shown = new Notification({ title, body });
    const { window } = this.#options;
    shown.on('click', () => (server === undefined ? window.show() : window.showServer(server)));
    shown.on('close', () => this.#shown.delete(shown));
    this.#failures.watch(shown);
    this.#shown.add(shown);
    const [oldest] = this.#shown;
    if (this.#shown.size > MAX_KEPT && oldest !== undefined) this.#shown.delete(oldest);
    shown.show();
  }
}
