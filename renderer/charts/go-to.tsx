import { useEffect, useRef, useState } from 'react';
import { useServices } from '../services.ts';
import { zoomAround } from '../store/span-choice.ts';
import styles from './span-bar.module.css';

const HINT = 'Such as 03:10, yesterday 14:00 or 22 Nov 3pm, in the time of this machine  G';

/** Field for a moment: it is shown with half an hour on either side, and pinned. The key G leads to it. */
export function GoTo() {
  const { clock, view } = useServices();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const isTyping =
        target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
      if (key.toLowerCase() !== 'g' || !isPlain || isTyping || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const go = async () => {
    // The library knows many ways to write a date, and is loaded when one is written.
    const { parseMoment } = await import('../format/parse-moment.ts');
    const { now } = clock.getState();
    const at = parseMoment(words.trim(), now);
    setUnknown(at === undefined);
    if (at === undefined) return;
    view.setState(({ span }) => ({
      span: zoomAround(span, at, now),
      pinnedAt: at,
    }));
    setWords('');
  };
  return (
    <input
      ref={field}
      className={styles.goTo}
      aria-label="Go to a time"
      placeholder="Go to…"
      data-tip={HINT}
      aria-invalid={isUnknown}
      spellCheck={false}
      value={words}
      onChange={({ currentTarget }) => {
        setWords(currentTarget.value);
        setUnknown(false);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void go();
        if (event.key === 'Escape') event.currentTarget.blur();
        if (event.key === 'Enter' || event.key === 'Escape') event.stopPropagation();
      }}
    />
  );
}
