import { TextButton } from '../ui/text-button.tsx';
import { useServices, useView } from '../services.ts';
import { everyLogLine } from '../format/log-choice.ts';
import type { LogQuery } from '../store/log-query.ts';
import type { LogSearchState } from './log-search.ts';
import type { LogWindowState } from './log-window.ts';
import styles from './log-view.module.css';

interface LogEmptyProps {
  readonly held: LogWindowState;
  readonly search: LogSearchState;
  /** Number of lines shown. */
  readonly shown: number;
  readonly query: LogQuery;
  readonly onQuery: (query: LogQuery) => void;
  readonly server: string | undefined;
}

/** Reason why a log shows no lines, with an action that helps. */
export function LogEmpty({ held, search, shown, query, onQuery, server }: LogEmptyProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  if (shown > 0 || held.problem !== undefined) return null;
  if (!held.isLoaded) return <p className={styles.empty}>Reading the logs…</p>;
  if (held.lines.length === 0) {
    if (Object.keys(query).length === 0) return <p className={styles.empty}>{nothingWords(server)}</p>;
    return (
      <p className={styles.empty}>
        No lines match these filters.{' '}
        <TextButton look="link" onClick={() => onQuery({})}>
          Show every line
        </TextButton>
      </p>
    );
  }
  if (!search.isDone || held.fetching !== undefined) return null;
  const { wraps, words: typed, isRegex } = choice;
  const words = typed.trim();
  return (
    <p className={styles.empty}>
      There is no line {isRegex ? `that matches /${words}/` : `with “${words}” in it`}
      {held.hasOlder ? ' among the newest. Enter searches the earlier ones.' : '.'}{' '}
      <TextButton look="link" onClick={() => view.setState({ logs: { ...everyLogLine, wraps } })}>
        Show all lines
      </TextButton>
    </p>
  );
}

const nothingWords = (server: string | undefined): string =>
  server === undefined
    ? 'Nothing has been logged yet. What servers write to stderr, their log messages, and each message of MCP appear here.'
    : 'This server has logged nothing yet. What it writes to stderr, its log messages, and each message of MCP appear here.';
