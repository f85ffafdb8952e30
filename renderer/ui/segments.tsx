import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** Accessible name of the group. */
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onChange: (value: Value) => void;
  readonly isWide?: boolean;
}

/** Control for a choice among a few options, all of them visible. */
export function Segments<Value extends string>({
  name,
  value,
  choices,
  onChange,
  isWide = false,
}: SegmentsProps<Value>) {
  return (
    <SegmentedControl
      size="xs"
      fullWidth={isWide}
      aria-label={name}
      classNames={{
        root: styles.root ?? '',
        label: `${styles.label} caption`,
        indicator: styles.indicator ?? '',
      }}
      withItemsBorders={false}
      // No transition, because a sliding mark would lag behind the choice.
      transitionDuration={0}
      value={value}
      onChange={onChange}
      data={[...choices]}
    />
  );
}
