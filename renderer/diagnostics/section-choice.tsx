import { useId, useState } from 'react';
import type { DiagnosticsSection } from '../../shared/diagnostics.ts';
import { formatPlural } from '../format/figures.ts';
import { CheckField } from '../ui/check-field.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatSize } from './format-size.ts';
import styles from './diagnostics-dialog.module.css';

interface SectionChoiceProps {
  readonly section: DiagnosticsSection;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

/** Section of the diagnostics: whether it is included, its size, and its text. */
export function SectionChoice({ section: { title, text }, isChosen, onToggle }: SectionChoiceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const textId = useId();
  const lineCount = text === '' ? 0 : text.split('\n').length;
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.row}>
        <CheckField label={title} isChecked={isChosen} onChange={onToggle} />
        <span className={styles.size}>
          {formatPlural(lineCount, 'line')}, {formatSize(text.length)}
        </span>
        <TextButton
          look="link"
          aria-expanded={isOpen}
          aria-controls={textId}
          aria-label={`${isOpen ? 'Hide' : 'Show'} ${title}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide' : 'Show'}
        </TextButton>
      </div>
      {isOpen && (
        <pre id={textId} className={styles.text} tabIndex={0} aria-label={`Text of ${title}`} role="region">
          {text === '' ? 'Nothing.' : text}
        </pre>
      )}
    </section>
  );
}
