import { IconButton } from '../ui/icon-button.tsx';
import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';

/** Button that opens the menu of a server. */
export function MoreButton({ server }: { readonly server: string }) {
  const { manage } = useServices();
  const isOpen = useStore(manage.state, ({ menu }) => menu?.server === server);
  return (
    <IconButton
      icon="dots"
      name={`More for ${server}`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      data-control="more"
      onClick={(event) => {
        const { right, top, bottom } = event.currentTarget.getBoundingClientRect();
        event.currentTarget.focus();
        manage.setMenu(isOpen ? undefined : { server, right, top, bottom });
      }}
    />
  );
}
