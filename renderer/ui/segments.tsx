import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';

interface SegmentsProps<Value extends string> {
  /** Accessible name of the group. */
  readonly name: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: ReactNode }[];
  readonly onChange: (value: Value) => void;
  readonly isWide?: boolean;
}

/** Control to choose one of a few options, all of which are visible. */
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
        root: 'p-2 bg-line [--sc-color:var(--thumb)]',
        label: 'caption px-8 py-4 hover:text-text data-active:text-text',
        indicator: 'shadow-none',
      }}
      withItemsBorders={false}
      // No transition, because a sliding marker would lag behind the choice.
      transitionDuration={0}
      value={value}
      onChange={onChange}
      data={[...choices]}
    />
  );
}
