import { useState } from 'react';
import { useServices } from '../services.ts';
import { moveOnFrom } from './focus-server.ts';
import { ServerQuestion } from './server-question.tsx';

export function RemoveDialog({ server }: { readonly server: string }) {
  const { manage } = useServices();
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
    <ServerQuestion
      server={server}
      verb="Remove"
      isBusy={isBusy}
      busyWords="Stopping it…"
      quietWords="It is running, and is stopped first."
      outcome="Its entry is taken out of servers.json; logs and history stay."
      onYes={remove}
    />
  );
}
