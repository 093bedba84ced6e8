import { createHash } from 'node:crypto';
import type { Lab } from './lab.ts';
import { writeLabFile } from './lab-file.ts';

/** A user of a client configuration file: the name says for which webhooks it is. */
export interface WebhookUser {
  readonly name: string;
  readonly user: Readonly<Record<string, string>>;
}

/** Writes an AdmissionConfiguration into the lab by which webhooks are called as these users, and gives its flag. */
export function webhookUsersFlag(lab: Lab, users: readonly WebhookUser[]): string {
  const mark = createHash('sha256').update(JSON.stringify(users)).digest('hex').slice(0, 12);
  const write = (name: string, value: unknown): string =>
    writeLabFile(lab, `${name}-${mark}.json`, JSON.stringify(value));
  const kubeConfigFile = write('webhook-users', { apiVersion: 'v1', kind: 'Config', users });
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile,
  };
  const plugins = ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'].map((name) => ({ name, configuration }));
  const file = write('admission', {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins,
  });
  return `--admission-control-config-file=${file}`;
}
