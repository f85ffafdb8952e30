import { IconButton } from '../ui/icon-button.tsx';
import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';
import type { OpenedMenu } from '../store/manage-store.ts';

interface MenuButtonProps {
  readonly of: OpenedMenu['of'];
  readonly name: string;
  readonly label?: string;
  readonly 'data-control'?: string;
}

/** Button that opens or closes the menu of a server or of a moment. */
export function MenuButton({ of, ...looks }: MenuButtonProps) {
  const { manage } = useServices();
  const isOpen = useStore(manage.state, ({ menu }) => menu !== undefined && keyOf(menu.of) === keyOf(of));
  return (
    <IconButton
      icon="dots"
      {...looks}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={({ currentTarget }) => {
        currentTarget.focus();
        manage.setMenu(isOpen ? undefined : { of, box: currentTarget.getBoundingClientRect() });
      }}
    />
  );
}

const keyOf = (of: OpenedMenu['of']): string | number => ('at' in of ? of.at : of.server);

export const MoreButton = ({ server }: { readonly server: string }) => (
  <MenuButton of={{ server }} name={`More for ${server}`} data-control="more" />
);
