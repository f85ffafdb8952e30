import { Highlight } from '@mantine/core';
import { memo, useEffect, useMemo, useState } from 'react';
import type { OutputLine } from '../../shared/domain.ts';
import { shortcutLabels } from '../keyboard.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { FollowingScroll } from '../ui/following-scroll.tsx';
import { formatClockTime, formatDay, formatMoment } from '../format/moments.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { toPlainText } from '../format/plain-text.ts';
import { useOutput, useServices } from '../services.ts';
import styles from './server-logs.module.css';

/** Output of a server on stderr, live, over its last runs. */
export function ServerLogs({ name }: { readonly name: string }) {
  const { output } = useServices();
  useEffect(() => output.follow(name), [output, name]);
  const earlier = useOutput((state) => (state.server === name ? state.earlier : undefined));
  const ofNow = useOutput((state) => (state.server === name ? state.lines : none));
  const isLoaded = useOutput((state) => state.isLoaded) && earlier !== undefined;
  const all = useMemo(() => [...(earlier ?? none), ...ofNow], [earlier, ofNow]);
  const [words, setWords] = useState('');
  const search = words.trim().toLowerCase();
  const lines = useMemo(
    () => (search === '' ? all : all.filter(({ text }) => toPlainText(text).toLowerCase().includes(search))),
    [all, search],
  );
  return (
    <section className={styles.logs}>
      <div className={styles.bar}>
        <h2>{headline(lines.length, all.length)}</h2>
        <span className={styles.tools}>
          <SearchField
            name="Search the logs"
            shortcut={shortcutLabels.search}
            words={words}
            onChange={setWords}
            width="200px"
          />
          {lines.length > 0 && (
            <CopyButton
              name={lines.length === all.length ? 'Copy all lines' : 'Copy the lines found'}
              text={asText(lines)}
            />
          )}
        </span>
      </div>
      <FollowingScroll name="Logs" content={lines} filter={search}>
        {isLoaded && all.length === 0 && (
          <p className={styles.empty}>
            This server has written nothing to stderr. Servers log there, since stdout belongs to the
            protocol.
          </p>
        )}
        {all.length > 0 && lines.length === 0 && (
          <p className={styles.empty}>No line has “{words.trim()}” in it.</p>
        )}
        <ol>
          {lines.map((line, index) => {
            const words = dividerBefore(line, lines[index - 1]);
            return [
              words !== undefined && (
                <li key={`run-${line.id}`} className={styles.run}>
                  {words}
                </li>
              ),
              <Line key={line.id} line={line} search={search} />,
            ];
          })}
        </ol>
      </FollowingScroll>
    </section>
  );
}

/**
 * Divider before the first line of a run, which tells the run and the launch of the panel; undefined within a
 * run.
 */
function dividerBefore(line: OutputLine, before: OutputLine | undefined): string | undefined {
  const isEarlier = line.id <= 0;
  const isEdge = before === undefined ? isEarlier : isEarlier !== before.id <= 0;
  if (!isEdge && line.generation === before?.generation) return undefined;
  const day = formatDay(line.at);
  const isOtherDay = isEarlier && (before === undefined || formatDay(before.at) !== day);
  const words = [
    ...(isEdge ? [isEarlier ? 'Earlier launches' : 'This launch'] : []),
    ...(isOtherDay ? [day] : []),
    `Generation ${line.generation}`,
  ];
  return words.join(' · ');
}

function headline(shown: number, all: number): string {
  if (all === 0) return 'stderr';
  if (shown === all) return `stderr, ${formatPlural(all, 'line')}`;
  return `stderr, ${formatCount(shown)} of ${formatPlural(all, 'line')}`;
}

const none: readonly OutputLine[] = [];

const Line = memo(function Line({ line, search }: { readonly line: OutputLine; readonly search: string }) {
  const text = toPlainText(line.text);
  return (
    <li className={styles.line} data-anchor={line.id}>
      <time className={styles.time} data-tip={formatMoment(line.at)}>
        {formatClockTime(line.at)}
      </time>
      {search === '' ? (
        <span className={styles.text}>{text}</span>
      ) : (
        <Highlight
          component="span"
          className={styles.text ?? ''}
          highlight={search}
          highlightStyles={hitStyle}
        >
          {text}
        </Highlight>
      )}
    </li>
  );
});

const hitStyle = { background: 'var(--hit)', color: 'inherit', borderRadius: 2 };

const asText = (lines: readonly OutputLine[]): string =>
  lines.map((line) => `${formatMoment(line.at)} ${toPlainText(line.text)}`).join('\n');
