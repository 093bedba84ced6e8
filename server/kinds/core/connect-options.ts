import type { KubeObject } from '../../base/kube-object.ts';
import type { ConnectParameters } from '../connect-parameters.ts';
import type { OperationRules } from '../strategy.ts';

type Connects = NonNullable<OperationRules['connects']>;
type Reader = (parameters: ConnectParameters, name: string) => unknown;

const flag: Reader = (parameters, name) => parameters.flag(name) || undefined;
const text: Reader = (parameters, name) => parameters.all(name)[0] || undefined;
const listed = (values: readonly unknown[]) => (values.length > 0 ? values : undefined);
const texts: Reader = (parameters, name) => listed(parameters.all(name));
const numbers: Reader = (parameters, name) => listed(parameters.all(name).map(Number).filter(Number.isInteger));

const streams = { stdin: flag, stdout: flag, stderr: flag, tty: flag, container: text };

/** Options as an object without metadata: what the query says of these fields. */
const optionsOf =
  (kind: string, fields: Readonly<Record<string, Reader>>): Connects =>
  (parameters) => {
    const read = Object.entries(fields).map(([name, reader]) => [name, reader(parameters, name)]);
    const given = Object.fromEntries(read.filter(([, value]) => value !== undefined));
    return { kind, apiVersion: 'v1', ...given } as unknown as KubeObject;
  };

export const execOptions = optionsOf('PodExecOptions', { ...streams, command: texts });
export const attachOptions = optionsOf('PodAttachOptions', streams);
export const portForwardOptions = optionsOf('PodPortForwardOptions', { ports: numbers });

/** Of a proxied request: where it goes. */
export const proxyOptions =
  (kind: string): Connects =>
  (_parameters, path) =>
    ({ kind, apiVersion: 'v1', ...(path && { path: `/${path}` }) }) as unknown as KubeObject;
