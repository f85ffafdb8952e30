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

const view = 'flex items-start flex-wrap gap-x-32 gap-y-16 px-16 pt-12 pb-24';
const head = 'flex items-center gap-6 min-h-28 mb-8';
const title = 'grow shrink-0 text-16 font-semibold';

/** Configuration of a server: its entry in the file, and the effective settings including all defaults. */
export function ServerConfiguration({ name }: { readonly name: string }) {
  const { api } = useServices();
  const server = useServer(name);
  const { entry, error } = useEntry(api, name);
  if (entry === undefined)
    return (
      <div className={view}>
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
      <div className={view}>
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
    <section className="flex-[1_1_380px] min-w-0" aria-label="Entry">
      <div className={head}>
        <h2 className={title} data-tip={path}>
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
        <pre
          className="box max-h-420 mb-6 py-8 pr-36 pl-12 whitespace-pre"
          aria-label="Entry as it is in servers.json"
          tabIndex={0}
        >
          {text}
        </pre>
        {/* The button has an opaque background, because the text of the entry scrolls below it. */}
        <div className="absolute top-5 right-5 bg-sunken">
          <CopyButton name={isMasked && !isRevealed ? 'Copy, masked as shown' : 'Copy'} text={text} />
        </div>
      </div>
      {isMasked && (
        <p className="text-dim">
          {isRevealed ? 'Everything is shown and copied as shown.' : 'Possible secrets are masked.'}{' '}
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

/** Settings from the server's own entry are emphasized, and built-in defaults are shown less prominently. */
const valueLooks: Readonly<Record<SettingSource, string>> = {
  entry: 'font-semibold',
  defaults: '',
  'built-in': 'text-dim',
};

function InForce({ entry }: { readonly entry: RawEntry }) {
  const groups = effectiveSettings(entry, useSettingDefaults());
  return (
    <section className="flex-[1.5_1_560px] min-w-0" aria-label="Effective settings">
      <div className={head}>
        <h2 className={title}>Effective settings</h2>
        <p className="text-dim">
          Anything not set here follows the{' '}
          <a className="quiet-link" href={hrefOf({ view: 'settings', page: 'server-defaults' })}>
            server defaults
          </a>
          , then those of the panel.
        </p>
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(400px,1fr))] items-start gap-x-24 gap-y-12">
        {groups.map(({ id, title: heading, settings }) => (
          <table key={id} className="table-fixed">
            <caption className="pb-2 border-b border-line text-left label">{heading}</caption>
            <tbody>
              {settings.map(({ path, label, words, source, otherwise }) => (
                <tr key={path}>
                  <th
                    scope="row"
                    className="truncate px-0 py-4 text-left font-normal text-dim"
                    data-tip={`panel.${path}`}
                  >
                    {label}
                  </th>
                  <td className={`truncate w-[38%] py-4 pr-0 pl-8 ${valueLooks[source]}`}>{words}</td>
                  <td
                    className={`truncate w-76 px-0 py-4 text-right text-12 ${source === 'built-in' ? 'text-faint' : ''}`}
                    {...(otherwise !== undefined && { 'data-tip': `${otherwise} without it` })}
                  >
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
