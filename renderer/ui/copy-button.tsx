import { useState } from 'react';
import { IconButton } from './icon-button.tsx';

interface CopyButtonProps {
  /** Text, or a function that creates it on demand if that is expensive. */
  readonly text: string | (() => string);
  /** Name of the button: "Copy the error". */
  readonly name: string;
  readonly label?: string;
}

/** Button that copies text and shows "copied" until the pointer or the focus leaves. */
export function CopyButton({ text, name, label }: CopyButtonProps) {
  const [copied, setCopied] = useState<CopyButtonProps['text']>();
  // A function may be another one at each rendering, so that only a text tells that there is something else to copy.
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

/** Copies text to the clipboard; resolves with whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Copying by selection is the fallback, because it needs no permission, and the app window grants none.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const holder = document.createElement('textarea');
  holder.value = text;
  holder.style.position = 'fixed';
  holder.style.opacity = '0';
  // The element is placed within an open dialog, because nothing outside it can be selected.
  (focused?.closest('dialog') ?? document.body).append(holder);
  holder.select();
  const isCopied = document.execCommand('copy');
  holder.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
