import type { Cluster, Context, User } from '@kubernetes/client-node';

type Fields = Readonly<Record<string, unknown>>;

/** An entry of a list of a client configuration: a name, and fields under the name of its kind. */
function entries(
  list: unknown,
  plural: string,
  kind: string,
): readonly { readonly name: string; readonly of: Fields }[] {
  if (!Array.isArray(list)) return [];
  return list.map((entry: Fields | null, index) => {
    const name = entry?.['name'];
    if (typeof name !== 'string' || !name) throw new Error(`${plural}[${index}].name is missing`);
    const of = entry?.[kind];
    return { name, of: of !== null && typeof of === 'object' ? (of as Fields) : {} };
  });
}

const textOf = (fields: Fields, name: string): string | undefined => {
  const value = fields[name];
  return typeof value === 'string' && value ? value : undefined;
};

/** The fields that have a value. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as T;

/** @throws Error for an entry without name or server */
export const readClusters = (list: unknown): Cluster[] =>
  entries(list, 'clusters', 'cluster').map(({ name, of }, index) => {
    const server = textOf(of, 'server');
    if (!server) throw new Error(`clusters[${index}].cluster.server is missing`);
    return given({
      name,
      server: server.replace(/\/$/, ''),
      skipTLSVerify: of['insecure-skip-tls-verify'] === true,
      caData: textOf(of, 'certificate-authority-data'),
      caFile: textOf(of, 'certificate-authority'),
      tlsServerName: textOf(of, 'tls-server-name'),
      proxyUrl: textOf(of, 'proxy-url'),
    }) as Cluster;
  });

/** @throws Error for an entry without name */
export const readUsers = (list: unknown): User[] =>
  entries(list, 'users', 'user').map(
    ({ name, of }) =>
      given({
        name,
        token: textOf(of, 'token'),
        username: textOf(of, 'username'),
        password: textOf(of, 'password'),
        certData: textOf(of, 'client-certificate-data'),
        certFile: textOf(of, 'client-certificate'),
        keyData: textOf(of, 'client-key-data'),
        keyFile: textOf(of, 'client-key'),
        impersonateUser: textOf(of, 'as'),
        authProvider: of['auth-provider'],
        exec: of['exec'],
      }) as User,
  );

/** @throws Error for an entry without name or cluster */
export const readContexts = (list: unknown): Context[] =>
  entries(list, 'contexts', 'context').map(({ name, of }, index) => {
    const cluster = textOf(of, 'cluster');
    if (!cluster) throw new Error(`contexts[${index}].context.cluster is missing`);
    return given({ name, cluster, user: textOf(of, 'user') ?? '', namespace: textOf(of, 'namespace') }) as Context;
  });
