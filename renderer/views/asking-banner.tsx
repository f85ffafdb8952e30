import { useShallow } from 'zustand/react/shallow';
import { formatPlural } from '../format/figures.ts';
import { storeWords } from '../format/secret-words.ts';
import { usePanel, useServices } from '../services.ts';
import { askingServers } from '../store/panel-store.ts';
import { TextButton } from '../ui/text-button.tsx';
import { BannerFrame } from './config-banner.tsx';

/**
 * Banner with everything that waits for a decision of the user: calls to approve, server definitions from outside the panel,
 * changed tools, and a locked secret store.
 */
export function AskingBanner() {
  const { manage } = useServices();
  const asking = usePanel(
    useShallow((state) =>
      askingServers(state).filter((name) => state.servers.get(name)?.consent?.isPostponed !== true),
    ),
  );
  const changed = usePanel(
    useShallow(({ names, servers }) =>
      names.filter((name) => (servers.get(name)?.changedTools?.held ?? 0) > 0),
    ),
  );
  const [server] = changed;
  const store = usePanel((state) => state.config.secretStore);
  const isShut = store !== undefined && !['none', 'open', 'opening'].includes(store.state);
  return (
    <>
      <WaitingCalls />
      {asking.length > 0 && (
        <Banner
          name="Changed outside the panel"
          words={`${asking.length === 1 ? `${asking[0]} was` : `${formatPlural(asking.length, 'server')} were`} added or changed outside the panel.`}
          rest="The new definition does not run until you agree."
          action="Review…"
          onAction={() => manage.open({ kind: 'consent' })}
        />
      )}
      {server !== undefined && (
        <Banner
          name="Changed tools"
          words={
            changed.length === 1
              ? `${server} describes its tools differently from before.`
              : `${formatPlural(changed.length, 'server')} describe their tools differently from before.`
          }
          rest="Clients still see what you accepted."
          action="Review…"
          onAction={() => manage.open({ kind: 'changed-tools', server })}
        />
      )}
      {isShut && (
        <Banner
          name="Secrets"
          words={storeWords(store)}
          rest="Servers that use a secret wait. All other servers run."
          action="Open the secrets…"
          onAction={() => manage.open({ kind: 'secret-store' })}
        />
      )}
    </>
  );
}

function WaitingCalls() {
  const { manage } = useServices();
  const calls = usePanel((state) => state.approvals);
  const [call] = calls;
  if (call === undefined) return null;
  return (
    <Banner
      name="Calls that wait for you"
      words={
        calls.length === 1
          ? `${call.client} wants to call ${call.tool} of ${call.server}.`
          : `${formatPlural(calls.length, 'call')} wait for you.`
      }
      rest="Nothing runs before you answer."
      action="Answer…"
      onAction={() => manage.open({ kind: 'approval' })}
    />
  );
}

interface BannerProps {
  readonly name: string;
  readonly words: string;
  readonly rest: string;
  readonly action: string;
  readonly onAction: () => void;
}

function Banner({ name, words, rest, action, onAction }: BannerProps) {
  return (
    <BannerFrame role="status" name={name}>
      <p className="truncate min-w-0 flex-1 py-4 select-text" data-tip={`${words} ${rest}`} data-tip-if-cut>
        <strong>{words} </strong>
        <span className="text-dim">{rest}</span>
      </p>
      <TextButton onClick={onAction}>{action}</TextButton>
    </BannerFrame>
  );
}
