import { useState } from 'react';
import { copyText } from './clipboard.ts';
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
  const isCopied = copied === text;
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
