import { useState } from 'react';
import type { ShownLine } from '../format/log-lines.ts';
import { copyText } from '../ui/clipboard.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { asText } from './line-selection.ts';

interface CopyLinesButtonProps {
  readonly lines: readonly ShownLine[];
  /** Whether all lines belong to one server. */
  readonly isOfOne: boolean;
  /** Name of the button: "Copy all lines". */
  readonly name: string;
}

/** Button that copies the lines present at the press. It shows "copied" until the pointer or the focus leaves. */
export function CopyLinesButton({ lines, isOfOne, name }: CopyLinesButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const forget = () => setCopied(false);
  return (
    <IconButton
      icon={isCopied ? 'done' : 'copy'}
      name={isCopied ? 'Copied' : name}
      onClick={() => void copyText(asText(lines, isOfOne)).then(setCopied)}
      onPointerLeave={forget}
      onBlur={forget}
    />
  );
}
