import { TextButton } from '../ui/text-button.tsx';
import { useServices, useView } from '../services.ts';
import { everyLogLine } from '../format/log-choice.ts';
import { levelNames } from './level-names.ts';
import styles from './server-logs.module.css';

interface LogEmptyProps {
  /** Number of all lines, and of those shown. */
  readonly all: number;
  readonly shown: number;
  /** Whether all lines are known, and searched. */
  readonly isLoaded: boolean;
}

/** Why a log is empty, and the way out. */
export function LogEmpty({ all, shown, isLoaded }: LogEmptyProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  if (!isLoaded || shown > 0) return null;
  if (all === 0) {
    return (
      <p className={styles.empty}>
        This server has written nothing to stderr. Servers log there, since stdout belongs to the protocol.
      </p>
    );
  }
  const words = choice.words.trim();
  const level = choice.leastLevel === undefined ? '' : ` of level “${levelNames[choice.leastLevel]}”`;
  const what = words === '' ? '' : choice.isRegex ? ` that matches /${words}/` : ` with “${words}” in it`;
  const { wraps } = choice;
  return (
    <p className={styles.empty}>
      There is no line{level}
      {what}.{' '}
      <TextButton look="link" onClick={() => view.setState({ logs: { ...everyLogLine, wraps } })}>
        Show all lines
      </TextButton>
    </p>
  );
}
