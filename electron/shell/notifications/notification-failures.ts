/** What of a notification tells whether it appeared. */
export interface WatchedNotification {
  on(event: 'show', listener: () => void): unknown;
  on(event: 'failed', listener: (event: unknown, error: string) => void): unknown;
}

/** Remembers whether the system shows our notifications, and tells once when it does not. */
export class NotificationFailures {
  readonly #notice: (line: string) => void;
  #problem: string | undefined;

  constructor(notice: (line: string) => void) {
    this.#notice = notice;
  }

  /** Why the latest notification did not appear. Undefined before the first, and once one has. */
  get problem(): string | undefined {
    return this.#problem;
  }

  watch(notification: WatchedNotification): void {
    notification.on('show', () => (this.#problem = undefined));
    notification.on('failed', (_event, error) => this.#failed(error));
  }

  #failed(error: string): void {
    const isNews = this.#problem === undefined;
    this.#problem = error || 'the system gives no reason';
    if (isNews) this.#notice(`notifications do not appear, and this is told once: ${this.#problem}`);
  }
}
