import { Notification } from 'electron';
import type { PanelEvent } from '../../../shared/domain.ts';
import { namesText, type Alert } from '../../core/alerts/alert-words.ts';
import type { Clock, Disposable, WallClock } from '../../core/clock.ts';
import type { NotificationSettings } from './notable-events.ts';
import type { NotificationText } from './notification-words.ts';
import { NotificationFailures } from './notification-failures.ts';
import { isPausedAt } from '../../../shared/notification-pause.ts';
import { NotificationPolicy } from './notification-policy.ts';

/** Maximum number of notifications for which a click handler is kept. A click on an older notification has no effect. */
const MAX_KEPT = 20;

interface NotifierOptions {
  readonly clock: Clock & WallClock;
  /** Returns the settings; called at each event. */
  readonly settings: () => NotificationSettings & { readonly pausedUntil: number };
  /** Prints one line to the terminal. */
  readonly notice: (line: string) => void;
  readonly window: { show(): void; showServer(name: string): void };
}

/**
 * Shows system notifications for the events that the policy selects. Does nothing if the system does not support notifications.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #failures: NotificationFailures;
  readonly #policy = new NotificationPolicy();
  /** References that keep notifications and their click handlers from being garbage-collected. */
  readonly #shown = new Set<Notification>();
  #timer: Disposable | undefined;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#failures = new NotificationFailures(options.notice);
  }

  /** Reason why notifications do not appear; `null` if the desktop has no notification service; undefined if they appear. */
  get problem(): string | null | undefined {
    return Notification.isSupported() ? this.#failures.problem : null;
  }

  eventHappened(event: PanelEvent): void {
    const { clock, settings } = this.#options;
    if (this.#policy.take(event, settings(), clock.now())) this.#schedule();
  }

  /** Records that the user gave the server a command in the app window. */
  commandedByHand(server: string): void {
    this.#policy.byHand(server, this.#options.clock.now());
    this.#schedule();
  }

  /** Shows a notification immediately, without the policy for events, if the system supports notifications. */
  show(text: NotificationText, server?: string): void {
    if (Notification.isSupported()) this.#show(text, server);
  }

  /** Shows an alert, unless notifications are paused. */
  alert(alert: Alert): void {
    const [server, ...others] = alert.servers;
    const text = { title: alert.title, body: namesText(alert) };
    if (!this.#isPaused) this.show(text, others.length === 0 ? server?.name : undefined);
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
    // During a pause, notifications are dropped instead of delayed, because the window and the tray icon still show the current
    // problems afterwards.
    if (notification !== undefined && !this.#isPaused) this.show(notification, notification.server);
    this.#schedule();
  }

  get #isPaused(): boolean {
    const { clock, settings } = this.#options;
    return isPausedAt(settings(), clock.epochMs());
  }

  #show({ title, body }: NotificationText, server: string | undefined): void {
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
