import { useServices } from '../services.ts';
import { focusServer } from './focus-server.ts';
import type { Interruption } from '../store/manage-store.ts';
import { interrupt } from './server-commands.ts';
import { ServerQuestion } from './server-question.tsx';

const words: Readonly<Record<Interruption, { readonly verb: string; readonly outcome: string }>> = {
  stop: { verb: 'Stop', outcome: 'It stays stopped until it is started again.' },
  restart: { verb: 'Restart', outcome: 'It is started again at once.' },
  disable: { verb: 'Disable', outcome: 'It is stopped, and starts no more until it is enabled.' },
};

interface InterruptDialogProps {
  readonly server: string;
  readonly command: Interruption;
}

export function InterruptDialog({ server, command }: InterruptDialogProps) {
  const services = useServices();
  return (
    <ServerQuestion
      server={server}
      {...words[command]}
      quietWords="No call is in flight any more."
      onYes={() => {
        services.manage.close();
        interrupt(services, command, server);
        // Focus moves on, because it would be lost when the pressed button is disabled.
        focusServer(server);
      }}
    />
  );
}
