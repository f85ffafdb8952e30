import { useState, type ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { usePanel } from '../services.ts';

/**
 * Banner with the reason why servers.json was not applied, where to correct it, and which configuration is used until then. Not
 * shown while the file is valid.
 */
export function ConfigBanner() {
  const { path, error } = usePanel((state) => state.config);
  const hasServers = usePanel((state) => state.names.length > 0);
  const [isOpen, setOpen] = useState(false);
  if (error === undefined) return null;
  const place =
    error.line === undefined ? '' : `:${error.line}${error.column === undefined ? '' : `:${error.column}`}`;
  return (
    <BannerFrame role="alert" name="Configuration error">
      <div className="min-w-0 flex-1 py-4 wrap-anywhere select-text">
        <p className={isOpen ? undefined : 'truncate'}>
          <strong>Changes in servers.json were not applied: </strong>
          {error.message}
          {error.line !== undefined && (
            <span>
              {' '}
              (line {error.line}
              {error.column !== undefined && `, column ${error.column}`})
            </span>
          )}
        </p>
        <p className="text-dim" hidden={!isOpen}>
          {hasServers && 'The panel keeps using the last version that could be read. '}
          Correct <code className="text-12">{path}</code> and save; it is read again immediately.
        </p>
      </div>
      <TextButton look="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Less' : 'Show'}
      </TextButton>
      <CopyButton name="Copy the path and the error" text={`${path}${place}\n${error.message}`} />
    </BannerFrame>
  );
}

interface BannerFrameProps {
  readonly role: 'alert' | 'status';
  readonly name: string;
  readonly children: ReactNode;
}

/** Banner with a warning sign, for one line of text and buttons of 28 px. */
export const BannerFrame = ({ role, name, children }: BannerFrameProps) => (
  <section
    className="flex items-start gap-8 flex-none mr-12 mb-8 ml-16 py-4 pr-6 pl-12 border-l-2 border-suspect rounded-r-md bg-suspect/12"
    role={role}
    aria-label={name}
  >
    {/* The sign is aligned with the line of text beside the buttons. */}
    <span className="pt-6 text-suspect">
      <Icon name="warning" />
    </span>
    {children}
  </section>
);
