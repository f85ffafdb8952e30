import { useState } from 'react';
import { answerOf, unanswered, type Answers } from '../entry/answers.ts';
import { AskFields } from '../entry/ask-fields.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { EntryTexts } from './entry-texts.tsx';
import type { Decision, MovePlan } from './move-plan.ts';
import styles from './client-dialog.module.css';

interface MoveQuestionProps {
  readonly server: MovePlan['left'][number];
  /** Name of the program. */
  readonly program: string;
  readonly onDecide: (decision: Decision) => void;
}

/** Asks what an entry leaves open, and which of two definitions is meant. Without an answer a server stays where it is. */
export function MoveQuestion({ server, program, onDecide }: MoveQuestionProps) {
  const { name, scope, asks = [], twin } = server;
  const [answers, setAnswers] = useState<Answers>({});
  const given = {
    ...server.answers,
    ...Object.fromEntries(asks.map((ask) => [ask.id, answerOf(ask, answers)])),
  };
  const take = (as = server.as) => onDecide({ server, answers: given, as, use: undefined });
  const isOpen = unanswered(asks, answers).length > 0;
  return (
    <div className={styles.question} role="group" aria-label={`What to do with ${name}`}>
      <EntryTexts
        server={name}
        scope={scope}
        texts={twin === undefined ? {} : { 'In the panel': twin.here, [`In ${program}`]: twin.there }}
      >
        <p>
          {twin !== undefined && 'The panel has another server of this name. '}
          {asks.length > 0 && 'Its entry leaves values open, which servers.json will keep. '}
          Without an answer, {name} stays as it is in {program}.
        </p>
      </EntryTexts>
      <AskFields
        name={`Values for ${name}`}
        asks={asks}
        answers={answers}
        onAnswer={(ask, value) => setAnswers({ ...answers, [ask]: value })}
      />
      <div className={styles.answers}>
        {twin === undefined ? (
          <TextButton disabled={isOpen} onClick={() => take()}>
            Use these values
          </TextButton>
        ) : (
          <>
            <TextButton onClick={() => onDecide({ server, as: undefined, use: 'panel' })}>
              Use the panel’s definition
            </TextButton>
            <TextButton disabled={isOpen} onClick={() => take(twin.freeName)}>
              Take this one as {twin.freeName}
            </TextButton>
          </>
        )}
      </div>
    </div>
  );
}
