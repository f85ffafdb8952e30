import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { TextButton } from './text-button.tsx';

interface QuestionProps {
  readonly title: string;
  /** Label of the button that changes nothing. It has the initial focus. */
  readonly no: string;
  readonly yes: string;
  /** Look of the confirm button; by default that of a destructive action. */
  readonly look?: 'danger' | 'main';
  /** Whether the confirmed action is running. */
  readonly isBusy?: boolean;
  readonly onNo: () => void;
  readonly onYes: () => void;
  /** Description of what the confirm button does. */
  readonly children: ReactNode;
}

/** Question in a small dialog. Escape and the close button have the same effect as the button that changes nothing. */
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
