import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { TextButton } from '../components/text-button.tsx';
import { formatPlural } from '../format/figures.ts';
import { useServer, useServices } from '../store/services.ts';
import { moveOnFrom } from './focus-server.ts';

/** Asked only where something would be lost; it says what. */
export function RemoveDialog({ server }: { readonly server: string }) {
  const { manage } = useServices();
  const calls = useServer(server)?.busy?.calls ?? 0;
  const [isBusy, setIsBusy] = useState(false);
  const remove = () => {
    setIsBusy(true);
    const moveOn = moveOnFrom(server);
    void manage.remove(server).then(() => {
      manage.close();
      moveOn();
    });
  };
  return (
    <Dialog
      title={`Remove ${server}?`}
      size="small"
      onClose={() => manage.close()}
      foot={
        <>
          <TextButton look="danger" isBusy={isBusy} onClick={remove}>
            {isBusy ? 'Stopping it…' : `Remove ${server}`}
          </TextButton>
          <TextButton data-autofocus onClick={() => manage.close()}>
            Keep it
          </TextButton>
        </>
      }
    >
      <p>
        {calls > 0
          ? `${formatPlural(calls, 'call')} ${calls === 1 ? 'is' : 'are'} in flight, and will be lost. `
          : 'It is running, and is stopped first. '}
        Its entry is taken out of servers.json; logs and history stay.
      </p>
    </Dialog>
  );
}
