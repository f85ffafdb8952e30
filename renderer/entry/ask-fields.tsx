import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Ask } from '../../shared/asks.ts';
import { showHiddenCharacters } from '../../shared/hidden-characters.ts';
import { TextButton } from '../ui/text-button.tsx';
import { answerOf, askPath, isFromEnvironment, labelOf, placeWords, type Answers } from './answers.ts';
import type { Problems } from './raw-entry.ts';
import styles from './ask-fields.module.css';
import { ownValue } from '../../shared/own-value.ts';

interface AskFieldsProps {
  readonly asks: readonly Ask[];
  readonly answers: Answers;
  readonly onAnswer: (ask: string, value: string) => void;
  /** Problems by `askPath`. */
  readonly problems?: Problems;
  /** Accessible name of the group: "Values for github". */
  readonly name: string;
}

/** Fields for the values that an imported entry leaves open. Secrets are masked until revealed. */
export function AskFields({ asks, answers, problems = {}, onAnswer, name }: AskFieldsProps) {
  if (asks.length === 0) return null;
  return (
    <div className={styles.fields} role="group" aria-label={name}>
      {asks.map((ask) => (
        <AskField
          key={ask.id}
          ask={ask}
          answers={answers}
          problem={ownValue(problems, askPath(ask))}
          onChange={(value) => onAnswer(ask.id, value)}
        />
      ))}
    </div>
  );
}

interface AskFieldProps {
  readonly ask: Ask;
  readonly answers: Answers;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

function AskField({ ask, answers, problem, onChange }: AskFieldProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const [fieldId, hintId] = [useId(), useId()];
  const value = answerOf(ask, answers);
  const label = showHiddenCharacters(labelOf(ask));
  return (
    <div className={styles.field}>
      <label htmlFor={fieldId} className={styles.label}>
        {label}
      </label>
      <TextInput
        id={fieldId}
        size="xs"
        spellCheck={false}
        autoComplete="off"
        type={ask.secret && !isRevealed ? 'password' : 'text'}
        placeholder={showHiddenCharacters(ask.placeholder)}
        aria-describedby={hintId}
        error={problem !== undefined}
        classNames={{ input: styles.input ?? '' }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {ask.secret && value !== '' ? (
        <TextButton
          look="link"
          aria-label={`${isRevealed ? 'Hide' : 'Show'} ${label}`}
          onClick={() => setIsRevealed(!isRevealed)}
        >
          {isRevealed ? 'Hide' : 'Show'}
        </TextButton>
      ) : (
        <span />
      )}
      <span id={hintId} className={styles.hint}>
        {problem !== undefined && <span className={styles.problem}>{problem} </span>}
        {hintWords(ask, answers)}
      </span>
    </div>
  );
}

/** Hint with the place and the source of the value. */
function hintWords(ask: Ask, answers: Answers): string {
  const place = showHiddenCharacters(placeWords(ask));
  if (isFromEnvironment(ask, answers)) return `${place} · from your environment`;
  const isMissed = ask.variable !== undefined && ask.found === undefined && answerOf(ask, answers) === '';
  return isMissed ? `${place} · ${ask.variable} is not set in your environment` : place;
}
