import { useState } from 'react';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  /** Text to copy, or a function that creates it on demand if that is expensive. */
  readonly text: string | (() => string);
  /** Accessible name of the button, for example "Copy the error". */
  readonly name: string;
  readonly label?: string;
}

/** Button that copies text and shows "copied" until the pointer or the focus leaves it. */
export function CopyButton({ text, name, label }: CopyButtonProps) {
  const [copied, setCopied] = useState<CopyButtonProps['text']>();
  // Two functions are not compared, because `text` may be a new function at each rendering even if the text that it creates is
  // the same.
  const isCopied = copied !== undefined && (typeof text === 'function' || copied === text);
  const forget = () => setCopied(undefined);
  return (
    <IconButton
      icon={isCopied ? 'done' : 'copy'}
      name={isCopied ? 'Copied' : name}
      {...(label !== undefined && { label: isCopied ? 'Copied' : label })}
      onClick={() =>
        void copyText(typeof text === 'string' ? text : text()).then((isDone) =>
          setCopied(() => (isDone ? text : undefined)),
        )
      }
      onPointerLeave={forget}
      onBlur={forget}
    />
  );
}

/** Copies text to the clipboard. Resolves with whether that succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Fallback: copying by selection needs no permission, and the app window grants none.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const holder = document.createElement('textarea');
  holder.value = text;
  holder.style.position = 'fixed';
  holder.style.opacity = '0';
  // The element is placed inside an open dialog, because nothing outside the dialog can be selected.
  (focused?.closest('dialog') ?? document.body).append(holder);
  holder.select();
  const isCopied = document.execCommand('copy');
  holder.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
