import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../verbs/client.ts';
import type { Lab } from './lab.ts';

type Level = 'Metadata' | 'Request';

const logFile = (lab: Lab, level: Level): string => join(lab.folder, `audit-${level}.log`);

/** Flags by which a server writes down every request at a level, into the lab. */
export function auditFlags(lab: Lab, level: Level): readonly string[] {
  const policy = join(lab.folder, `audit-policy-${level}.json`);
  writeFileSync(
    policy,
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level }],
    }),
    { mode: 0o600 },
  );
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${logFile(lab, level)}`];
}

/** What a server has written down so far. A line that is not whole yet is left out. */
export function auditEvents(lab: Lab, level: Level): Json[] {
  const text = readFileSync(logFile(lab, level), 'utf8');
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
