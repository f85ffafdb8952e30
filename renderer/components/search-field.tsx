import { TextInput } from '@mantine/core';
import { shortcutLabels } from '../keyboard.ts';
import { useServices, useView } from '../store/services.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

/** Marks the field that the search shortcut focuses. */
export const SEARCH_FIELD_ID = 'search';

/** Narrows the servers shown, by name, state or command. */
export function SearchField() {
  const { view } = useServices();
  const search = useView((state) => state.search);
  const setSearch = (words: string) => view.setState({ search: words });
  return (
    <TextInput
      id={SEARCH_FIELD_ID}
      size="xs"
      w="clamp(140px, 17vw, 220px)"
      aria-label="Search servers"
      placeholder={`Search  ${shortcutLabels.search}`}
      leftSection={<Icon name="search" size={14} />}
      rightSection={
        search !== '' && <IconButton icon="close" name="Clear the search" onClick={() => setSearch('')} />
      }
      value={search}
      onChange={(event) => setSearch(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown')
          document.querySelector<HTMLElement>('[role="row"] [data-home]')?.focus();
      }}
      spellCheck={false}
    />
  );
}
