import { useEffect, useRef, useState } from 'react';
import { keysText } from '../../shared/keys.ts';
import type { Settings } from '../../shared/settings.ts';
import { formatPlural } from '../format/figures.ts';
import { useServices } from '../services.ts';
import { hrefOf, settingsPages, type SettingsPage } from '../store/route-store.ts';
import { Page } from '../ui/page.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { findSettings, type IndexedSetting, pageTexts } from './setting-index.ts';
import { useSettings } from './use-settings.ts';
import { SettingsPageContent } from './settings-pages.tsx';

/** View of the panel's own settings, one page at a time, with a search over all pages. Every change is saved immediately. */
export function SettingsView({ page }: { readonly page: SettingsPage }) {
  const { settings: store } = useServices();
  const settings = useSettings();
  const content = useRef<HTMLElement>(null);
  const [words, setWords] = useState('');
  /** Setting that the user chose in the search and that is to be focused. */
  const [chosen, setChosen] = useState<IndexedSetting>();
  // Settings are read again, because the file can also be edited outside the panel.
  useEffect(() => void store.load(), [store]);
  useEffect(
    () =>
      chosen?.page === page && content.current !== null ? focusSetting(content.current, chosen) : undefined,
    [chosen, page],
  );
  return (
    <Page
      title="Settings"
      tools={
        <div className="flex justify-end flex-1 *:max-w-280">
          <SearchField
            name="Search the settings"
            words={words}
            shortcut={keysText('Mod+F', navigator.platform.startsWith('Mac'))}
            onChange={setWords}
            onDown={() => content.current?.querySelector('a')?.focus()}
          />
        </div>
      }
    >
      <div className="flex flex-1 min-h-0 max-[761px]:flex-col max-[761px]:overflow-auto">
        <PageNames current={page} onChoose={() => setWords('')} />
        <section
          ref={content}
          className="flex-1 min-w-0 pt-16 px-16 pb-32 overflow-auto *:max-w-860 max-[761px]:flex-none max-[761px]:overflow-visible"
          aria-label={words === '' ? pageTexts[page].title : 'Settings found'}
        >
          {settings === undefined ? (
            <p className="p-16 text-dim">The settings have not been read yet.</p>
          ) : words.trim() !== '' ? (
            <Found
              words={words.trim()}
              onChoose={(setting) => {
                setWords('');
                // The setting is copied into a new object, so that choosing the same setting again focuses it again.
                setChosen({ ...setting });
              }}
            />
          ) : (
            <Shown page={page} settings={settings} />
          )}
        </section>
      </div>
    </Page>
  );
}

/** Focuses a setting's field. If it does not exist yet, focuses the heading and waits. Returns a function that stops waiting. */
function focusSetting(content: HTMLElement, { path = '' }: IndexedSetting): () => void {
  const find = () =>
    content.querySelector<HTMLElement>(
      `[data-setting="${CSS.escape(path)}"] :is(input:not([type='radio']), :checked, select, button)`,
    );
  (find() ?? content.querySelector<HTMLElement>('h2'))?.focus();
  // Some fields are rendered only after their state has been read.
  const observer = new MutationObserver(() => {
    const field = find();
    if (field === null) return;
    observer.disconnect();
    field.focus();
  });
  if (path !== '' && find() === null) observer.observe(content, { childList: true, subtree: true });
  return () => observer.disconnect();
}

interface PageNamesProps {
  readonly current: SettingsPage;
  readonly onChoose: () => void;
}

const namesLook = 'flex flex-col flex-none gap-2 w-176 py-16 px-8 overflow-auto';
// In a narrow window (such as at 200 % zoom), the page names are shown above the page, and wrap to as many lines as they need.
const namesAbove = 'max-[761px]:flex-row max-[761px]:flex-wrap max-[761px]:w-auto max-[761px]:p-8';

const PageNames = ({ current, onChoose }: PageNamesProps) => (
  <nav className={`${namesLook} ${namesAbove}`} aria-label="Pages of settings">
    {settingsPages.map((page) => (
      <a
        key={page}
        className="py-6 px-12 nav-item"
        href={hrefOf({ view: 'settings', page })}
        aria-current={page === current ? 'page' : undefined}
        onClick={onChoose}
      >
        {pageTexts[page].title}
      </a>
    ))}
  </nav>
);

function Shown({ page, settings }: { readonly page: SettingsPage; readonly settings: Settings }) {
  const { title, hint } = pageTexts[page];
  return (
    <>
      <h2 className="text-14 font-semibold" tabIndex={-1}>
        {title}
      </h2>
      {hint !== undefined && <p className="text-12 text-dim">{hint}</p>}
      <div className="flex flex-col gap-12 pt-12">
        <SettingsPageContent page={page} settings={settings} />
      </div>
    </>
  );
}

interface FoundProps {
  readonly words: string;
  readonly onChoose: (setting: IndexedSetting) => void;
}

/** Settings that match a search, each as a link to its page. */
function Found({ words, onChoose }: FoundProps) {
  const found = findSettings(words);
  return (
    <>
      <p role="status" className="text-12 text-dim">
        {found.length === 0 ? 'No setting has these words.' : formatPlural(found.length, 'setting')}
      </p>
      <ul className="py-8">
        {found.map((setting) => (
          <li key={`${setting.page} ${setting.path} ${setting.label}`}>
            <a
              className="flex flex-col py-6 px-8 rounded-md hover:bg-hover"
              href={hrefOf({ view: 'settings', page: setting.page })}
              onClick={() => onChoose(setting)}
            >
              <span>
                <strong>{setting.label}</strong>{' '}
                <span className="text-12 text-dim">{pageTexts[setting.page].title}</span>
              </span>
              {setting.hint !== undefined && <span className="text-12 text-dim">{setting.hint}</span>}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
