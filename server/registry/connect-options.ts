import type { KubeObject } from '../base/kube-object.ts';
import type { Call } from './call.ts';

/** The parameters of a request that opens a connection. */
export interface ConnectParameters {
  all(name: string): readonly string[];
  flag(name: string): boolean;
}

type Reader = (parameters: ConnectParameters, name: string) => unknown;

const flag: Reader = (parameters, name) => parameters.flag(name) || undefined;
const text: Reader = (parameters, name) => parameters.all(name)[0] || undefined;
const listed = (values: readonly unknown[]) => (values.length > 0 ? values : undefined);
const texts: Reader = (parameters, name) => listed(parameters.all(name));
const numbers: Reader = (parameters, name) => listed(parameters.all(name).map(Number).filter(Number.isInteger));

const streams = { stdin: flag, stdout: flag, stderr: flag, tty: flag, container: text };

/** The options that a connection is opened with, by subresource: their kind comes from the resource. */
const fields: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  exec: { ...streams, command: texts },
  attach: streams,
  portforward: { ports: numbers },
  proxy: {},
};

const prefixes: Readonly<Record<string, string>> = { pods: 'Pod', nodes: 'Node', services: 'Service' };

/**
 * What admission is shown of a connection: the options of the query as an object, without metadata. `path` is where a
 * proxied request goes. Undefined for what opens no connection.
 */
export function connectOptions(
  { resource, subresource }: Call,
  parameters: ConnectParameters,
  path: string,
): KubeObject | undefined {
  if (!Object.hasOwn(fields, subresource)) return undefined;
  const proxied = subresource === 'proxy';
  const kind = proxied
    ? `${prefixes[resource.plural] ?? ''}ProxyOptions`
    : (resource.subresources.get(subresource)?.kind ?? '');
  const read = Object.entries(fields[subresource] ?? {}).map(([name, reader]) => [name, reader(parameters, name)]);
  const given = read.filter(([, value]) => value !== undefined);
  return {
    kind,
    apiVersion: 'v1',
    ...Object.fromEntries(given),
    ...(proxied && path && { path }),
  } as unknown as KubeObject;
}
