import { TextButton } from './text-button.tsx';

interface RevealButtonProps {
  /** Whose values are revealed, for screen readers, for example "of github". */
  readonly of: string;
  readonly isRevealed: boolean;
  readonly onChange: (isRevealed: boolean) => void;
}

/** Button that shows masked values, and masks them again. */
export function RevealButton({ of, isRevealed, onChange }: RevealButtonProps) {
  const verb = isRevealed ? 'Hide' : 'Show';
  return (
    <TextButton look="link" aria-label={`${verb} the values ${of}`} onClick={() => onChange(!isRevealed)}>
      {verb} values
    </TextButton>
  );
}
