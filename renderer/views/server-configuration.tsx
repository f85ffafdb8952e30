import { useState } from 'react';
import { ConfigBanner } from './config-banner.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { withShortcut } from '../commands/shortcuts.ts';
import { effectiveSettings, type SettingSource } from '../entry/effective-settings.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { hasMasked, shownText } from '../entry/shown-entry.ts';
import { askToRemove } from '../commands/server-commands.ts';
import { useEntry } from '../editor/use-entry.ts';
import { useSettingDefaults } from '../settings/use-settings.ts';
import { hrefOf } from '../store/route-store.ts';
import { usePanel, useServer, useServices } from '../services.ts';
import { ServerTrust } from '../consent/server-trust.tsx';
import styles from './server-configuration.module.css';

/** Configuration of a server: its entry in the file, and the settings in force with all defaults. */
export function ServerConfiguration({ name }: { readonly name: string }) {
  const { api } = useServices();
  const server = useServer(name);
  const { entry, error } = useEntry(api, name);
  if (entry === undefined)
    return (
      <div className={`${styles.view} flex items-start flex-wrap`}>
        {error === undefined ? (
          <p className="text-dim">Reading servers.json…</p>
        ) : (
          <ErrorNote error={error} server={name} lead="Its entry could not be read" />
        )}
      </div>
    );
  return (
    <>
      <ConfigBanner />
      <div className={`${styles.view} flex items-start flex-wrap`}>
        <Entry name={name} entry={entry} />
        {server !== undefined && <ServerTrust server={server} entry={entry} />}
        <InForce entry={entry} />
      </div>
    </>
  );
}

function Entry({ name, entry }: { readonly name: string; readonly entry: RawEntry }) {
  const services = useServices();
  const { manage } = services;
  const path = usePanel((state) => state.config.path);
  const [isRevealed, setIsRevealed] = useState(false);
  const text = shownText(entry, isRevealed);
  const isMasked = hasMasked(entry);
  return (
    <section className={styles.entry} aria-label="Entry">
      <div className={`${styles.head} flex items-center gap-6`}>
        <h2 className={styles.title} data-tip={path}>
          In servers.json
        </h2>
        <TextButton
          onClick={() => manage.open({ kind: 'edit', server: name })}
          data-tip={withShortcut('Edit', 'edit')}
        >
          Edit…
        </TextButton>
        <TextButton
          data-tip={withShortcut('Duplicate', 'duplicate')}
          onClick={() => manage.open({ kind: 'duplicate', server: name })}
        >
          Duplicate…
        </TextButton>
        <TextButton data-tip={withShortcut('Remove', 'remove')} onClick={() => askToRemove(services, name)}>
          Remove
        </TextButton>
      </div>
      <div className="relative">
        <pre className={`${styles.json} box`} aria-label="Entry as it stands in servers.json" tabIndex={0}>
          {text}
        </pre>
        <div className={styles.copy}>
          <CopyButton name={isMasked && !isRevealed ? 'Copy, masked as shown' : 'Copy'} text={text} />
        </div>
      </div>
      {isMasked && (
        <p className="text-dim">
          {isRevealed ? 'Everything is shown, and copied as shown.' : 'What may be secret is masked.'}{' '}
          <TextButton look="link" onClick={() => setIsRevealed(!isRevealed)} aria-pressed={isRevealed}>
            {isRevealed ? 'Hide values' : 'Show values'}
          </TextButton>
        </p>
      )}
    </section>
  );
}

const sourceWords: Readonly<Record<SettingSource, string>> = {
  entry: 'this entry',
  defaults: 'all servers',
  'built-in': 'default',
};

function InForce({ entry }: { readonly entry: RawEntry }) {
  const groups = effectiveSettings(entry, useSettingDefaults());
  return (
    <section className={styles.inForce} aria-label="Effective settings">
      <div className={`${styles.head} flex items-center gap-6`}>
        <h2 className={styles.title}>Effective settings</h2>
        <p className="text-dim">
          Anything not set here follows the{' '}
          <a className="quiet-link" href={hrefOf({ view: 'settings', page: 'server-defaults' })}>
            server defaults
          </a>
          , then those of the panel.
        </p>
      </div>
      <div className={styles.groups}>
        {groups.map(({ id, title, settings }) => (
          <table key={id} className={styles.group}>
            <caption>{title}</caption>
            <tbody>
              {settings.map(({ path, label, words, source, otherwise }) => (
                <tr key={path} data-source={source}>
                  <th scope="row" data-tip={`panel.${path}`}>
                    {label}
                  </th>
                  <td>{words}</td>
                  <td {...(otherwise !== undefined && { 'data-tip': `${otherwise} without it` })}>
                    {sourceWords[source]}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </section>
  );
}
