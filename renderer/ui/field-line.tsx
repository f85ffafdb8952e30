import type { ReactNode } from 'react';

/** Line of a form: its label, and what is chosen there. */
export const FieldLine = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="form-row">
    <span className="py-4 label">{label}</span>
    <div className="flex flex-col items-start gap-8">{children}</div>
  </div>
);
