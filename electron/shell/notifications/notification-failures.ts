/** Events of a notification that show whether it appeared. */
interface WatchedNotification {
  on(event: 'show', listener: () => void): unknown;
  on(event: 'failed', listener: (event: unknown, error: string) => void): unknown;
}

/** Records whether the system shows the app's notifications, and reports once if it does not. */
export class NotificationFailures {
  readonly #notice: (line: string) => void;
  #problem: string | undefined;

  constructor(notice: (line: string) => void) {
    this.#notice = notice;
  }

  /** Reason why the latest notification did not appear; undefined if it has appeared, or if none was shown yet. */
  get problem(): string | undefined {
    return this.#problem;
  }

  watch(notification: WatchedNotification): void {
    notification.on('show', () => (this.#problem = undefined));
    notification.on('failed', (_event, error) => this.#failed(error));
  }

  #failed(error: string): void {
    const isNews = this.#problem === undefined;
    this.#problem = error || 'the system reports no reason';
    if (isNews) this.#notice(`notifications do not appear (reported once): ${this.#problem}`);
  }
}
