import { resolve } from 'node:path';
import { hostInUrl } from '../../host-in-url.ts';
import { freshly } from '../base/caches/freshly.ts';
import type { Clock } from '../base/time/clock.ts';
import { type CallerCredentials, type ConfiguredUsers, readUsers } from '../http-client/kubeconfig.ts';
import type { PluginConfiguration } from './admission-configuration.ts';

/** What the server shows to the webhook at a host; `host` is without brackets. */
export type WebhookCredentials = (host: string, port: number) => CallerCredentials;

const nothing: CallerCredentials = {};

/** Shows nothing to anybody. */
export const noCredentials: WebhookCredentials = () => nothing;

/**
 * Finds the user for a webhook in a client configuration file, where users are named after hosts: `host`, or
 * `host:port` for another port than 443; then `*.` with what follows a dot of that name, the longest first; then `*`;
 * then the user of the current context.
 */
export function credentialsByHost({ users, current }: ConfiguredUsers): WebhookCredentials {
  return (host, port) => {
    for (const name of userNames(host, port)) {
      const found = users.get(name);
      if (found) return found;
    }
    return current ?? nothing;
  };
}

function* userNames(host: string, port: number): Generator<string> {
  const withPort = `${hostInUrl(host)}:${port}`;
  const names = port === 443 ? [host, withPort] : [withPort];
  yield* names;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    for (const name of names) yield `*${name.slice(dot)}`;
  }
  yield '*';
}

const kinds: readonly string[] = ['WebhookAdmissionConfiguration', 'WebhookAdmission'];

/**
 * The credentials that a plugin's WebhookAdmissionConfiguration leads to, read again as they may be renewed; none without one.
 * @throws Error when it is another kind, or its kubeConfigFile cannot be used
 */
export function webhookCredentials(plugin: PluginConfiguration | undefined, clock: Clock): WebhookCredentials {
  if (!plugin) return noCredentials;
  const { kind, kubeConfigFile } = plugin.configuration;
  if (!kinds.includes(String(kind)))
    throw new Error(`webhooks are configured by a WebhookAdmissionConfiguration, not by ${String(kind)}`);
  if (kubeConfigFile === undefined || kubeConfigFile === '') return noCredentials;
  const find = freshly(clock, () => credentialsByHost(readUsers(resolve(plugin.folder, String(kubeConfigFile)))));
  return (host, port) => find()(host, port);
}
