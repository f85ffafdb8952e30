import { CopyButton } from '../ui/copy-button.tsx';

/** Box with a text that is copied as a whole. */
export function SnippetBox({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className="flex items-start justify-between gap-8 mt-6 py-4 pr-4 pl-12 box">
      <pre className="flex-1 min-w-0 max-h-300 py-4" tabIndex={0} aria-label={name}>
        {text}
      </pre>
      <CopyButton name="Copy the configuration" text={text} />
    </div>
  );
}
