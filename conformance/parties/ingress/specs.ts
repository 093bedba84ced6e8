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

/** The port of a Service whose endpoints say themselves at which number they have it, each at another one. */
export const namedPort: Json = { name: 'web', port: 80, targetPort: 'web' };

/** That port as a slice has it. */
export const portAt = (port: number): Json => ({ name: namedPort.name, port });
