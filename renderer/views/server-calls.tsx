import { useMemo } from 'react';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { CallUsageTable } from '../usage/call-usage.tsx';
import styles from './server-page.module.css';

/** Calls of one server within the time shown, by tool and client. */
export function ServerCalls({ name }: { readonly name: string }) {
  const servers = useMemo(() => [name], [name]);
  const span = useSpanWindow(servers);
  return (
    <div className={styles.calls}>
      <SpanBar {...span} bucketMs={undefined} />
      <CallUsageTable window={span.window} server={name} />
    </div>
  );
}
