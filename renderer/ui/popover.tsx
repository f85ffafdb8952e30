import { useId, useRef, type ReactNode, type ToggleEvent } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface PopoverProps {
  /** Accessible name of the button and of its popover. */
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  readonly tip: string;
  readonly children: ReactNode;
}

const OPENER =
  'flex flex-none items-center gap-6 h-28 px-8 border border-strong-line rounded-md bg-input text-text ' +
  'whitespace-nowrap hover:bg-hover [&>svg]:text-dim';
const GAP_PX = 4;
const MARGIN_PX = 8;

/** Button that opens a popover with a few fields below it. The browser closes the popover on Escape and on a press outside. */
export function Popover({ name, label, icon, tip, children }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ newState, currentTarget }: ToggleEvent<HTMLDivElement>) => {
    const opener = button.current?.getBoundingClientRect();
    if (newState !== 'open' || opener === undefined) return;
    currentTarget.style.top = `${opener.bottom + GAP_PX}px`;
    const left = Math.min(opener.left, window.innerWidth - currentTarget.offsetWidth - MARGIN_PX);
    currentTarget.style.left = `${Math.max(left, MARGIN_PX)}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={OPENER}
        aria-label={name}
        aria-haspopup="dialog"
        data-tip={tip}
        popoverTarget={id}
      >
        <Icon name={icon} />
        <span>{label}</span>
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={name}
        className="pop fixed inset-auto min-w-176 m-0 p-12 text-text"
        onToggle={place}
      >
        {children}
      </div>
    </>
  );
}
