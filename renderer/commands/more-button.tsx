import { IconButton } from '../ui/icon-button.tsx';
import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';

/** Button that opens the menu of a server. */
export function MoreButton({ server }: { readonly server: string }) {
  const { manage } = useServices();
  const isOpen = useStore(
    manage.state,
    ({ menu }) => menu !== undefined && !('at' in menu.of) && menu.of.server === server,
  );
  return (
    <IconButton
      icon="dots"
      name={`More for ${server}`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      data-control="more"
      onClick={(event) => {
        event.currentTarget.focus();
        const box = event.currentTarget.getBoundingClientRect();
        manage.setMenu(isOpen ? undefined : { of: { server }, box });
      }}
    />
  );
}
