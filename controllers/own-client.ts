import type { StartOptions } from './options.ts';
import { Client } from './runtime/client.ts';
import { type Connection, connect } from './runtime/connection/connection.ts';

type Cluster = Pick<StartOptions, 'kubeconfig' | 'kubeconfigFile' | 'context'>;

/** A connection to the cluster that options name; where they name none, the one that kubectl finds. @throws as `connect` */
export const connectionFor = ({ kubeconfig: text, kubeconfigFile: file, context }: Cluster): Promise<Connection> =>
  connect({ ...(text !== undefined && { text }), ...(file && { file }), ...(context && { context }) });

/** A client that calls itself as controllers do. */
export const ownClient = (parts: Omit<ConstructorParameters<typeof Client>[0], 'userAgent'>): Client =>
  new Client({ ...parts, userAgent: 'touchstone-controllers' });
