import { useEffect, useState } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { KeptDecision } from '../../shared/approvals.ts';
import type { ChoiceValue } from '../../shared/bounds.ts';
import { formatPlural } from '../format/figures.ts';
import { formatHourMinute } from '../format/moments.ts';
import { signInWords } from '../format/remedies.ts';
import { entryValueAt, type RawEntry } from '../entry/raw-entry.ts';
import { useServices, useTask } from '../services.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';

const choices = [
  { value: 'never', label: 'Never' },
  { value: 'marked', label: 'Destructive tools' },
  { value: 'all', label: 'Every tool' },
] as const;

const row = 'flex flex-wrap items-center justify-between gap-x-12 gap-y-8 py-4 border-t border-line';

interface ServerTrustProps {
  readonly server: ServerView;
  readonly entry: RawEntry;
}

/** Shows what the user can decide about a server: the sign-in, changes of its tools, and which calls need approval. */
export function ServerTrust({ server, entry }: ServerTrustProps) {
  const { api, manage } = useServices();
  const { changedTools, name, signIn } = server;
  const { status, run } = useTask<void>();
  const asked = entryValueAt(entry, 'panel.approval.ask');
  return (
    <section className="flex flex-col gap-8 max-w-720" aria-label="Approvals">
      <h2 className="text-13 font-semibold">Approvals</h2>
      {signIn !== undefined && (
        <p className={row}>
          <span>{signInWords(signIn)}</span>
          {signIn.state === 'signed-in' ? (
            <TextButton onClick={() => void run(() => api.signOut(name))}>Sign out</TextButton>
          ) : (
            <TextButton onClick={() => manage.open({ kind: 'sign-in', server: name })}>Sign in…</TextButton>
          )}
        </p>
      )}
      {changedTools !== undefined && (
        <p className={row}>
          <span>
            {changedTools.held > 0
              ? `${formatPlural(changedTools.held, 'change')} of its tools held back`
              : `${formatPlural(changedTools.shown, 'change')} of its tools`}
          </span>
          <TextButton onClick={() => manage.open({ kind: 'changed-tools', server: name })}>
            Review…
          </TextButton>
        </p>
      )}
      <div className={row}>
        <span>Ask me before a client calls</span>
        <Segments<ChoiceValue<'approval.ask'>>
          name="Ask me before a client calls"
          value={asked === 'marked' || asked === 'all' ? asked : 'never'}
          choices={choices}
          onChange={(ask) => void run(() => api.setApproval({ name, ask }))}
        />
      </div>
      <Decisions server={name} />
      <FailedNote status={status} server={name} lead="Not changed" />
    </section>
  );
}

/** Lists approvals that are still in force. Each can be revoked. */
function Decisions({ server }: { readonly server: string }) {
  const { api } = useServices();
  const [decisions, setDecisions] = useState<readonly KeptDecision[]>([]);
  useEffect(() => {
    let isWanted = true;
    api.listDecisions().then(
      (all) => isWanted && setDecisions(all.filter((one) => one.server === server)),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [api, server]);
  const revoke = async (id: string) => {
    await api.revokeDecision(id);
    setDecisions((all) => all.filter((one) => one.id !== id));
  };
  return decisions.map(({ id, client, tool, until }) => (
    <p key={id} className={row}>
      <span>
        {client} may call {tool} {until === undefined ? 'always' : `until ${formatHourMinute(until)}`}
      </span>
      <TextButton aria-label={`Ask again before ${client} calls ${tool}`} onClick={() => void revoke(id)}>
        Ask again
      </TextButton>
    </p>
  ));
}
