import type { Json } from '../../verbs/client.ts';

/** A backend of an Ingress. @param port its number or its name */
export const backendOf = (service: string, port: number | string): Json => ({
  service: { name: service, port: typeof port === 'number' ? { number: port } : { name: port } },
});

type PathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

/** A path of a rule. */
export const pathTo = (backend: Json, path = '/', pathType: PathType = 'Prefix'): Json => ({ path, pathType, backend });

/** A rule with one path, or with these. */
export const onHost = (host: string | undefined, backend: Json, path = '/', pathType: PathType = 'Prefix'): Json =>
  withPaths(host, [pathTo(backend, path, pathType)]);

export const withPaths = (host: string | undefined, paths: readonly Json[]): Json => ({
  ...(host === undefined ? {} : { host }),
  http: { paths },
});
