import type { ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { remediesFor, type Remedy } from '../format/remedies.ts';
import { useServices } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { editPlaceOf } from './edit-place.ts';

/** Buttons for the remedies of an error; the likeliest comes first, as the primary button. */
export function RemedyButtons({
  server,
  error,
}: {
  readonly server: ServerView;
  readonly error: ErrorReport;
}) {
  return remediesFor(error, server).map((remedy, index) => (
    <RemedyButton
      key={remedy.label}
      server={server.name}
      remedy={remedy}
      isFirst={index === 0 && error.code !== 'LIMIT_BREACHED'}
    />
  ));
}

interface RemedyButtonProps {
  readonly server: string;
  readonly remedy: Remedy;
  readonly isFirst: boolean;
}

function RemedyButton({ server, remedy, isFirst }: RemedyButtonProps) {
  const { manage } = useServices();
  if (remedy.kind === 'copy')
    return (
      <span data-tip={remedy.text}>
        <CopyButton name={remedy.label} label={remedy.label} text={remedy.text} />
      </span>
    );
  return (
    <TextButton
      look={isFirst ? 'main' : 'plain'}
      onClick={() => manage.open({ kind: 'edit', server, at: editPlaceOf(remedy) })}
    >
      {remedy.label}
    </TextButton>
  );
}
