import { memo, useEffect } from 'react';
import type { OutputLine } from '../../shared/domain.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { FollowingScroll } from '../components/following-scroll.tsx';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { formatPlural } from '../format/figures.ts';
import { toPlainText } from '../format/plain-text.ts';
import { useOutput, useServices } from '../store/services.ts';
import styles from './server-logs.module.css';

/** What a server wrote to stderr, live, over its last runs. */
export function ServerLogs({ name }: { readonly name: string }) {
  const { output } = useServices();
  useEffect(() => output.follow(name), [output, name]);
  const lines = useOutput((state) => (state.server === name ? state.lines : none));
  const isLoaded = useOutput((state) => state.isLoaded);
  return (
    <section className={styles.logs}>
      <div className={styles.bar}>
        <h2>{lines.length === 0 ? 'stderr' : `stderr, ${formatPlural(lines.length, 'line')}`}</h2>
        {lines.length > 0 && <CopyButton name="Copy all lines" text={asText(lines)} />}
      </div>
      <FollowingScroll name="Logs" content={lines}>
        {isLoaded && lines.length === 0 && (
          <p className={styles.empty}>
            This server has written nothing to stderr. Servers log there, since stdout belongs to the
            protocol.
          </p>
        )}
        <ol>
          {lines.map((line, index) => {
            const isNewRun = line.generation !== lines[index - 1]?.generation;
            return [
              isNewRun && (
                <li key={`run-${line.id}`} className={styles.run}>
                  Generation {line.generation}
                </li>
              ),
              <Line key={line.id} line={line} />,
            ];
          })}
        </ol>
      </FollowingScroll>
    </section>
  );
}

const none: readonly OutputLine[] = [];

const Line = memo(function Line({ line }: { readonly line: OutputLine }) {
  return (
    <li className={styles.line}>
      <time className={styles.time} data-tip={formatMoment(line.at)}>
        {formatClockTime(line.at)}
      </time>
      <span className={styles.text}>{toPlainText(line.text)}</span>
    </li>
  );
});

const asText = (lines: readonly OutputLine[]): string =>
  lines.map((line) => `${formatMoment(line.at)} ${toPlainText(line.text)}`).join('\n');
