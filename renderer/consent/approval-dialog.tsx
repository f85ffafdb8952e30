import { useEffect } from 'react';
import type { Approval, ApprovalDecision } from '../../shared/approvals.ts';
import { formatDuration } from '../format/durations.ts';
import { useNow, usePanel, useServices, useTask } from '../services.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';

/** Dialog for the tool call that has waited longest for the user's approval. Once it is answered, the next call follows. */
export function ApprovalDialog() {
  const { manage } = useServices();
  const first = usePanel(({ approvals }) => approvals[0]);
  const count = usePanel(({ approvals }) => approvals.length);
  const isDone = first === undefined;
  useEffect(() => {
    if (isDone) manage.close();
  }, [isDone, manage]);
  return first === undefined ? null : <Question key={first.id} asked={first} count={count} />;
}

interface QuestionProps {
  readonly asked: Approval;
  /** Number of waiting calls, including this one. */
  readonly count: number;
}

function Question({ asked, count }: QuestionProps) {
  const { api, manage } = useServices();
  const { id, client, server, tool, description } = asked;
  const { status, run } = useTask<void, ApprovalDecision>();
  const answer = (decision: ApprovalDecision) => () =>
    void run(() => api.answerApproval({ id, decision }), decision);
  const busy = status?.phase === 'pending' ? status.about : undefined;
  return (
    <Dialog
      title={`Let ${client} call ${tool}?`}
      size="small"
      onClose={() => manage.close()}
      {...(count > 1 && {
        aside: <span className="hint">1 of {count} that wait</span>,
      })}
      foot={
        <>
          <TextButton data-autofocus isBusy={busy === 'refuse'} onClick={answer('refuse')}>
            Refuse
          </TextButton>
          <span className="flex-1" />
          <TextButton isBusy={busy === 'always'} onClick={answer('always')}>
            Always
          </TextButton>
          <TextButton isBusy={busy === '15-min'} onClick={answer('15-min')}>
            For 15 minutes
          </TextButton>
          <TextButton look="main" isBusy={busy === 'once'} onClick={answer('once')}>
            Allow once
          </TextButton>
        </>
      }
    >
      <dl className="mt-8 mb-12 box">
        <Fact name="server">{server}</Fact>
        {description !== undefined && <Fact name="what it says">{description}</Fact>}
        {asked.arguments !== undefined && (
          <Fact name="arguments">
            <code className="block whitespace-pre-wrap wrap-anywhere text-12/16 font-mono select-text">
              {asked.arguments}
            </code>
          </Fact>
        )}
        <Fact name="waits">
          <TimeLeft until={asked.until} />
        </Fact>
      </dl>
      <p className="hint">
        “Always” and “For 15 minutes” apply to {client} and to this tool as it describes itself now.
      </p>
      <FailedNote status={status} server={server} lead="Not answered" />
    </Dialog>
  );
}

/** Row of a boxed list: a name and its value. */
export function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="form-row py-6 px-12 border-line not-first:border-t">
      <dt className="wrap-anywhere text-12 text-dim">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function TimeLeft({ until }: { readonly until: number }) {
  return useNow((now) => `${formatDuration(Math.max(0, until - now))} left, then it is refused`);
}
