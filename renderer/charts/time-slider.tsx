import type { KeyboardEvent } from 'react';
import { NOT_IN_PICTURES } from './dom-picture.ts';
import type { TimeWindow } from './downsample.ts';
import styles from './time-slider.module.css';

interface TimeSliderProps {
  /** Accessible name. */
  readonly name: string;
  readonly window: TimeWindow;
  /** Where the cursor stands; undefined while it is not placed. */
  readonly at: number | undefined;
  /** What is shown there. */
  readonly words: string;
  /** The keys in words, shown while it has the focus. */
  readonly keys?: string;
  /** A key that was pressed without Ctrl, Cmd or Alt. */
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onBlur: () => void;
}

/**
 * Cursor of charts for the keyboard: a slider over time whose value is what they show there, which a screen reader tells at
 * every move.
 */
export function TimeSlider({ name, window, at, words, keys, onKey, onBlur }: TimeSliderProps) {
  return (
    <div
      role="slider"
      {...{ [NOT_IN_PICTURES]: '' }}
      tabIndex={0}
      className={styles.control}
      aria-label={name}
      aria-valuemin={Math.round(window.from)}
      aria-valuemax={Math.round(window.to)}
      aria-valuenow={Math.round(at ?? window.to)}
      aria-valuetext={at === undefined ? 'not placed' : words}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey) onKey(event);
      }}
      onBlur={onBlur}
    >
      {keys !== undefined && (
        <span className={styles.keys} aria-hidden="true">
          {keys}
        </span>
      )}
    </div>
  );
}
