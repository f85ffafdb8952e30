import { TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

interface SearchFieldProps {
  /** Accessible name, which says what is searched. */
  readonly name: string;
  readonly words: string;
  /** Shortcut of the field, shown while it is empty. */
  readonly shortcut: string;
  readonly onChange: (words: string) => void;
  /** Called on ArrowDown, to move to the first result. */
  readonly onDown?: () => void;
  readonly width?: string;
}

/** Search field of a view. The search shortcut focuses it. Escape clears it and removes the focus from it. */
export function SearchField({ name, words, shortcut, onChange, onDown, width }: SearchFieldProps) {
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') onDown?.();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onChange('');
    event.currentTarget.blur();
  };
  return (
    <TextInput
      data-search
      size="xs"
      {...(width === undefined ? { flex: 1 } : { w: width })}
      aria-label={name}
      placeholder={`Search  ${shortcut}`}
      leftSection={<Icon name="search" size={14} />}
      rightSection={
        words !== '' && <IconButton icon="close" name="Clear the search" onClick={() => onChange('')} />
      }
      value={words}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={press}
      spellCheck={false}
    />
  );
}

/** Search field on the page; null if there is none. */
export const searchField = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-search]');
