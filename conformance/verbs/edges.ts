import type { Json } from './client.ts';

/** Parts of objects that a careless reader loses: what is false, zero or empty, and what a list has second or twice. */

export const podEdges: Json = {
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  terminationGracePeriodSeconds: 0,
  securityContext: { runAsUser: 0, runAsNonRoot: false },
  containers: [
    {
      name: 'main',
      image: 'registry.example/pause:1',
      args: ['', 'a', 'a'],
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: false, privileged: false },
    },
  ],
};

export const grants: Json = {
  rules: [
    { apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'get'] },
    { apiGroups: ['batch'], resources: ['jobs'], resourceNames: ['one', 'two'], verbs: ['*'] },
  ],
};
const toService = (name: string): Json => ({ service: { name, port: { name: 'web' } } });
const toResource: Json = { resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'files' } };
export const routes: Json = {
  spec: {
    rules: [
      {
        host: 'a.example.com',
        http: {
          paths: [
            { path: '/a', pathType: 'Exact', backend: toService('first') },
            { path: '/b', pathType: 'Prefix', backend: toResource },
          ],
        },
      },
      {
        host: '*.b.example.com',
        http: { paths: [{ pathType: 'ImplementationSpecific', backend: toService('last') }] },
      },
    ],
    tls: [
      { hosts: ['a.example.com', '*.b.example.com'], secretName: 'first' },
      { hosts: ['c.example.com'], secretName: 'second' },
    ],
  },
};

export const slices: Json = {
  endpoints: [
    { addresses: ['10.1.2.3'], conditions: { ready: false, serving: false, terminating: false } },
    {
      addresses: ['10.1.2.5', '10.1.2.4'],
      conditions: { ready: false, serving: true, terminating: true },
      hostname: 'second',
      nodeName: 'node-2',
      zone: 'zone-b',
      targetRef: { kind: 'Pod', namespace: 'default', name: 'front-2' },
      hints: { forZones: [{ name: 'zone-a' }, { name: 'zone-b' }] },
    },
  ],
  ports: [
    { name: '', port: 80, protocol: 'TCP' },
    { name: 'nought', port: 0, protocol: 'TCP' },
    { name: 'second', port: 81, protocol: 'SCTP', appProtocol: 'example.com/second' },
  ],
};
