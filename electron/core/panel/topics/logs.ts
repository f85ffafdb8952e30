import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { logsCalls } from '../../../../shared/ipc/topics/logs.ts';
import type {
  LogContent,
  LogPage,
  LogPageQuery,
  LogSearch,
  LogSearchResult,
} from '../../../../shared/log-lines.ts';
import type { LogBook } from '../../logs/log-book.ts';

/** Lines of all servers and of the panel on one time axis. */
export class LogsTopic implements CallAnswers<typeof logsCalls> {
  readonly #book: LogBook;

  constructor(book: LogBook) {
    this.#book = book;
  }

  page(query: LogPageQuery): Promise<LogPage> {
    return this.#book.page(query);
  }

  find(search: LogSearch): Promise<LogSearchResult> {
    return this.#book.find(search);
  }

  /** Content of a message; undefined when it is no longer kept. */
  content(key: string): Promise<LogContent | undefined> {
    return this.#book.content(key);
  }
}
