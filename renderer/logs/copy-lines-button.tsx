import { useState } from 'react';
import type { ShownLine } from '../format/log-lines.ts';
import { copyText } from '../ui/clipboard.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { asText } from './line-selection.ts';

interface CopyLinesButtonProps {
  readonly lines: readonly ShownLine[];
  /** Whether all lines are of one server. */
  readonly isOfOne: boolean;
  /** Name of the button: "Copy all lines". */
  readonly name: string;
}

/** Button that copies lines as they are at the press; it says so until the pointer or the focus leaves. */
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
