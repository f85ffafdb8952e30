import { useState } from 'react';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextButton } from '../ui/text-button.tsx';

interface DestructiveQuestionProps {
  readonly name: string;
  readonly onNo: () => void;
  /** Called with whether later calls of this tool need no confirmation. */
  readonly onYes: (isTrusted: boolean) => void;
}

/** Confirmation before a call of a tool that its server marks as destructive. */
export function DestructiveQuestion({ name, onNo, onYes }: DestructiveQuestionProps) {
  const [isTrusted, setTrusted] = useState(false);
  const yes = () => onYes(isTrusted);
  return (
    <Dialog
      title={`Call ${name}?`}
      size="small"
      onClose={onNo}
      onSubmit={yes}
      foot={
        <>
          <TextButton data-autofocus onClick={onNo}>
            Do not call
          </TextButton>
          <TextButton look="danger" data-tip="Ctrl+Enter" onClick={yes}>
            Call it
          </TextButton>
        </>
      }
    >
      <p>{name} may change or delete data. Call it?</p>
      <CheckField
        label="Do not ask again for this tool in this session"
        isChecked={isTrusted}
        onChange={setTrusted}
      />
    </Dialog>
  );
}
