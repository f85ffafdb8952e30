import type { ReactNode } from 'react';
import { everyLogLine } from '../format/log-choice.ts';
import { usePanel, useServices, useView } from '../services.ts';
import type { LogQuery } from '../store/log-query.ts';
import { initialSpan } from '../store/span-choice.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { LogBar } from './log-bar.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogList } from './log-list.tsx';
import { LogStatus } from './log-status.tsx';
import { type ShownLog, useShownLog } from './use-shown-log.ts';

interface LogViewProps {
  readonly query: LogQuery;
  readonly onQuery: (query: LogQuery) => void;
  /** Server whose page shows the log; absent if all servers are shown. */
  readonly server?: string | undefined;
  /** Heading of the view. */
  readonly children?: ReactNode;
}

/** View of the live log lines of one server or of all servers, with filters, search, selection and copying. */
export function LogView({ query, onQuery, server, children }: LogViewProps) {
  const names = usePanel((state) => state.names);
  const shown = useShownLog(query, server);
  const { problem } = shown.held;
  return (
    <section
      className="flex flex-col flex-[1_0_240px] min-h-0"
      aria-label={server === undefined ? 'Logs of all servers' : `Logs of ${server}`}
    >
      <LogBar shown={shown}>{children}</LogBar>
      <LogFilters query={query} onQuery={onQuery} server={server} names={names} />
      {problem !== undefined && <ErrorNote error={problem} server={server ?? ''} lead="Logs" />}
      <LogStatus shown={shown} />
      <LogList shown={shown}>
        <LogEmpty {...{ shown, query, onQuery, server }} />
      </LogList>
    </section>
  );
}

interface LogEmptyProps extends Pick<LogViewProps, 'query' | 'onQuery' | 'server'> {
  readonly shown: ShownLog;
}

/** Message in a log without lines that explains why it is empty, with a button that helps. */
function LogEmpty({ shown: { held, search, lines }, query, onQuery, server }: LogEmptyProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  const isTimed = useView(({ span }) => span.choice.kind === 'still' || span.choice.spanMs !== undefined);
  if (lines.length > 0 || held.problem !== undefined) return null;
  if (!held.isLoaded) return <Empty>Reading the logs…</Empty>;
  if (held.lines.length === 0) {
    if (Object.keys(query).length === 0 && !isTimed) return <Empty>{nothingWords(server)}</Empty>;
    return (
      <Empty>
        No lines match these filters.{' '}
        <TextButton
          look="link"
          onClick={() => {
            view.setState({ span: initialSpan, pinnedAt: undefined });
            onQuery({});
          }}
        >
          Show every line
        </TextButton>
      </Empty>
    );
  }
  if (!search.isDone || held.fetching !== undefined) return null;
  const { wraps, words: typed, isRegex } = choice;
  const words = typed.trim();
  return (
    <Empty>
      There is no line {isRegex ? `that matches /${words}/` : `with “${words}” in it`}
      {held.hasOlder ? ' among the newest. Enter searches the earlier ones.' : '.'}{' '}
      <TextButton look="link" onClick={() => view.setState({ logs: { ...everyLogLine, wraps } })}>
        Show all lines
      </TextButton>
    </Empty>
  );
}

const Empty = ({ children }: { readonly children: ReactNode }) => (
  <p className="py-8 px-16 text-dim">{children}</p>
);

const nothingWords = (server: string | undefined): string =>
  server === undefined
    ? 'Nothing has been logged yet. What servers write to stderr, their log messages, and each message of MCP appear here.'
    : 'This server has logged nothing yet. What it writes to stderr, its log messages, and each message of MCP appear here.';
