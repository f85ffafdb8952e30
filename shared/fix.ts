/** Remedy for an error, in a form from which a program can offer an action. `kind` decides which other fields are present. */
export type Fix =
  /** `variables` are all variables that the message names. `isSet` is true if the entry already sets the first of them. */
  | {
      readonly kind: 'set-variable';
      readonly variable: string;
      readonly variables: readonly string[];
      readonly isSet: boolean;
    }
  /** Placeholder in the entry that another MCP client would have replaced with a value. */
  | { readonly kind: 'replace-placeholder'; readonly placeholder: string }
  | { readonly kind: 'start-engine'; readonly engine: string }
  | { readonly kind: 'allow-engine'; readonly engine: string }
  | { readonly kind: 'check-image' }
  | { readonly kind: 'remove-container'; readonly container: string }
  | { readonly kind: 'check-package'; readonly package?: string }
  | { readonly kind: 'install-module'; readonly module: string }
  | { readonly kind: 'install-command'; readonly command?: string }
  | { readonly kind: 'check-path'; readonly path: string }
  | { readonly kind: 'check-network'; readonly host?: string }
  | { readonly kind: 'check-service'; readonly address?: string }
  | { readonly kind: 'check-credential' }
  | { readonly kind: 'check-arguments' }
  | { readonly kind: 'free-port'; readonly port?: string }
  | { readonly kind: 'free-disk' }
  | { readonly kind: 'free-memory' }
  | { readonly kind: 'repair-cache'; readonly command: string }
  | { readonly kind: 'allow-access'; readonly path?: string }
  | { readonly kind: 'update-runtime'; readonly runtime: string }
  /** `folder` contains the installer's log. Used if the installer did not write the cause to stderr. */
  | { readonly kind: 'read-log'; readonly folder: string };
