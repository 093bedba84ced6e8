import type { Flag } from '../../base/flag.ts';

export interface AuditOptions {
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  /** Megabytes. */
  readonly auditLogMaxsize: number;
  readonly auditLogMaxbackup: number;
  /** Days. */
  readonly auditLogMaxage: number;
}

/** The size at which a file of v1.25 ends where none is given. */
export const standardMegabytes = 100;

export const auditFlags: readonly Flag[] = [
  {
    name: 'audit-policy-file',
    type: 'string',
    default: '',
    help: 'Policy of audit.k8s.io/v1 that says what is recorded.',
  },
  {
    name: 'audit-log-path',
    type: 'string',
    default: '',
    help: 'File for audit events, one line of JSON each; - for standard output.',
  },
  {
    name: 'audit-log-maxsize',
    type: 'int',
    default: String(standardMegabytes),
    help: 'Megabytes after which a new audit file is begun.',
  },
  { name: 'audit-log-maxbackup', type: 'int', default: '0', help: 'How many old audit files are kept; 0: all.' },
  { name: 'audit-log-maxage', type: 'int', default: '0', help: 'Days that old audit files are kept; 0: for ever.' },
];

export function checkAuditOptions(options: AuditOptions): readonly string[] {
  const problems: string[] = [];
  if (options.auditLogPath && !options.auditPolicyFile) problems.push('--audit-log-path needs --audit-policy-file');
  if (options.auditPolicyFile && !options.auditLogPath) problems.push('--audit-policy-file needs --audit-log-path');
  for (const name of ['auditLogMaxsize', 'auditLogMaxbackup', 'auditLogMaxage'] as const) {
    if (options[name] < 0) problems.push(`${name} must not be negative`);
  }
  return problems;
}
