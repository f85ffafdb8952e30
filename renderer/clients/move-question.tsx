import { TextButton } from '../ui/text-button.tsx';
import { EntryTexts } from './entry-texts.tsx';
import type { Decision, MovePlan } from './move-plan.ts';
import styles from './client-dialog.module.css';

type Left = MovePlan['left'][number];

interface MoveQuestionProps {
  readonly server: Left;
  readonly twin: NonNullable<Left['twin']>;
  /** Name of the program. */
  readonly program: string;
  readonly onDecide: (decision: Decision) => void;
}

/** Asks which of two definitions is meant. A server without an answer stays where it is. */
export function MoveQuestion({ server, twin, program, onDecide }: MoveQuestionProps) {
  const { name, scope } = server;
  const { freeName, here, there } = twin;
  return (
    <div className={styles.question} role="group" aria-label={`What to do with ${name}`}>
      <EntryTexts server={name} scope={scope} texts={{ 'In the panel': here, [`In ${program}`]: there }}>
        <p>
          The panel has another server of this name. Without an answer, {name} stays as it is in {program}.
        </p>
      </EntryTexts>
      <div className={styles.answers}>
        <TextButton onClick={() => onDecide({ server, as: undefined, use: 'panel' })}>
          Use the panel’s definition
        </TextButton>
        <TextButton onClick={() => onDecide({ server, as: freeName, use: undefined })}>
          Take this one as {freeName}
        </TextButton>
      </div>
    </div>
  );
}
