import type { OutputLine } from '../../../../shared/domain.ts';
import type { Answers } from '../../../../shared/ipc/call.ts';
import type { logsCalls } from '../../../../shared/ipc/topics/logs.ts';
import type {
  LogLine,
  LogPage,
  LogPageQuery,
  LogSearch,
  LogSearchResult,
} from '../../../../shared/log-lines.ts';

export interface LogsTopicOptions {
  readonly servers: () => readonly string[];
  readonly output: (server: string) => readonly OutputLine[];
}

/** Lines of all servers on one time axis. */
export class LogsTopic implements Answers<typeof logsCalls> {
  readonly #options: LogsTopicOptions;

  constructor(options: LogsTopicOptions) {
    this.#options = options;
  }

  page({ filter, beside, limit }: LogPageQuery): LogPage {
    const all = this.#lines(filter.servers);
    const found = all.findIndex(({ key }) => key === beside?.key);
    const at = found === -1 ? all.length : found;
    const part = beside?.side === 'newer' ? all.slice(at + 1) : all.slice(0, at);
    const lines = beside?.side === 'newer' ? part.slice(0, limit) : part.slice(-limit);
    return { lines, hasMore: lines.length < part.length };
  }

  find({ filter, text, key, side }: LogSearch): LogSearchResult {
    const all = this.#lines(filter.servers);
    const ordered = side === 'older' ? all.toReversed() : all;
    const after = ordered.slice(ordered.findIndex((line) => line.key === key) + 1);
    const hit = after.find((line) => line.text.toLowerCase().includes(text.toLowerCase()));
    return { ...(hit && { hit }), scannedLines: after.length };
  }

  content(): undefined {
    return undefined;
  }

  #lines(servers = this.#options.servers()): LogLine[] {
    return servers
      .flatMap((server) =>
        this.#options.output(server).map(({ id, at, generation, text }) => ({
          key: `${server}/${id}`,
          at,
          server,
          source: 'stderr' as const,
          generation,
          text,
        })),
      )
      .sort((a, b) => a.at - b.at);
  }
}
