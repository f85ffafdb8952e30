import type { Ask } from '../../shared/manage.ts';
import { showHiddenCharacters } from '../../shared/hidden-characters.ts';
import { MaskedField } from '../ui/masked-field.tsx';
import { answerOf, askPath, isFromEnvironment, labelOf, placeWords, type Answers } from './answers.ts';
import type { Problems } from './raw-entry.ts';
import { ownValue } from '../../shared/own-value.ts';

interface AskFieldsProps {
  readonly asks: readonly Ask[];
  readonly answers: Answers;
  readonly onAnswer: (ask: string, value: string) => void;
  /** Problems of the answers, keyed by `askPath`. */
  readonly problems?: Problems;
  /** Accessible name of the group: "Values for github". */
  readonly name: string;
}

/** Fields for the values that an imported entry does not contain. Secrets are masked until the user reveals them. */
export function AskFields({ asks, answers, problems = {}, onAnswer, name }: AskFieldsProps) {
  if (asks.length === 0) return null;
  return (
    <div role="group" aria-label={name}>
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
  return (
    <MaskedField
      label={showHiddenCharacters(labelOf(ask))}
      placeholder={showHiddenCharacters(ask.placeholder)}
      hint={hintWords(ask, answers)}
      problem={problem}
      isSecret={ask.secret}
      value={answerOf(ask, answers)}
      onChange={onChange}
    />
  );
}

/** Hint that says where in the entry the value goes and where it was found. */
function hintWords(ask: Ask, answers: Answers): string {
  const place = showHiddenCharacters(placeWords(ask));
  if (isFromEnvironment(ask, answers)) return `${place} · from your environment`;
  const isMissed = ask.variable !== undefined && ask.found === undefined && answerOf(ask, answers) === '';
  return isMissed ? `${place} · ${ask.variable} is not set in your environment` : place;
}
