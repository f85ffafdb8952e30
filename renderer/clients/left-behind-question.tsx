import { useState } from 'react';
import type { LeftTreeView } from '../../shared/ipc/topics/left-behind.ts';
import { formatPlural } from '../format/figures.ts';
import { processCount, treeLine } from '../format/left-behind-text.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Question } from '../ui/question.tsx';
import styles from './left-behind.module.css';

interface LeftBehindQuestionProps {
  readonly asked: readonly LeftTreeView[];
  readonly isBusy: boolean;
  readonly onNo: () => void;
  readonly onYes: (chosen: readonly LeftTreeView[]) => void;
}

/** Question before trees are ended: lists them. One that listens has to be ticked, unless it is the only one that was asked for. */
export function LeftBehindQuestion({ asked, isBusy, onNo, onYes }: LeftBehindQuestionProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const isOne = asked.length === 1;
  const hasTick = ({ listens }: LeftTreeView) => listens && !isOne;
  const chosen = asked.filter((tree) => !hasTick(tree) || ticked.has(tree.id));
  const count = formatPlural(processCount(chosen), 'process', 'processes');
  const toggle = (id: string) => {
    const others = [...ticked].filter((other) => other !== id);
    setTicked(new Set(ticked.has(id) ? others : [...others, id]));
  };
  return (
    <Question
      title={`End ${count}?`}
      no="Keep them"
      yes={`End ${count}`}
      isBusy={isBusy}
      onNo={onNo}
      onYes={() => onYes(chosen)}
    >
      <ul className={styles.asked} aria-label="What is ended">
        {asked
          .filter((tree) => !hasTick(tree))
          .map((tree) => (
            <li key={tree.id}>{treeLine(tree)}</li>
          ))}
      </ul>
      {asked.filter(hasTick).map((tree) => (
        <CheckField
          key={tree.id}
          label={`Also ${treeLine(tree)}`}
          hint="Other programs may come to its port or socket."
          isChecked={ticked.has(tree.id)}
          onChange={() => toggle(tree.id)}
        />
      ))}
      <p className={styles.words}>
        {isOne && asked[0]?.listens === true && 'Other programs may come to its port or socket. '}
        Their client is gone: nobody can read what they say. The panel looks again first, and leaves what is
        in use. Each process is asked to end, and ended by force after two seconds.
      </p>
    </Question>
  );
}
