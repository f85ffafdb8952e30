import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { TextButton } from './text-button.tsx';

interface QuestionProps {
  readonly title: string;
  /** Words of the button that leaves everything as it is. It has the focus first. */
  readonly no: string;
  readonly yes: string;
  /** Look of a yes: by default of one that loses something. */
  readonly look?: 'danger' | 'main';
  /** Whether the yes was given and is being done. */
  readonly isBusy?: boolean;
  readonly onNo: () => void;
  readonly onYes: () => void;
  /** What a yes means. */
  readonly children: ReactNode;
}

/** Question in a small dialog. Escape and the cross are a no. */
export function Question({
  title,
  no,
  yes,
  look = 'danger',
  isBusy = false,
  onNo,
  onYes,
  children,
}: QuestionProps) {
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onNo}
      foot={
        <>
          <TextButton data-autofocus onClick={onNo}>
            {no}
          </TextButton>
          <TextButton look={look} isBusy={isBusy} onClick={onYes}>
            {yes}
          </TextButton>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
